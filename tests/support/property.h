// How a property is stated:
//
//   PROPERTY(ClosestPoint, LiesOnTheTriangle) {        // `source` is in scope
//     const Triangle t = triangle(source);
//     ASSUME(...);                                     // draws another case where it does not hold
//     note() << "printed with the case if it fails";
//     REQUIRE(...);
//   }
// runs under RapidCheck (CAROM_PROPERTY_CASES cases, seed printed and case shrunk on failure), and
//
//   for_each_seed(1'000'000, [](Source& source) { ...; EXPECT_TRUE(...); });
// is the fast loop for large counts; it stops at the first seed that fails, and prints it.
//
// RapidCheck itself stays behind property.cpp: its headers take longer to compile than most of our tests.
#pragma once

#include "tests/support/source.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ostream>

namespace carom::test {

/// Runs the body on many sources of choices; a failure is the current test's failure, shrunk.
void run_property(void (*body)(Source&));
/// Ends the current case of run_property as failed; `what` is printed with it.
[[noreturn]] void fail_case(const char* file, int line, const char* what);
/// Ends the current case as one that does not count.
[[noreturn]] void discard_case();
/// Printed with the case if it fails.
std::ostream& note();

/// A number of cases, and a fifth of it under a sanitizer, where each costs five times as much and other faults than wrong answers are
/// looked for. For loops that take seconds.
constexpr std::uint64_t fewer_when_sanitized(std::uint64_t cases) {
#ifdef CAROM_SANITIZED
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
  TEST(suite, name) { ::carom::test::run_property(property_##suite##_##name); }                    \
  static void property_##suite##_##name([[maybe_unused]] ::carom::test::Source& source)

/// Within a PROPERTY: the case fails unless the condition holds.
#define REQUIRE(...)                                                                               \
  ((__VA_ARGS__) ? void() : ::carom::test::fail_case(__FILE__, __LINE__, #__VA_ARGS__))

/// Within a PROPERTY: the case does not count unless the condition holds.
#define ASSUME(...) ((__VA_ARGS__) ? void() : ::carom::test::discard_case())
