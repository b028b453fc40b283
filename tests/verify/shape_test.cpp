// The checker's view of shapes is checked: its distances against its supports, which share no formula; its search against the formulas.
#include "carom/verify/shape.h"

#include "carom/math/tolerance.h"
#include "carom/verify/check.h"
#include "carom/verify/support_distance.h"
#include "tests/shape/precise_support.h"
#include "tests/support/generate_shape.h"
#include "tests/support/property.h"

#include <cmath>

namespace carom {
namespace {

using test::Source;
using tolerance::epsilon;
using verify::PlacedShape;

/// The distance by nothing but the supports: the widest empty slab between p and the set. The direction is found by the search, which is independent of the
/// formulas for the distance; the slab's width by the support is a proof.
double slab(const Vec3& p, const PlacedShape& placed, const Vec3& d) {
  return (dot(d, p) - verify::support(placed, d)) / length(d);
}

/// The direction from the nearest point of the set to p: the gradient of the distance.
Vec3 away_from(const PlacedShape& placed, const Vec3& p, double step) {
  Vec3 g;
  for (int i = 0; i < 3; ++i) {
    const Vec3 e = unit_axis(i) * step;
    g[i] = verify::distance(p + e, placed) - verify::distance(p - e, placed);
  }
  return normalized(g);
}

// For any direction the slab is at most as wide as the distance, and for that of the gradient as wide, to the differences' error.
void dual_property(Source& source, ShapeKind kind) {
  const Shape shape = test::shape_of(source, kind);
  const PlacedShape placed{shape, test::pose(source)};
  const Vec3 p = test::vec3(source) * 4;
  const double distance = verify::distance(p, placed);
  const double size = shape.size() + max_abs(placed.pose.position) + max_abs(p);
  test::note() << name_of(shape.kind()) << " depth " << shape.depth() << " distance " << distance
               << '\n';
  REQUIRE(std::isfinite(distance));
  const double step = 1e-6;
  const Vec3 best = away_from(placed, p, step);
  const double slack = test::rounding_of(shape) + 8 * epsilon * size;
  for (int i = 0; i < 8; ++i) {
    const Vec3 side = test::vec3(source);
    const Vec3 d = normalized(best + side * std::ldexp(1.0, 2 - source.index(24)));
    REQUIRE(slab(p, placed, d) <= distance + slack);
  }
  if (distance > 100 * step) {
    const double turn = 4 * step / distance + 64 * epsilon * size / step;
    REQUIRE(slab(p, placed, best) >= distance - turn * size);
  }
}

#define DUAL(name, kind)                                                                           \
  PROPERTY(VerifyShape, name) { dual_property(source, ShapeKind::kind); }
DUAL(Point, point)
DUAL(Segment, segment)
DUAL(Triangle, triangle)
DUAL(Sphere, sphere)
DUAL(Capsule, capsule)
DUAL(Box, box)
DUAL(Cylinder, cylinder)
DUAL(Cone, cone)
DUAL(TaperedCapsule, tapered_capsule)
DUAL(Ellipsoid, ellipsoid)
DUAL(Hull, hull)
DUAL(Brush, brush)
DUAL(Sum, sum)
DUAL(HullOfTwo, hull_of_two)
DUAL(Custom, custom)
DUAL(Scaled, scaled)

// Placed far away, turned by a quaternion of any length: the reach to a hundred digits.
PROPERTY(VerifyShape, SupportOfPlacedShapes) {
  const double scale = test::scale(source);
  const Shape shape = test::ShapeGenerator(source, scale).bounded();
  const PlacedShape placed{shape, test::shape_pose(source, scale)};
  const Frame frame = placed.pose.frame();
  const Vec3 d = test::direction(source);
  const test::Precise3 e = test::precise(d);
  const test::Precise reach = test::precise_support(shape, test::transpose_mul(frame.basis, e)) +
                              test::dot(test::precise(frame.origin), e);
  const double off = test::Precise(reach - test::precise(verify::support(placed, d))).get_d();
  test::note() << name_of(shape.kind()) << " off by " << off << '\n';
  REQUIRE(std::fabs(off) <= test::rounding_of(shape) + 8 * epsilon * length(frame.origin));
}

// Corners of a placed hull are in it, and a step out of it along the normal of a face is as far outside as the step is long.
PROPERTY(VerifyShape, DistanceOfPlacedHulls) {
  const double scale = test::scale(source);
  const Shape shape = test::ShapeGenerator(source, scale).of_kind(ShapeKind::hull);
  const ConvexHull& hull = std::get<Polytope>(shape.core()).hull();
  const PlacedShape placed{shape, test::shape_pose(source, scale)};
  const Frame frame = placed.pose.frame();
  const double tolerance = 8 * epsilon * (shape.size() + length(frame.origin));
  for (const Vec3& v : hull.vertices) {
    REQUIRE(verify::distance(frame.to_world(v), placed) <= tolerance);
  }
  ASSUME(hull.dimension >= 2);
  const auto c =
      hull.corners(static_cast<std::size_t>(source.index(static_cast<int>(hull.face_count()))));
  const Triangle t{hull.vertices[c[0]], hull.vertices[c[1]], hull.vertices[c[2]]};
  // A sliver has no normal in doubles.
  const Vec3 u = t.b - t.a, v = t.c - t.a;
  ASSUME(length(t.normal()) > 1e-3 * length(u) * length(v));
  const Vec3 n = normalized(t.normal());
  const double step = scale * test::positive(source);
  const Vec3 p = lerp(lerp(t.a, t.b, 0.5), t.c, 0.25) + n * (step + shape.rounding());
  const double off = verify::distance(frame.to_world(p), placed) - step;
  test::note() << "step " << step << " off by " << off << '\n';
  // The computed normal turns by 1e3 roundings, at most as far away as the step.
  REQUIRE(std::fabs(off) <= tolerance * 4 + 1e4 * epsilon * (step + shape.rounding()));
}

// The search agrees with itself: it proves its answer by a slab of the same width.
PROPERTY(VerifyShape, SearchProvesItsAnswer) {
  const double scale = test::scale(source);
  const Cylinder c = test::cylinder(source);
  const Vec3 stretch{test::positive(source), test::positive(source), test::positive(source)};
  const auto farthest = [&](const Vec3& d) {
    const Vec3 e = mul(d, stretch) / max_abs(mul(d, stretch));
    const Vec3 rim = normalized_or(cross(cross(c.axis, e), c.axis), {}) * c.radius;
    const double height = dot(c.axis, e) < 0 ? -c.half_height : c.half_height;
    return mul(c.center + c.axis * height + rim, stretch) * scale;
  };
  const Vec3 p = test::vec3(source) * (2 * scale);
  const verify::DistanceBounds found = verify::support_distance(p, farthest);
  const double size =
      std::max({max_abs(p), max_abs(farthest({1, 0, 0})), max_abs(farthest({-1, 0, 0})),
                max_abs(farthest({0, 1, 0})), max_abs(farthest({0, -1, 0})),
                max_abs(farthest({0, 0, 1})), max_abs(farthest({0, 0, -1}))});
  test::note() << found.lower << " to " << found.upper << " in " << found.steps << " steps\n";
  REQUIRE(found.upper >= found.lower);
  REQUIRE(found.upper - found.lower <= 2 * epsilon * size);
  REQUIRE(found.steps < 500);
}

// And with the formulas, where there are some: a set is its own hull with itself.
PROPERTY(VerifyShape, SearchAgreesWithFormulas) {
  const double scale = test::scale(source);
  const Shape shape = test::ShapeGenerator(source, scale).bounded(0);
  const Shape hull = Shape::hull_of_two(shape, shape).value();
  const PlacedShape direct{shape, test::shape_pose(source, scale)};
  const PlacedShape searched{hull, direct.pose};
  const Vec3 p = direct.pose.frame().to_world(test::vec3(source) * (2 * scale));
  const double a = verify::distance(p, direct), b = verify::distance(p, searched);
  const double size = shape.size() + max_abs(p) + max_abs(direct.pose.position);
  test::note() << name_of(shape.kind()) << ' ' << a << " and " << b << ", off by "
               << (a - b) / (epsilon * size) << " eps\n";
  REQUIRE(std::fabs(a - b) <= test::rounding_of(shape) + 8 * epsilon * size);
}

TEST(VerifyShape, HalfSpaces) {
  const Shape ground = Shape::half_space({0, 0, 4}, 8).value();
  const PlacedShape placed{ground, Pose::at({1, 2, 3})};
  EXPECT_EQ(verify::support(placed, {0, 0, 1}), 5);
  EXPECT_EQ(verify::support(placed, {0, 0, 0.5}), 2.5);
  EXPECT_EQ(verify::support(placed, {0, 0, -1}), INFINITY);
  EXPECT_EQ(verify::support(placed, {0, 1e-9, 1}), INFINITY);
  EXPECT_EQ(verify::distance({9, 9, 5}, placed), 0);
  EXPECT_EQ(verify::distance({9, 9, 7}, placed), 2);
  EXPECT_EQ(verify::distance({9, 9, -70}, placed), 0);
  EXPECT_EQ(verify::extent(placed), INFINITY);
  const PlacedShape rounded{ground.rounded(0.5).value(), placed.pose};
  EXPECT_EQ(verify::support(rounded, {0, 0, 1}), 5.5);
  EXPECT_EQ(verify::distance({9, 9, 7}, rounded), 1.5);
}

// Its border seen along its own normal, in any pose.
PROPERTY(VerifyShape, HalfSpacesInAnyPose) {
  const Shape shape = test::shape_of(source, ShapeKind::half_space);
  const PlacedShape placed{shape, test::shape_pose(source)};
  const Frame frame = placed.pose.frame();
  const HalfSpace& h = std::get<HalfSpace>(shape.core());
  const Vec3 n = normalized(frame.direction_to_world(h.normal));
  const double step = test::positive(source);
  const Vec3 border = h.normal * (h.offset / length_squared(h.normal));
  const Vec3 p = frame.to_world(border) + n * (step + shape.rounding());
  const double tolerance = 16 * epsilon * (shape.size() + length(p) + length(frame.origin));
  REQUIRE(std::fabs(verify::distance(p, placed) - step) <= tolerance);
  REQUIRE(std::fabs(dot(n, p) - verify::support(placed, n) - step) <= tolerance);
}

TEST(VerifyShape, Extent) {
  const Shape box = Shape::box({1, 2, 3}).value();
  EXPECT_EQ(verify::extent(PlacedShape{box, {}}), 3);
  EXPECT_EQ(verify::extent(PlacedShape{box, Pose::at({-5, 0, 0})}), 6);
}

TEST(VerifyShape, TaperedCapsules) {
  // The side leans by 30 degrees: sine 1/2.
  const Shape shape = Shape::tapered_capsule({0, 0, 0}, 3, {0, 0, 4}, 1).value();
  const PlacedShape placed{shape, {}};
  const double cosine = std::sqrt(0.75);
  const Vec3 outward{cosine, 0, 0.5};
  const Vec3 on_side = outward * 2 + Vec3{0, 0, 2};
  EXPECT_NEAR(verify::distance(on_side + outward * 1.5, placed), 1.5, 8 * epsilon);
  EXPECT_NEAR(verify::distance({0, 0, 7}, placed), 2, 8 * epsilon);
  EXPECT_NEAR(verify::distance({0, 0, -5}, placed), 2, 8 * epsilon);
  EXPECT_EQ(verify::distance(on_side - outward * 0.5, placed), 0);
  EXPECT_NEAR(verify::support(placed, outward), 3, 8 * epsilon);
}

PROPERTY(VerifyShape, NotANumberIsNoAnswer) {
  const Shape shape = test::shape(source);
  Vec3 odd;
  odd[source.index(3)] = source.index(2) ? NAN : INFINITY;
  REQUIRE(!(verify::distance(odd, PlacedShape{shape, {}}) <= 1e300));
  REQUIRE(!(verify::distance({}, PlacedShape{shape, Pose::at(odd)}) <= 1e300));
  REQUIRE(!(verify::support(PlacedShape{shape, {}}, odd) <= 1e300));
}

} // namespace
} // namespace carom
