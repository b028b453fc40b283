#include "carom/geometry/gjk.h"

#include "carom/geometry/support.h"
#include "carom/math/tolerance.h"
#include "carom/verify/check.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

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

// The truth lies between the bounds, each proved by itself, and they are close.
template<class A, class B>
void expect_bracket(const A& a, const B& b, double slack, int most_iterations) {
  const double rounding = 16 * tolerance::epsilon * 16;
  const GjkResult r = gjk(ConvexView(a), ConvexView(b));
  REQUIRE(r.iterations <= most_iterations);
  REQUIRE(verify::distance(r.closest.on_a, a) <= rounding);
  REQUIRE(verify::distance(r.closest.on_b, b) <= rounding);
  REQUIRE(std::fabs(length(r.closest.on_b - r.closest.on_a) - r.closest.distance) <= rounding);
  REQUIRE(r.lower_bound == 0 || verify::gap(a, b, r.axis) >= r.lower_bound - rounding);
  REQUIRE(r.lower_bound >= r.closest.distance - slack);
  const auto verdict = verify::check_overlap(a, b, overlap(ConvexView(a), ConvexView(b)), slack);
  test::note() << verdict.why << "\n";
  REQUIRE(verdict.ok);
}

// Size 16 covers the sets; the two bounds stop 8 epsilon of the greatest coordinate apart.
constexpr double slack = 16 * tolerance::epsilon * 16;

PROPERTY(Gjk, PolytopesToRounding) {
  expect_bracket(test::triangle(source), test::tetrahedron(source), slack, 24);
  expect_bracket(test::obb(source), test::aabb(source), slack, 24);
  expect_bracket(test::obb(source), test::segment(source), slack, 24);
  expect_bracket(test::view_frustum(source), test::obb(source), slack, 24);
  expect_bracket(test::triangle(source), test::rectangle(source), slack, 24);
}

PROPERTY(Gjk, CurvedSets) {
  expect_bracket(test::cylinder(source), test::cone(source), slack, 160);
  expect_bracket(test::cylinder(source), test::obb(source), slack, 160);
  expect_bracket(test::cone(source), test::triangle(source), slack, 160);
  expect_bracket(test::ellipsoid(source), test::cylinder(source), slack, 160);
  expect_bracket(test::capsule(source), test::cone(source), slack, 160);
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

} // namespace
} // namespace carom
