#include "tests/support/property.h"

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <sstream>
#include <string>

namespace carom::test {
namespace {

class RapidcheckSource final : public Source {
public:
  std::uint64_t below(std::uint64_t n) override {
    // RapidCheck's range grows with its size parameter; a choice must reach all of 0 .. n-1 from the first case on.
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(0, n));
  }
};

/// What ends a case early.
struct Failure {
  std::string what;
};
struct Discard {};

thread_local std::ostringstream notes;

} // namespace

void run_property(void (*body)(Source&)) {
  rc::detail::checkGTest([body] {
    RapidcheckSource source;
    notes.str({});
    try {
      body(source);
    } catch (const Failure& failure) {
      RC_FAIL(failure.what + "\n" + notes.str());
    } catch (const Discard&) {
      RC_DISCARD("assumed otherwise");
    }
  });
}

void fail_case(const char* file, int line, const char* what) {
  throw Failure{std::string(file) + ":" + std::to_string(line) + ": " + what};
}

void discard_case() { throw Discard{}; }

std::ostream& note() { return notes; }

} // namespace carom::test
