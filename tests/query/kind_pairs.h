// Tests over every ordered pair of kinds: the first is the test's parameter, so that each is a test of its own.
#pragma once

#include "tests/query/composite_cases.h"
#include "tests/support/property.h"

#include <string>

namespace carom::test {

class KindPairs : public testing::TestWithParam<int> {
protected:
  /// check(case, source) for so many cases of each second kind; without pairs of convex shapes where only others are wanted.
  template<class Check>
  void for_each_case(std::uint64_t cases, bool convex_too, Check&& check) {
    for (int other = 0; other < shape_kinds && !HasFailure(); ++other) {
      if (!convex_too && GetParam() < convex_kinds && other < convex_kinds) continue;
      const auto a = static_cast<ShapeKind>(GetParam());
      const auto b = static_cast<ShapeKind>(other);
      SCOPED_TRACE(std::string(name_of(a)) + " against " + name_of(b));
      for_each_seed(fewer_when_sanitized(cases), [&](Source& source) {
        const CompositeCase c = composite_case(source, a, b);
        check(c, source);
      });
    }
  }
};

/// "mesh", for the names of the tests.
inline std::string kind_name(const testing::TestParamInfo<int>& kind) {
  return name_of(static_cast<ShapeKind>(kind.param));
}

} // namespace carom::test
