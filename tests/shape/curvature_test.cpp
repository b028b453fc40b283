// The support function to second order: against differences of support points, closed forms, and the floor against the function itself.
#include "carom/shape/curvature.h"

#include "carom/math/tolerance.h"
#include "carom/shape/support.h"
#include "tests/support/generate_shape.h"
#include "tests/support/property.h"

#include <algorithm>

namespace carom {
namespace {

using test::Source;

Shape curved_shape(Source& source, int index) {
  static constexpr ShapeKind kinds[] = {
      ShapeKind::cylinder, ShapeKind::cone,        ShapeKind::ellipsoid, ShapeKind::tapered_capsule,
      ShapeKind::sum,      ShapeKind::hull_of_two, ShapeKind::scaled,    ShapeKind::box};
  return test::ShapeGenerator(source, 1).of_kind(kinds[index % 8]);
}

bool has_custom(const Shape& s) {
  if (s.kind() == ShapeKind::custom) return true;
  if (const auto* c = std::get_if<SumCore>(&s.core()))
    return has_custom(*c->a) || has_custom(*c->b);
  if (const auto* c = std::get_if<HullOfTwoCore>(&s.core()))
    return has_custom(*c->a) || has_custom(*c->b);
  if (const auto* c = std::get_if<ScaledCore>(&s.core())) return has_custom(*c->shape);
  return false;
}

double greatest(const Mat3& m) { return std::max({max_abs(m.x), max_abs(m.y), max_abs(m.z)}); }

double core_height(const Shape& s, const Vec3& y) { return dot(s.core_support()(y), y); }

// The point is as far along n as the support mapping's, to a few roundings of the size.
TEST(CurvedSupport, PointsAreFarthest) {
  test::for_each_seed(test::fewer_when_sanitized(8000), [](Source& source) {
    const int index = source.index(8);
    const Shape s = curved_shape(source, index);
    const Vec3 n = test::direction(source);
    const CurvedSupport c = curved_support(s.core(), n);
    EXPECT_NEAR(dot(c.point, n), core_height(s, n), 32 * tolerance::epsilon * s.size())
        << name_of(s.kind());
  });
}

// Where the piece is the same on both sides, the point moves as the second derivative says: by central differences, whose error is the square of the step
// times the third derivative, which is at most the second over the angle in which it changes.
TEST(CurvedSupport, HessiansAreDifferencesOfPoints) {
  int compared = 0;
  test::for_each_seed(test::fewer_when_sanitized(8000), [&](Source& source) {
    const int index = source.index(8);
    const Shape s = curved_shape(source, index);
    const Vec3 roughly = test::direction(source); // often along an axis, and so on a kink
    const Vec3 beside{source.uniform(-0.1, 0.1), source.uniform(-0.1, 0.1),
                      source.uniform(-0.1, 0.1)};
    const Vec3 n = normalized(roughly + beside);
    const Vec3 across = test::direction(source);
    const Vec3 x = normalized_or(cross(n, across), Vec3{}) * 1e-4;
    const CurvedSupport c = curved_support(s.core(), n);
    const Vec3 moved = c.hessian * x;
    // Far from kinks and needles: the neighbours agree on the second derivative.
    const CurvedSupport ahead = curved_support(s.core(), normalized(n + x));
    const CurvedSupport behind = curved_support(s.core(), normalized(n - x));
    const double change =
        greatest(ahead.hessian - c.hessian) + greatest(c.hessian - behind.hessian);
    if (has_custom(s) || change > 1e-2 * greatest(c.hessian)) return;
    const Vec3 straight = ahead.point + behind.point - c.point * 2;
    if (max_abs(straight) > 1e-2 * max_abs(moved) + 1e-12 * s.size()) return; // another piece
    const Vec3 difference = (ahead.point - behind.point) / 2;
    if (max_abs(difference) > 1e-2 * s.size()) return; // n is on a kink
    ++compared;
    EXPECT_LE(max_abs(difference - moved), 1e-2 * max_abs(moved) + 1e-12 * s.size())
        << name_of(s.kind());
  });
  EXPECT_GT(compared, test::fewer_when_sanitized(8000) / 4);
}

TEST(CurvedSupport, ClosedForms) {
  const double r = 0.5;
  // A cylinder from its side: curved around the axis by its radius, not along it.
  const Shape cylinder = Shape::cylinder(2, r).value();
  const CurvedSupport side = curved_support(cylinder.core(), {1, 0, 0});
  EXPECT_EQ(side.hessian * Vec3({0, 1, 0}), Vec3({0, r, 0}));
  EXPECT_EQ(side.hessian * Vec3({0, 0, 1}), Vec3({0, 0, 0}));
  // From 60 degrees above: the rim is seen half as far across, and is twice as curved.
  const CurvedSupport rim = curved_support(cylinder.core(), {0.5, 0, std::sqrt(0.75)});
  EXPECT_NEAR((rim.hessian * Vec3{0, 1, 0}).y, 2 * r, 1e-15);
  // Along the axis: a kink, and the middle of the cap.
  const CurvedSupport cap = curved_support(cylinder.core(), {0, 0, 1});
  EXPECT_EQ(cap.point, Vec3({0, 0, 2}));
  EXPECT_EQ(cap.hessian, Mat3::zero());
  // An ellipsoid along its axis: b^2 / a and c^2 / a.
  const Shape ellipsoid = Shape::ellipsoid({2, 3, 5}).value();
  const CurvedSupport tip = curved_support(ellipsoid.core(), {1, 0, 0});
  EXPECT_NEAR((tip.hessian * Vec3{0, 1, 0}).y, 4.5, 1e-15);
  EXPECT_NEAR((tip.hessian * Vec3{0, 0, 1}).z, 12.5, 1e-14);
  // The same as a scaled sum of a point and a ball.
  const Shape ball = Shape::sum(Shape::point({}).value(), Shape::sphere(1).value()).value();
  const Shape scaled = ball.scaled({2, 3, 5}).value();
  const CurvedSupport again = curved_support(scaled.core(), {1, 0, 0});
  EXPECT_NEAR((again.hessian * Vec3{0, 1, 0}).y, 4.5, 1e-14);
  EXPECT_NEAR((again.hessian * Vec3{0, 0, 1}).z, 12.5, 1e-14);
}

double floor_at(const CurvatureFloor& f, const Vec3& p, const Vec3& n, const Vec3& x) {
  const Vec3 y = n + x;
  // |y| - 1 without cancellation.
  const double rise = dot(x, x) / (length(y) + 1);
  return dot(p, y) + f.ball * rise - 0.5 * dot(x, f.lost * x) + 0.5 * dot(x, f.bowl * x);
}

// No direction within reach is below the floor. That is what proofs rest on, so it is tried with all shapes, reaches and directions.
TEST(CurvatureFloor, IsNeverAboveTheSupportFunction) {
  test::for_each_seed(test::fewer_when_sanitized(10000), [](Source& source) {
    const int index = source.index(8);
    const Shape s = curved_shape(source, index);
    Vec3 n = test::direction(source);
    if (source.chance(4)) n = unit_axis(source.index(3));
    const double reach = std::ldexp(4.0, -source.index(24));
    const CurvedSupport c = curved_support(s.core(), n);
    const Exact exact = source.index(2) == 0 ? Exact::along_most_curved : Exact::along_least_curved;
    const CurvatureFloor f = curvature_floor(s.core(), n, reach, exact);
    for (int i = 0; i < 4; ++i) {
      const double share = i == 0 ? 1.0 : source.unit();
      const Vec3 aside = test::direction(source);
      const Vec3 x = normalized_or(cross(n, aside), Vec3{}) * (reach * share);
      const double height = core_height(s, n + x);
      EXPECT_LE(floor_at(f, c.point, n, x) - height,
                64 * tolerance::epsilon * s.size() * (1 + reach))
          << name_of(s.kind()) << ", reach " << reach;
    }
  });
}

// Of a ball, and of a cylinder from its side around the axis, it is the function itself; near n it always is, to second order.
TEST(CurvatureFloor, LosesLittle) {
  const Shape ball = Shape::ellipsoid({2, 2, 2}).value();
  const Vec3 n{1, 0, 0};
  const Vec3 x{0, 0.3, 0.4};
  const CurvatureFloor f = curvature_floor(ball.core(), n, 4);
  EXPECT_NEAR(floor_at(f, n * 2, n, x), 2 * length(n + x), 1e-14);
  const Shape cylinder = Shape::cylinder(3, 2).value();
  const CurvatureFloor g = curvature_floor(cylinder.core(), n, 4);
  const Vec3 around{0, 0.5, 0};
  EXPECT_NEAR(floor_at(g, n * 2, n, around), 2 * length(n + around), 1e-14);
  test::for_each_seed(2000, [](Source& source) {
    const Vec3 radii{source.uniform(0.5, 2), source.uniform(0.5, 2), source.uniform(0.5, 2)};
    const Shape s = Shape::ellipsoid(radii).value();
    const Vec3 m = test::direction(source);
    const Vec3 aside = test::direction(source);
    constexpr double reach = 1e-3;
    const Vec3 step = normalized_or(cross(m, aside), Vec3{}) * reach;
    const CurvedSupport c = curved_support(s.core(), m);
    const double rise = core_height(s, m + step) - dot(c.point, m + step);
    const double lost =
        core_height(s, m + step) - floor_at(curvature_floor(s.core(), m, reach), c.point, m, step);
    EXPECT_LE(lost, 0.02 * rise + 1e-15); // the third order: a few times the reach; and rounding
  });
}

} // namespace
} // namespace carom
