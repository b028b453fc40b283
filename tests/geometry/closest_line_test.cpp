// Nearest points of lines, rays and segments, against exact rationals and through the checker.
#include "carom/geometry/closest_line.h"

#include "carom/math/tolerance.h"

#include "tests/geometry/closest_check.h"
#include "tests/geometry/exact_distance.h"

#include <limits>

namespace carom {
namespace {

using test::Placement;
using test::Source;
using test::tight;

/// A second direction or segment, often parallel to the first, or nearly, or sharing a point with it.
Segment partner(Source& source, const Segment& s) {
  const Segment other = test::segment(source);
  switch (source.index(6)) {
  case 1: // parallel
    return {other.a, other.a + s.direction() * test::real(source)};
  case 2: // nearly parallel, at any angle
    return {other.a,
            other.a + s.direction() + other.direction() * std::ldexp(1.0, -source.index(60))};
  case 3: // collinear
    return {s.at(test::real(source)), s.at(test::real(source))};
  case 4: // crossing, or touching
    return {s.at(source.index(5) * 0.25), other.b};
  case 5: { // badly scaled
    const double k = std::ldexp(1.0, -source.index(60));
    return {other.a, other.a + other.direction() * k};
  }
  default:
    return other;
  }
}

struct Case {
  Segment a, b;
  double size;
};
Case make_case(Source& source) {
  const Placement m = test::placement(source);
  const Segment a = test::segment(source);
  const Segment b = partner(source, a);
  return {test::moved(m, a), test::moved(m, b), 8 * m.scale + max_abs(m.offset)};
}

Line line_of(const Segment& s) { return {s.a, s.direction()}; }
Ray ray_of(const Segment& s) { return {s.a, s.direction()}; }

PROPERTY(ClosestLine, SegmentSegment) {
  const Case c = make_case(source);
  const ClosestLines answer = closest_points(c.a, c.b);
  const verify::Verdict v = test::judge(c.a, c.b, answer, test::exact_distance(c.a, c.b), c.size);
  test::note() << v.why << "\n";
  REQUIRE(v.ok);
  REQUIRE(answer.s >= 0 && answer.s <= 1 && answer.t >= 0 && answer.t <= 1);
  REQUIRE(distance(c.a.at(answer.s), answer.on_a) <= tight * c.size);
  REQUIRE(distance(c.b.at(answer.t), answer.on_b) <= tight * c.size);
}

/// Unbounded things have no slab to check: the exact distance is compared, and the points must be on them. Nearly parallel lines may be
/// nearest far away, where coordinates are rounded more coarsely: up to size / sine.
template<class A, class B>
void check_unbounded(const A& a, const B& b, double size) {
  const ClosestLines c = closest_points(a, b);
  const double reach = std::max({size, max_abs(c.on_a), max_abs(c.on_b)});
  REQUIRE(verify::distance(c.on_a, a) <= tight * reach);
  REQUIRE(verify::distance(c.on_b, b) <= tight * reach);
  REQUIRE(std::fabs(length(c.on_a - c.on_b) - c.distance) <= tight * reach);
  const double off = (c.distance - test::exact_distance(a, b)) / (tight * reach);
  test::note() << "off by " << off << " of the tolerance, reach " << reach << "\n";
  REQUIRE(std::fabs(off) <= 1);
}

/// The angle below which directions count as parallel; the tests of lines and rays stay clear of the angles just above 0 where the true
/// nearest points are as far away as size / epsilon.
bool decided(const Segment& a, const Segment& b) {
  const auto u = test::rational(a.direction()), v = test::rational(b.direction());
  const auto n = test::cross(u, v);
  const mpq_class nn = test::dot(n, n), uv = test::dot(u, u) * test::dot(v, v);
  return nn == 0 || nn.get_d() > 1e-24 * uv.get_d();
}

#define UNBOUNDED(name, first, second)                                                             \
  PROPERTY(ClosestLine, name) {                                                                    \
    const Case c = make_case(source);                                                              \
    ASSUME(decided(c.a, c.b));                                                                     \
    check_unbounded(first, second, c.size);                                                        \
  }
UNBOUNDED(LineLine, line_of(c.a), line_of(c.b))
UNBOUNDED(LineRay, line_of(c.a), ray_of(c.b))
UNBOUNDED(LineSegment, line_of(c.a), c.b)
UNBOUNDED(RayRay, ray_of(c.a), ray_of(c.b))
UNBOUNDED(SegmentRay, c.a, ray_of(c.b))
UNBOUNDED(SegmentLine, c.a, line_of(c.b))

// Each order is right to 16 epsilon, so they agree to twice that.
PROPERTY(ClosestLine, ExchangingTheSegmentsKeepsTheDistance) {
  const Case c = make_case(source);
  const double ab = closest_points(c.a, c.b).distance, ba = closest_points(c.b, c.a).distance;
  REQUIRE(std::fabs(ab - ba) <= 32 * tolerance::epsilon * c.size);
}

TEST(ClosestLine, ParallelLines) {
  const Line a{{0, 0, 0}, {1, 0, 0}}, b{{7, 3, 4}, {-2, 0, 0}};
  const ClosestLines c = closest_points(a, b);
  EXPECT_EQ(c.distance, 5);
  EXPECT_EQ(c.on_b - c.on_a, (Vec3{0, 3, 4}));
  // Directions that are parallel up to rounding do not run off to infinity.
  const Line d{{0, 1, 0}, {1, 1e-17, 0}};
  EXPECT_EQ(closest_points(a, d).distance, 1);
}

TEST(ClosestLine, ParallelSegmentsMeetInTheMiddleOfWhatTheyShare) {
  const ClosestLines c =
      closest_points(Segment{{0, 0, 0}, {4, 0, 0}}, Segment{{6, 1, 0}, {2, 1, 0}});
  EXPECT_EQ(c.on_a, (Vec3{3, 0, 0})); // they face each other from x = 2 to 4
  EXPECT_EQ(c.on_b, (Vec3{3, 1, 0}));
  EXPECT_EQ(c.distance, 1);
  const ClosestLines apart =
      closest_points(Segment{{0, 0, 0}, {1, 0, 0}}, Segment{{4, 4, 0}, {9, 4, 0}});
  EXPECT_EQ(apart.on_a, (Vec3{1, 0, 0}));
  EXPECT_EQ(apart.on_b, (Vec3{4, 4, 0}));
  EXPECT_EQ(apart.distance, 5);
}

TEST(ClosestLine, ParallelRays) {
  // Facing each other over a bounded stretch: its middle. The same way: where the later one starts.
  const Ray a{{0, 0, 0}, {1, 0, 0}};
  EXPECT_EQ(closest_points(a, Ray{{6, 1, 0}, {-1, 0, 0}}).on_a, (Vec3{3, 0, 0}));
  EXPECT_EQ(closest_points(a, Ray{{6, 1, 0}, {2, 0, 0}}).on_a, (Vec3{6, 0, 0}));
  EXPECT_EQ(closest_points(a, Ray{{-3, 4, 0}, {-1, 0, 0}}).distance, 5);
}

TEST(ClosestLine, EitherOrBothSegmentsDegenerate) {
  const Segment s{{0, 0, 0}, {4, 0, 0}}, point{{1, 2, 0}, {1, 2, 0}}, other{{1, 2, 6}, {1, 2, 6}};
  const ClosestLines one = closest_points(s, point);
  EXPECT_EQ(one.on_a, (Vec3{1, 0, 0}));
  EXPECT_EQ(one.s, 0.25);
  EXPECT_EQ(one.distance, 2);
  EXPECT_EQ(closest_points(point, s).t, 0.25);
  EXPECT_EQ(closest_points(point, other).distance, 6);
  EXPECT_EQ(closest_points(point, point).distance, 0);
}

TEST(ClosestLine, DoubleClamp) {
  // The lines cross at s = 4, t = 4; s goes back to 1, for which t would be 2.5, and goes back to 1: now s is 0.4 of the way, not 1.
  const Segment a{{0, 0, 0}, {1, 0, 0}};
  const Segment b{{0, -4, 0}, {1, -3, 0}};
  const ClosestLines c = closest_points(a, b);
  EXPECT_EQ(c.t, 1);
  EXPECT_EQ(c.s, 1);
  EXPECT_EQ(c.distance, 3);
  const Segment d{{-1, -4, 0}, {0.5, -1, 0}};
  const ClosestLines e = closest_points(a, d);
  EXPECT_EQ(e.t, 1);
  EXPECT_EQ(e.s, 0.5);
  EXPECT_EQ(e.distance, 1);
}

TEST(ClosestLine, NearlyParallelKeepsItsDigits) {
  // Crossing at an angle of 1e-9 in the middle of both: a determinant of squares has no digits left.
  const Segment a{{-1, -1e-9, 0}, {1, 1e-9, 0}}, b{{-1, 1e-9, 0}, {1, -1e-9, 0}};
  EXPECT_LE(closest_points(a, b).distance, 4 * tolerance::epsilon);
}

TEST(ClosestLine, NotFiniteReturns) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {nan, static_cast<double>(INFINITY), -static_cast<double>(INFINITY)}) {
    const Segment s{{bad, 0, 0}, {1, 1, 1}}, t{{0, 0, 1}, {1, 0, bad}};
    EXPECT_FALSE(closest_points(s, t).distance < 0);
    EXPECT_FALSE(closest_points(line_of(s), ray_of(t)).distance < 0);
  }
}

} // namespace
} // namespace carom
