#include "carom/geometry/sweep_sphere.h"

#include "tests/geometry/sweep_cases.h"

namespace carom {
namespace {

using test::Source;

double reach_of(const Sphere& b) { return b.radius; }
double reach_of(const Capsule& b) { return b.radius; }
double reach_of(const Lozenge& b) { return b.radius; }
template<class B>
double reach_of(const B&) {
  return 0;
}

template<class B>
verify::Verdict check(const Sphere& a, const Vec3& motion, const B& b) {
  const double size = test::greatest(a) + max_abs(motion) + test::greatest(b);
  return verify::check_sweep(a, motion, b, sweep(a, motion, b),
                             test::sweep_tolerance(size, a.radius + reach_of(b)));
}

/// A ball and its motion, in the frame of a case: free, or made to touch at B's point `high`, farthest along n.
struct BallCase {
  Sphere ball;
  Vec3 motion;
};
BallCase ball_case(Source& source, const Vec3& high, const Vec3& n) {
  const double r = test::radius(source);
  if (source.chance(4)) {
    const Vec3 c = test::vec3(source) * 2;
    return {{c, r}, test::any_motion(source)};
  }
  const test::Approach a = test::approach(source, high, n);
  return {{a.start + n * r, r}, a.motion};
}

template<class B>
const B& view(const B& b) {
  return b;
}
Polygon view(const test::OwnedPolygon& p) { return p.view(); }

template<class B>
void expect_proved(Source& source, const B& b) {
  const Vec3 n = test::direction(source);
  const BallCase c = ball_case(source, support_point(view(b), n), n);
  const test::Placement place = test::placement(source);
  const Sphere ball = test::placed(c.ball, place);
  const B there = test::placed(b, place);
  const Vec3 motion = c.motion * place.scale;
  const verify::Verdict v = check(ball, motion, view(there));
  EXPECT_TRUE(v.ok) << v.why << "; ball " << test::text(ball.center) << " radius " << ball.radius
                    << " motion " << test::text(motion)
                    << test::text(sweep(ball, motion, view(there)));
}

#define SWEEP_TEST(name, cases, generator)                                                         \
  TEST(SweepSphere, name) {                                                                        \
    test::for_each_seed(cases, [](Source& source) { expect_proved(source, generator); });          \
  }

SWEEP_TEST(AgainstSphere, 10'000, test::sphere(source))
SWEEP_TEST(AgainstSegment, 10'000, test::segment(source))
SWEEP_TEST(AgainstCapsule, 10'000, test::capsule(source))
SWEEP_TEST(AgainstRectangle, 10'000, test::rectangle(source))
SWEEP_TEST(AgainstLozenge, 10'000, test::lozenge(source))
// The checker is exact for slivers, and slow.
SWEEP_TEST(AgainstTriangle, 5'000, test::triangle(source))
SWEEP_TEST(AgainstPolygon, 2'000, test::polygon(source))
SWEEP_TEST(AgainstAabb, 10'000, test::aabb(source))
SWEEP_TEST(AgainstObb, 10'000, test::obb(source))

TEST(SweepSphere, AgainstQuadIsAgainstItsPolygon) {
  test::for_each_seed(2'000, [](Source& source) {
    const Quad q = test::quad(source);
    const std::array corners = q.vertices();
    const Sphere a = test::sphere(source);
    const Vec3 motion = test::any_motion(source);
    const Sweep s = sweep(a, motion, q);
    EXPECT_EQ(s.t, sweep(a, motion, Polygon{corners}).t);
    EXPECT_EQ(s.hit, sweep(a, motion, Polygon{corners}).hit);
  });
}

// --- t itself, against a search that knows nothing of features: the distance of the centre is convex in t, so from the start to
// its least it falls through the radius once. Where it falls at a rate of v, an error e of the distance is e / v of t.

template<class B>
double first_time(const Sphere& a, const Vec3& motion, const B& b) {
  const auto gap = [&](double t) { return verify::distance(a.center + motion * t, b) - a.radius; };
  double low = 0, high = 1; // the least is between them
  for (int i = 0; i < 200 && gap(high) > 0; ++i) {
    const double m = low + (high - low) * 0.5, d = (high - low) * 1e-3;
    (gap(m - d) > gap(m + d) ? low : high) = m;
  }
  if (gap(high) > 0) return INFINITY;
  for (low = 0; high - low > 0x1p-60 && (low + high) * 0.5 != low && (low + high) * 0.5 != high;) {
    const double m = (low + high) * 0.5;
    (gap(m) > 0 ? low : high) = m;
  }
  return high;
}

template<class B>
void expect_same_time(Source& source, const B& b) {
  const Sphere a{test::vec3(source) * 3, 0.01 + source.unit()};
  const Vec3 toward = test::vec3(source) - a.center;
  const Vec3 motion = toward * (0.5 + 2 * source.unit());
  const Sweep s = sweep(a, motion, b);
  if (!s.hit || s.overlapping_at_start) return;
  const double rate = -dot(s.normal, motion);
  if (!(rate > 0.05 * length(motion))) return; // grazing: see the proofs above
  const double size = test::greatest(a) + max_abs(motion) + test::greatest(b);
  EXPECT_LE(std::fabs(s.t - first_time(a, motion, b)) * rate, 32 * tolerance::epsilon * size)
      << test::text(s);
}

TEST(SweepSphere, TriangleByTheMinimumOverAllFeatures) {
  test::for_each_seed(5'000, [](Source& s) { expect_same_time(s, test::triangle(s)); });
}
TEST(SweepSphere, BoxByTheMinimumOverAllFeatures) {
  test::for_each_seed(5'000, [](Source& s) { expect_same_time(s, test::aabb(s)); });
  test::for_each_seed(5'000, [](Source& s) { expect_same_time(s, test::obb(s)); });
}
TEST(SweepSphere, CapsuleByTheMinimumOverAllFeatures) {
  test::for_each_seed(5'000, [](Source& s) { expect_same_time(s, test::capsule(s)); });
}

// --- Named cases.

constexpr Sphere unit_ball{{0, 0, 0}, 1};

TEST(SweepSphere, TimesBeyondOneAreMisses) {
  EXPECT_FALSE(sweep(unit_ball, {1, 0, 0}, Sphere{{4, 0, 0}, 1}).hit);
  EXPECT_FALSE(sweep(unit_ball, {1, 0, 0}, Plane{{1, 0, 0}, 4}).hit);
  EXPECT_FALSE(sweep(unit_ball, {1, 0, 0}, Aabb{{4, -1, -1}, {5, 1, 1}}).hit);
  EXPECT_FALSE(sweep(unit_ball, {1, 0, 0}, Triangle{{4, -9, -9}, {4, 9, -9}, {4, 0, 9}}).hit);
}

TEST(SweepSphere, ExactlyAtTheEnd) {
  for (const Sweep& s :
       {sweep(unit_ball, {2, 0, 0}, Sphere{{4, 0, 0}, 1}),
        sweep(unit_ball, {2, 0, 0}, Plane{{1, 0, 0}, 3}),
        sweep(unit_ball, {2, 0, 0}, Aabb{{3, -1, -1}, {5, 1, 1}}),
        sweep(unit_ball, {2, 0, 0}, Triangle{{3, -9, -9}, {3, 9, -9}, {3, 0, 9}})}) {
    EXPECT_TRUE(s.hit);
    EXPECT_LE(s.t, 1.0);
    EXPECT_NEAR(s.t, 1.0, 1e-15);
    EXPECT_LE(distance(s.point, {3, 0, 0}), 1e-14);
    EXPECT_LE(distance(s.normal, {-1, 0, 0}), 1e-14);
  }
}

TEST(SweepSphere, AtRestItHitsOnlyWhatItOverlaps) {
  const Vec3 rest{};
  EXPECT_FALSE(sweep(unit_ball, rest, Sphere{{4, 0, 0}, 1}).hit);
  EXPECT_FALSE(sweep(unit_ball, rest, Plane{{1, 0, 0}, 4}).hit);
  EXPECT_FALSE(sweep(unit_ball, rest, Triangle{{4, -9, -9}, {4, 9, -9}, {4, 0, 9}}).hit);
  EXPECT_FALSE(sweep(unit_ball, rest, Aabb{{4, -1, -1}, {5, 1, 1}}).hit);
  const Sweep touching = sweep(unit_ball, rest, Sphere{{2, 0, 0}, 1});
  EXPECT_TRUE(touching.hit && touching.overlapping_at_start && touching.t == 0);
  EXPECT_EQ(touching.normal, (Vec3{-1, 0, 0}));
  EXPECT_TRUE(sweep(unit_ball, rest, Aabb{{1, -1, -1}, {5, 1, 1}}).overlapping_at_start);
}

TEST(SweepSphere, RecedingMissesUnlessInTouchAtTheStart) {
  EXPECT_FALSE(sweep(unit_ball, {-1, 0, 0}, Sphere{{2.5, 0, 0}, 1}).hit);
  EXPECT_FALSE(sweep(unit_ball, {-1, 0, 0}, HalfSpace{{-1, 0, 0}, -1.5}).hit);
  EXPECT_TRUE(sweep(unit_ball, {-1, 0, 0}, Sphere{{2, 0, 0}, 1}).overlapping_at_start);
  EXPECT_TRUE(sweep(unit_ball, {-1, 0, 0}, HalfSpace{{-1, 0, 0}, -1}).overlapping_at_start);
  EXPECT_TRUE(sweep(unit_ball, {-1, 0, 0}, Aabb{{1, -1, -1}, {5, 1, 1}}).overlapping_at_start);
}

// 3, 4, 5: they touch exactly, and the time at which the line leaves rounds to before 0 as often as not.
TEST(SweepSphere, TouchingAtTheStartIsNotLostToRounding) {
  test::for_each_seed(1'000, [](Source& source) {
    const Vec3 center{3, 4, 0};
    Vec3 away{source.uniform(-1, 1), source.uniform(-1, 1), source.uniform(-1, 1)};
    if (dot(away, center) < 0) away = -away;
    EXPECT_TRUE(sweep(Sphere{center, 2}, away, Sphere{{}, 3}).overlapping_at_start);
    EXPECT_TRUE(sweep(Sphere{center, 5}, away, Segment{{}, {0, 0, 1}}).overlapping_at_start);
    // The other way round, it arrives at the very end.
    EXPECT_TRUE(sweep(Sphere{center + center, 2}, -center, Sphere{{}, 3}).hit);
  });
}

TEST(SweepSphere, ContainmentIsOverlap) {
  for (const Vec3& m : {Vec3{}, Vec3{1, 0, 0}, Vec3{100, 0, 0}}) {
    EXPECT_TRUE(sweep(Sphere{{0, 0, 0}, 0.1}, m, Sphere{{0, 0, 0}, 5}).overlapping_at_start);
    EXPECT_TRUE(sweep(Sphere{{0, 0, 0}, 5}, m, Sphere{{1, 0, 0}, 0.1}).overlapping_at_start);
    EXPECT_TRUE(
        sweep(Sphere{{0, 0, 0}, 0.1}, m, Aabb{{-5, -5, -5}, {5, 5, 5}}).overlapping_at_start);
    EXPECT_TRUE(sweep(Sphere{{0, 0, 0}, 0.1}, m, HalfSpace{{0, 0, 1}, 7}).overlapping_at_start);
  }
}

TEST(SweepSphere, ParallelToThePlane) {
  EXPECT_FALSE(sweep(unit_ball, {9, 0, 0}, Plane{{0, 0, 1}, -1.5}).hit);
  EXPECT_TRUE(sweep(unit_ball, {9, 0, 0}, Plane{{0, 0, 1}, -1}).overlapping_at_start);
}

// A ball beside the edge of a face, moving along it: the edge is met only where it starts.
TEST(SweepSphere, AlongAnEdge) {
  const Triangle t{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const Sweep s = sweep(Sphere{{-3, -1, 0}, 1}, {4, 0, 0}, t);
  ASSERT_TRUE(s.hit);
  EXPECT_EQ(s.t, 0.75);
  EXPECT_EQ(s.normal, (Vec3{0, -1, 0}));
}

// Every corner of a box, met along its diagonal: each corner's bits choose its three coordinates.
TEST(SweepSphere, EveryCornerOfABox) {
  const Aabb box{{-1, -2, -3}, {1, 2, 3}};
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner = box.corner(i);
    const Vec3 out = normalized(Vec3{i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
    for (const Sweep& s : {sweep(Sphere{corner + out * 3, 1}, out * -4, box),
                           sweep(Sphere{corner + out * 3, 1}, out * -4, to_obb(box))}) {
      ASSERT_TRUE(s.hit);
      EXPECT_NEAR(s.t, 0.5, 1e-15);
      EXPECT_LE(distance(s.point, corner), 1e-14);
      EXPECT_LE(distance(s.normal, out), 1e-14);
    }
  }
}

TEST(SweepSphere, NotFiniteNumbersEnd) {
  const auto expect_in_range = [](const Sweep& s) { EXPECT_FALSE(s.t < 0 || s.t > 1); };
  const std::array<Vec3, 3> odd = {Vec3{NAN, 0, 0}, Vec3{INFINITY, 0, 0}, Vec3{1e300, -1e300, NAN}};
  const std::array<Vec3, 3> corners = {Vec3{NAN, 1, 0}, Vec3{0, 1, 0}, Vec3{INFINITY, 0, 1}};
  for (const Vec3& m : odd) {
    expect_in_range(sweep(unit_ball, m, Plane{}));
    expect_in_range(sweep(unit_ball, m, Sphere{{4, 0, 0}, NAN}));
    expect_in_range(sweep(Sphere{m, 1}, m, Capsule{m, {}, 1}));
    expect_in_range(sweep(Sphere{m, NAN}, {1, 0, 0}, Triangle{m, {1, 0, 0}, {0, 1, 0}}));
    expect_in_range(sweep(unit_ball, m, Polygon{corners}));
    expect_in_range(sweep(unit_ball, m, Polygon{}));
    expect_in_range(sweep(unit_ball, m, Aabb{{0, 0, 0}, m}));
    expect_in_range(sweep(unit_ball, m, Obb{m, {}, {1, 1, 1}}));
    expect_in_range(sweep(unit_ball, m, Lozenge{{m, m, m, 1, 1}, 1}));
  }
}

} // namespace
} // namespace carom
