// How a property is stated:
//
//   PROPERTY(ClosestPoint, LiesOnTheTriangle) {        // `source` is in scope
//     const Triangle t = triangle(source);
//     RC_ASSERT(...);
//   }
// runs under RapidCheck (CAROM_PROPERTY_CASES cases, seed printed and case shrunk on failure), and
//
//   for_each_seed(1'000'000, [](Source& source) { ...; EXPECT_TRUE(...); });
// is the fast loop for large counts; it stops at the first seed that fails, and prints it.
#pragma once

#include "tests/support/source.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>

namespace carom::test {

class RapidcheckSource final : public Source {
public:
  std::uint64_t below(std::uint64_t n) override {
    // RapidCheck's range grows with its size parameter; a choice must reach all of 0 .. n-1 from the first case on.
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(0, n));
  }
};

/// A number of cases, and a fifth of it under a sanitizer, where each costs five times as much and other faults than wrong answers are
/// looked for. For loops that take seconds.
constexpr std::uint64_t fewer_when_sanitized(std::uint64_t cases) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return cases / 5;
#else
  return cases;
#endif
}

/// Runs body(source) for `count` seeds from CAROM_SEED (default 1) on, and stops at the first that fails.
template<class Body>
void for_each_seed(std::uint64_t count, Body&& body) {
  const char* text = std::getenv("CAROM_SEED");
  const std::uint64_t first = text ? std::strtoull(text, nullptr, 10) : 1;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    RandomSource source(seed);
    body(static_cast<Source&>(source));
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "seed " << seed << "; to repeat it alone first: CAROM_SEED=" << seed;
      return;
    }
  }
}

} // namespace carom::test

#define PROPERTY(suite, name)                                                                      \
  static void property_##suite##_##name(::carom::test::Source& source);                            \
  RC_GTEST_PROP(suite, name, ()) {                                                                 \
    ::carom::test::RapidcheckSource source;                                                        \
    property_##suite##_##name(source);                                                             \
  }                                                                                                \
  static void property_##suite##_##name([[maybe_unused]] ::carom::test::Source& source)
