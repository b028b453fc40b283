#include "carom/geometry/convex2.h"

#include "carom/geometry/hull2.h"
#include "carom/geometry/polygon.h"
#include "carom/math/tolerance.h"
#include "carom/verify/check.h"
#include "tests/geometry/exact_oracle.h"
#include "tests/support/property.h"

using namespace carom;
using namespace carom::test;

namespace {

using Ring = std::vector<Q2>;

/// The part of a ring where n . x <= d.
Ring clip(const Ring& ring, const Q2& n, const mpq_class& d) {
  Ring result;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Q2 &a = ring[i], &b = ring[(i + 1) % ring.size()];
    const mpq_class fa = dot(n, a) - d, fb = dot(n, b) - d;
    if (fa <= 0) result.push_back(a);
    if (sgn(fa) * sgn(fb) < 0) {
      const mpq_class t = fa / (fa - fb);
      result.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
    }
  }
  return result;
}

/// A cut by the half-planes of B, in rationals: something is left where they overlap.
bool oracle(const std::vector<Vec2>& a, const std::vector<Vec2>& b) {
  Ring ring;
  for (const Vec2& p : a) ring.push_back(exact(p));
  const auto cut = [&](const Q2& n, const Q2& through) { ring = clip(ring, n, dot(n, through)); };
  const Q2 first = exact(b[0]), last = exact(b.back());
  if (b.size() == 1) {
    for (const Q2& n : {Q2{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) cut(n, first);
  } else if (b.size() == 2) {
    const Q2 u = last - first;
    cut(u, last);
    cut({-u.x, -u.y}, first);
    cut({-u.y, u.x}, first);
    cut({u.y, -u.x}, first);
  } else {
    for (std::size_t i = 0; i < b.size(); ++i) {
      const Q2 p = exact(b[i]), u = exact(b[(i + 1) % b.size()]) - p;
      cut({u.y, -u.x}, p);
    }
  }
  return !ring.empty();
}

std::vector<Vec3> in_space(const std::vector<Vec2>& points) {
  std::vector<Vec3> result;
  for (const Vec2& p : points) result.push_back({p.x, p.y, 0});
  return result;
}
Vec3 in_space(const Vec2& p) { return {p.x, p.y, 0}; }

struct Two {
  std::vector<Vec2> a, b;
};
/// From one set of points, so that they share corners, edges and lines.
Two two(Source& source) {
  const int n = 1 + source.index(6), m = 1 + source.index(6);
  std::vector<Vec2> points = points2(source, n + m);
  const int steps = source.index(4);
  const double gap = steps * (source.chance(2) ? 1 : std::ldexp(1.0, -source.index(50)));
  const Vec2 shift = Vec2{gap, gap * source.index(2)} * reach(points);
  for (int i = n; i < n + m; ++i) points[static_cast<std::size_t>(i)] += shift;
  Two result;
  convex_hull({points.data(), static_cast<std::size_t>(n)}, result.a);
  convex_hull({points.data() + n, static_cast<std::size_t>(m)}, result.b);
  return result;
}

} // namespace

TEST(Convex2, DecidedAsByRationalsAndProved) {
  int hits = 0, total = 0;
  for_each_seed(10'000, [&](Source& source) {
    const Two t = two(source);
    const std::vector<Vec3> a = in_space(t.a), b = in_space(t.b);
    const Polygon pa{a}, pb{b};
    // Rounded points and axes of that size; eight of them.
    const double tolerance = 8 * tolerance::epsilon * std::max(reach(t.a), reach(t.b));
    const bool truth = oracle(t.a, t.b);
    const Overlap2 o = overlap(t.a, t.b);
    ASSERT_EQ(o.hit, truth);
    ASSERT_EQ(overlap(t.b, t.a).hit, truth);
    const verify::Verdict v =
        verify::check_overlap(pa, pb, {o.hit, in_space(o.point), in_space(o.axis)}, tolerance);
    ASSERT_TRUE(v) << v.why;
    const ClosestPair2 c = closest_points(t.a, t.b);
    // The slab's direction is the answer's own: that of two rounded points is useless where they almost coincide.
    ASSERT_LE(verify::distance(in_space(c.on_a), pa), tolerance);
    ASSERT_LE(verify::distance(in_space(c.on_b), pb), tolerance);
    ASSERT_NEAR(distance(c.on_a, c.on_b), c.distance, tolerance);
    ASSERT_EQ(c.distance == 0, truth);
    if (!truth) {
      ASSERT_GE(verify::gap(pa, pb, in_space(c.axis)), c.distance - tolerance);
      ASSERT_NEAR(length(c.axis), 1, 4 * tolerance::epsilon);
    }
    hits += truth;
    ++total;
  });
  EXPECT_GT(hits, total / 5);
  EXPECT_LT(hits, total * 4 / 5);
}

// No corner of either is in the other.
TEST(Convex2, CrossOfTwoBars) {
  const std::vector<Vec2> a{{-3, -1}, {3, -1}, {3, 1}, {-3, 1}},
      b{{-1, -3}, {1, -3}, {1, 3}, {-1, 3}};
  EXPECT_TRUE(overlap(a, b));
  EXPECT_EQ(closest_points(a, b).distance, 0);
}

TEST(Convex2, TouchingCounts) {
  const std::vector<Vec2> a{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, b{{1, 0.25}, {2, 0}, {2, 1}};
  EXPECT_TRUE(overlap(a, b));
  std::vector<Vec2> c = b;
  c[0].x = std::nextafter(1.0, 2.0); // one bit apart
  EXPECT_FALSE(overlap(a, c));
  EXPECT_EQ(closest_points(a, c).distance, 0x1p-52);
  EXPECT_EQ(overlap(a, c).axis, (Vec2{1, 0}));
}

TEST(Convex2, PointsSegmentsAndNothing) {
  const std::vector<Vec2> none, p{{1, 1}}, q{{4, 5}}, s{{0, 0}, {2, 2}}, t{{3, 3}, {5, 5}};
  EXPECT_FALSE(overlap(none, p));
  EXPECT_EQ(closest_points(p, none).distance, INFINITY);
  EXPECT_TRUE(overlap(p, s));
  EXPECT_TRUE(overlap(p, p));
  EXPECT_EQ(closest_points(p, q).distance, 5);
  EXPECT_FALSE(overlap(s, t)); // collinear: no edge's line separates them
  EXPECT_NEAR(overlap(s, t).axis.x, std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(closest_points(s, t).distance, std::sqrt(2.0), 1e-15);
}
