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

// The truth lies between the bounds, each proved by itself, and they are close.
template<class A, class B>
void expect_bracket(const A& a, const B& b, double slack, int most_iterations) {
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

} // namespace
} // namespace carom
