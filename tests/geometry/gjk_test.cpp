#include "carom/geometry/gjk.h"

#include "carom/geometry/support.h"
#include "carom/math/tolerance.h"
#include "carom/verify/check.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

#include <gmpxx.h>

namespace carom {
namespace {

using test::Source;

// Support points against the checker's support values.
template<class Set>
void expect_support(Source& source, const Set& set) {
  const Vec3 d = test::direction(source);
  const Vec3 p = support_point(set, d);
  const double size =
      16; // generous for sets made of values up to 4, and enough to notice any wrong corner
  REQUIRE(std::fabs(dot(p, d) - verify::support(set, d)) <= 4 * tolerance::epsilon * size);
  REQUIRE(verify::distance(p, set) <= 4 * tolerance::epsilon * size);
}

PROPERTY(SupportPoint, IsTheFarthestOfEveryKind) {
  expect_support(source, test::segment(source));
  expect_support(source, test::triangle(source));
  expect_support(source, test::tetrahedron(source));
  expect_support(source, test::quad(source));
  expect_support(source, test::polygon(source).view());
  expect_support(source, test::rectangle(source));
  expect_support(source, test::sphere(source));
  expect_support(source, test::capsule(source));
  expect_support(source, test::lozenge(source));
  expect_support(source, test::cylinder(source));
  expect_support(source, test::cone(source));
  expect_support(source, test::cone_frustum(source));
  expect_support(source, test::ellipsoid(source));
  expect_support(source, test::aabb(source));
  expect_support(source, test::obb(source));
  expect_support(source, test::view_frustum(source));
}

// Size 16 covers the sets; the two bounds stop 8 epsilon of the greatest coordinate apart.
constexpr double slack = 16 * tolerance::epsilon * 16;

// In rationals, on the support points along the axis: axis . (b - a) >= lower_bound |axis|, with nothing allowed for rounding.
template<class A, class B>
bool is_proved(const A& a, const B& b, const GjkResult& r) {
  if (r.lower_bound == 0) return true;
  const Vec3 on_a = support_point(a, r.axis), on_b = support_point(b, -r.axis);
  mpq_class gap = 0, square = 0;
  for (int i = 0; i < 3; ++i) {
    const mpq_class d(r.axis[i]);
    gap += d * (mpq_class(on_b[i]) - mpq_class(on_a[i]));
    square += d * d;
  }
  const mpq_class bound(r.lower_bound);
  return gap > 0 && gap * gap >= bound * bound * square;
}

// The truth lies between the bounds, each proved by itself, and they are close.
template<class A, class B>
void expect_bracket(Source& source, A (*make_a)(Source&), B (*make_b)(Source&),
                    int most_iterations) {
  const A a = make_a(source);
  const B b = make_b(source);
  const double rounding = 16 * tolerance::epsilon * 16;
  const GjkResult r = gjk(ConvexView(a), ConvexView(b));
  REQUIRE(r.iterations <= most_iterations);
  REQUIRE(verify::distance(r.closest.on_a, a) <= rounding);
  REQUIRE(verify::distance(r.closest.on_b, b) <= rounding);
  REQUIRE(std::fabs(length(r.closest.on_b - r.closest.on_a) - r.closest.distance) <= rounding);
  REQUIRE(r.lower_bound == 0 || verify::gap(a, b, r.axis) >= r.lower_bound - rounding);
  REQUIRE(is_proved(a, b, r));
  REQUIRE(r.lower_bound >= r.closest.distance - slack);
  const auto verdict = verify::check_overlap(a, b, overlap(ConvexView(a), ConvexView(b)), slack);
  test::note() << verdict.why << "\n";
  REQUIRE(verdict.ok);
}

PROPERTY(Gjk, PolytopesToRounding) {
  expect_bracket(source, test::triangle, test::tetrahedron, 24);
  expect_bracket(source, test::obb, test::aabb, 24);
  expect_bracket(source, test::obb, test::segment, 24);
  expect_bracket(source, test::view_frustum, test::obb, 24);
  expect_bracket(source, test::triangle, test::rectangle, 24);
}

PROPERTY(Gjk, CurvedSets) {
  expect_bracket(source, test::cylinder, test::cone, 160);
  expect_bracket(source, test::cylinder, test::obb, 160);
  expect_bracket(source, test::cone, test::triangle, 160);
  expect_bracket(source, test::ellipsoid, test::cylinder, 160);
  expect_bracket(source, test::capsule, test::cone, 160);
}

/// A whole case made tiny or huge, and moved by up to 1e6 of its size.
struct Placed {
  double scale;
  Vec3 offset;
};
Placed placed(Source& source) {
  const double s = test::scale(source);
  return {s, test::offset(source) * s};
}

/// Carries b along a separating direction (or any) until a and b touch, up to a small gap.
Rectangle touching(Source& source, const Triangle& a, Rectangle b) {
  static constexpr double gaps[] = {0,     1e-15, -1e-15, 1e-13, -1e-13,
                                    1e-11, 1e-9,  -1e-9,  1e-6,  1e-3};
  const GjkResult r = gjk(ConvexView(a), ConvexView(b));
  const Vec3 d = r.lower_bound > 0 ? r.axis : test::direction(source);
  b.center += d * (gaps[source.index(10)] - verify::gap(a, b, d));
  return b;
}

// Where a short v stands on a thin triangle, its direction needs the triangle's normal, and the weights need long numbers: about one in ten
// thousand of these.
TEST(Gjk, NearlyTouchingFlatPieces) {
  test::for_each_seed(100'000, [](Source& source) {
    const Triangle a = test::triangle(source);
    const Rectangle b = touching(source, a, test::rectangle(source));
    const GjkResult r = gjk(ConvexView(a), ConvexView(b));
    EXPECT_GE(r.lower_bound, r.closest.distance - slack);
    EXPECT_LE(r.iterations, 24);
  });
}

// A segment and a tiny disc (as cylinders), 2e-13 apart: some steps only turn the direction, and the last of them leads away, by one part
// in 2e7 of the distance. The shortest v is returned, not the last.
TEST(Gjk, ReturnsTheNearestPointsMetNotTheLast) {
  const Cylinder a{{0x1.2eb5a24ad8394p-1, -0x1.7d3b54c1aa60cp-2, 0x1.9755def489d06p-1},
                   {0x1.d6d4a75fccb9dp-3, 0x1.b870564342dabp-1, -0x1.d20ee3fdfefaep-2},
                   1,
                   0};
  const Cylinder b{{0x1.a46acc22c74e6p-1, 0x1.f3a557c4dd45cp-2, 0x1.5c9cd9eb14203p-2},
                   {0x1.efbde160e26f7p-2, 0x1.bd9e31795c022p-1, 0x1.7119fb48d42d7p-4},
                   0,
                   0x1p-39};
  const GjkResult r = gjk(ConvexView(a), ConvexView(b));
  EXPECT_LT(r.closest.distance, 1.95274960e-13); // 1.95274957e-13; the last is 1.95274967e-13
  EXPECT_GT(r.lower_bound, 1.93678e-13);
}

// A point on the surface of a cylinder: without the steps that only turn the direction, the search ends 500 epsilon away.
TEST(Gjk, PatienceWhereNoStepIsShorter) {
  const double third = 0x1.279a74590331dp-1; // 1 / sqrt(3)
  const Cylinder a{{0x1.106dd37d1944cp-2, -2, 0x1.2df710eb5a6e4p-2}, {third, -third, third}, 0, 0};
  const Cylinder b{{0x1.4e8cd2cfd6a8ap-2, -0x1.69b949672fa2bp+0, 0x1.67858d2dbd2edp-4},
                   {third, third, -third},
                   0x1.f95c604de69e7p-2,
                   0x1.896a98393c507p-2};
  EXPECT_LT(gjk(ConvexView(a), ConvexView(b)).closest.distance, 16 * tolerance::epsilon * 2);
}

// Rounded to nearest instead of down, three lower bounds in ten are greater than what its axis proves.
TEST(Gjk, LowerBoundIsProvedByItsAxis) {
  test::for_each_seed(5'000, [](Source& source) {
    const Placed p = placed(source);
    const Triangle a = test::triangle(source);
    const Tetrahedron b = test::tetrahedron(source);
    const Cone c = test::cone(source);
    const auto at = [&](const Vec3& x) { return x * p.scale + p.offset; };
    const Triangle t{at(a.a), at(a.b), at(a.c)};
    const Tetrahedron u{at(b.a), at(b.b), at(b.c), at(b.d)};
    const Cone v{at(c.apex), c.axis, c.height * p.scale, c.radius * p.scale};
    EXPECT_TRUE(is_proved(t, u, gjk(ConvexView(t), ConvexView(u))));
    EXPECT_TRUE(is_proved(u, v, gjk(ConvexView(u), ConvexView(v))));
    EXPECT_TRUE(is_proved(t, v, gjk(ConvexView(t), ConvexView(v), 0)));
  });
}

// A segment far longer than the triangle it is apart from: directions far off prove the distance to the last bit, and say nothing of the points.
TEST(Gjk, AxisIsAlongTheLineBetweenThePoints) {
  test::for_each_seed(test::fewer_when_sanitized(20000), [](Source& source) {
    const double long_side = source.uniform(0, 0.02);
    const Segment segment{{-long_side, 1, 0}, {0, 1, 0}};
    const double small = std::ldexp(1.0, -source.index(40));
    const auto corner = [&] { return test::direction(source) * small; };
    const Vec3 p = corner();
    const Vec3 q = corner();
    const Vec3 r = corner();
    const Triangle triangle{p, q, r};
    const GjkResult found = gjk(ConvexView(segment), ConvexView(triangle));
    const Vec3 between = found.closest.on_b - found.closest.on_a;
    EXPECT_LE(length(between - found.axis * found.closest.distance), 32 * tolerance::epsilon);
  });
}

} // namespace
} // namespace carom
