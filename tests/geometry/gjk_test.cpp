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
  RC_ASSERT(std::fabs(dot(p, d) - verify::support(set, d)) <= 4 * tolerance::epsilon * size);
  RC_ASSERT(verify::distance(p, set) <= 4 * tolerance::epsilon * size);
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

// The truth lies between the bounds, each proved by itself, and they are close.
template<class A, class B>
void expect_bracket(Source& source, A (*make_a)(Source&), B (*make_b)(Source&),
                    int most_iterations) {
  const A a = make_a(source);
  const B b = make_b(source);
  const double rounding = 16 * tolerance::epsilon * 16;
  const GjkResult r = gjk(ConvexView(a), ConvexView(b));
  RC_ASSERT(r.iterations <= most_iterations);
  RC_ASSERT(verify::distance(r.closest.on_a, a) <= rounding);
  RC_ASSERT(verify::distance(r.closest.on_b, b) <= rounding);
  RC_ASSERT(std::fabs(length(r.closest.on_b - r.closest.on_a) - r.closest.distance) <= rounding);
  RC_ASSERT(r.lower_bound == 0 || verify::gap(a, b, r.axis) >= r.lower_bound - rounding);
  RC_ASSERT(r.lower_bound >= r.closest.distance - slack);
  const auto verdict = verify::check_overlap(a, b, overlap(ConvexView(a), ConvexView(b)), slack);
  if (!verdict) RC_FAIL(verdict.why);
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
