// Every ordered pair of kinds of which at least one is not convex, every answer through the checker.
#include "carom/query/closest_point.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/query/ray_cast.h"
#include "carom/query/shape_cast.h"
#include "carom/query/span.h"
#include "tests/query/kind_pairs.h"

namespace carom {
namespace {

using test::CompositeCase;
using test::Source;

class CompositePairs : public test::KindPairs {
protected:
  template<class Check>
  void for_each_case(std::uint64_t cases, Check&& check) {
    KindPairs::for_each_case(cases, false, check);
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, CompositePairs, testing::Range(0, shape_kinds), test::kind_name);

TEST_P(CompositePairs, DistancesAreProved) {
  for_each_case(100, [](const CompositeCase& c, Source&) {
    const Distance d = distance(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
    const auto verdict = verify::check_composite_distance(c.a, c.b, d, c.band());
    EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", value " << d.value;
    if (c.searched) return;
    EXPECT_EQ(d.status, Status::ok);
    EXPECT_LE(d.value - d.lower_bound, c.promised()) << "size " << c.size;
  });
}

TEST_P(CompositePairs, OverlapsAreProved) {
  for_each_case(100, [](const CompositeCase& c, Source&) {
    const ShapeOverlap o = overlap(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
    const auto verdict = verify::check_composite_overlap(c.a, c.b, o, c.band());
    EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", hit " << o.hit;
    const Distance d = distance(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
    if (o.hit) {
      EXPECT_LE(d.lower_bound, c.band());
    } else {
      // Exactly where nothing is turned; else within the band it may go either way.
      const bool unturned =
          c.a.pose.frame().basis == Mat3::identity() && c.b.pose.frame().basis == Mat3::identity();
      EXPECT_TRUE(d.value > 0 || !c.exact || !unturned);
    }
  });
}

TEST_P(CompositePairs, CastsAreProved) {
  for_each_case(40, [](const CompositeCase& c, Source& source) {
    const Vec3 toward = c.b.pose.position - c.a.pose.position;
    const Vec3 d = test::direction(source);
    static constexpr double lengths[] = {0, 1, 10, 1e-3};
    const double reach = lengths[source.index(4)] * c.a.shape.size();
    const Vec3 translation = source.index(2) ? toward * 1.5 : d * reach;
    const double max_t = source.chance(4) ? 0.5 : 1;
    const ShapeCast hit =
        shape_cast(c.a.shape, c.a.pose, translation, c.b.shape, c.b.pose, {.max_t = max_t});
    const double size = c.size + max_abs(translation);
    const double points = (c.exact ? 1e-13 : 1e-10) * size;
    if (hit.status == Status::wide) return;
    const auto verdict = verify::check_composite_shape_cast(
        c.a, translation, c.b, max_t, hit, c.band() + 2e-14 * max_abs(translation), points);
    EXPECT_TRUE(verdict) << verdict.why << ", size " << size << ", t " << hit.t << " hit "
                         << hit.hit;
  });
}

TEST_P(CompositePairs, SpansAreProved) {
  for_each_case(20, [](const CompositeCase& c, Source&) {
    if (c.searched) return;
    const Span s = span(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
    const auto verdict = verify::check_composite_span(c.a, c.b, s, c.band());
    EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", value " << s.value;
    if (!c.a.shape.bounded() || !c.b.shape.bounded()) {
      EXPECT_EQ(s.value, INFINITY);
      return;
    }
    EXPECT_LE(s.upper_bound - s.value, c.promised());
  });
}

} // namespace
} // namespace carom
