// Every ordered pair of kinds, every answer through the checker.
#include "carom/query/distance.h"

#include "carom/query/overlap.h"
#include "carom/shape/support.h"
#include "tests/query/pair_cases.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::PairCase;
using test::Source;

/// How far points may be off and slabs too narrow, in parts of the size: DESIGN's band; the corners of a brush are rounded besides.
double band(const PairCase& c) {
  const bool brush = c.a.shape.kind() == ShapeKind::brush || c.b.shape.kind() == ShapeKind::brush;
  return tolerance::boolean_band + (brush ? 64 * tolerance::epsilon : 0);
}

/// What Distance promises, in parts of the size.
double promised(const PairCase& c) { return c.polyhedral() ? 1e-12 : 1e-10; }

class QueryPairs : public testing::TestWithParam<int> {
protected:
  template<class Check>
  void for_each_case(std::uint64_t cases, Check&& check) {
    for (int other = 0; other < shape_kinds && !HasFailure(); ++other) {
      const auto a = static_cast<ShapeKind>(GetParam());
      const auto b = static_cast<ShapeKind>(other);
      SCOPED_TRACE(std::string(name_of(a)) + " against " + name_of(b));
      test::for_each_seed(test::fewer_when_sanitized(cases), [&](Source& source) {
        const PairCase c = test::pair_case(source, a, b);
        check(c, source);
      });
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, QueryPairs, testing::Range(0, shape_kinds),
                         [](const testing::TestParamInfo<int>& kind) {
                           return std::string(name_of(static_cast<ShapeKind>(kind.param)));
                         });

TEST_P(QueryPairs, DistancesAreProved) {
  for_each_case(200, [](const PairCase& c, Source&) {
    const Distance d = distance(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
    const auto verdict = verify::check_distance(c.a, c.b, d, band(c) * c.size);
    EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", value " << d.value;
    if (c.custom()) return;
    EXPECT_EQ(d.status, Status::ok);
    EXPECT_LE(d.value - d.lower_bound, promised(c) * c.size) << "size " << c.size;
  });
}

TEST_P(QueryPairs, OverlapsAreProved) {
  for_each_case(200, [](const PairCase& c, Source&) {
    const ShapeOverlap o = overlap(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
    const auto verdict = verify::check_overlap(c.a, c.b, o, band(c) * c.size);
    EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", hit " << o.hit;
    if (!c.custom()) {
      EXPECT_EQ(o.status, Status::ok);
    }
  });
}

} // namespace
} // namespace carom
