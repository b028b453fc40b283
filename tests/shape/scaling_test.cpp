// What rounding and scaling make of each kind: the right set, and the same kind where that is possible.
#include "carom/shape/shape.h"

#include "carom/math/predicates.h"
#include "carom/math/tolerance.h"
#include "carom/verify/shape.h"
#include "tests/shape/precise_support.h"
#include "tests/support/generate_shape.h"
#include "tests/support/property.h"

#include <array>
#include <cmath>
#include <vector>

namespace carom {
namespace {

using test::Source;
using tolerance::epsilon;
using verify::PlacedShape;

template<class Core>
const Core& core(const Shape& shape) {
  return std::get<Core>(shape.core());
}

Vec3 factors(Source& source) {
  Vec3 f{test::positive(source), test::positive(source), test::positive(source)};
  if (source.chance(3)) f.x = f.y = f.z;
  for (int i = 0; i < 3; ++i) {
    if (source.chance(3)) f[i] = -f[i];
  }
  return f;
}

// ---- rounding ----

PROPERTY(ShapeRounded, ReachesFartherByTheRadius) {
  const Shape shape = test::bounded_shape(source);
  const double r = test::radius(source);
  const Shape round = shape.rounded(r).value();
  const test::Precise3 d = test::precise(test::direction(source));
  const test::Precise grown = test::precise_support(round, d) - test::precise_support(shape, d) -
                              test::precise(r) * test::length(d);
  // The two radii are added once, rounded.
  REQUIRE(std::fabs(grown.get_d()) <= epsilon * (shape.rounding() + r));
  REQUIRE(round.depth() == shape.depth());
  if (r == 0) REQUIRE(round == shape);
  const ShapeKind kind = shape.kind();
  const ShapeKind expected = r > 0 && kind == ShapeKind::point     ? ShapeKind::sphere
                             : r > 0 && kind == ShapeKind::segment ? ShapeKind::capsule
                                                                   : kind;
  REQUIRE(round.kind() == expected);
}

TEST(ShapeRounded, Radii) {
  const Shape ball = Shape::sphere(1).value();
  EXPECT_EQ(ball.rounded(0.5).value().rounding(), 1.5);
  EXPECT_EQ(ball.rounded(0.5).value().rounded(0.25).value().rounding(), 1.75);
  EXPECT_EQ(ball.rounding(), 1); // unchanged
  EXPECT_TRUE(ball.rounded(0).value() == ball);
  EXPECT_EQ(Shape::half_space({0, 0, 3}, 3).value().rounded(2).value().rounding(), 2);
  const auto huge = Shape::sphere(1e30).value().rounded(1e30);
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.error().code, ErrorCode::out_of_range);
}

// ---- scaling: the set ----

/// The support of the scaled set is that of the shape in the scaled direction.
void require_scaled(const Shape& shape, const Vec3& f, const Shape& scaled, const Vec3& d) {
  const test::Precise3 e = test::precise(d);
  const test::Precise reach = test::precise_support(shape, test::mul(test::precise(f), e));
  const double off = test::Precise(test::precise_support(scaled, e) - reach).get_d();
  // Products are rounded; a brush's corners are found anew, from rounded planes, as exact as they are thick.
  const double size = scaled.size() * length(d);
  test::note() << name_of(shape.kind()) << " to " << name_of(scaled.kind()) << " off by "
               << off / (epsilon * size) << " eps\n";
  REQUIRE(std::fabs(off) <= 8 * (1 + scaled.depth()) * epsilon * size);
}

void scaled_property(Source& source, ShapeKind kind) {
  const Shape shape = test::shape_of(source, kind);
  const Vec3 f = factors(source);
  const auto scaled = shape.scaled(f);
  ASSUME(scaled.has_value()); // coordinates below 1e-30 are refused
  for (int i = 0; i < 4; ++i) require_scaled(shape, f, *scaled, test::direction(source));
}

#define SCALED(name, kind)                                                                         \
  PROPERTY(ShapeScaled, name) { scaled_property(source, ShapeKind::kind); }
SCALED(Point, point)
SCALED(Segment, segment)
SCALED(Triangle, triangle)
SCALED(Sphere, sphere)
SCALED(Capsule, capsule)
SCALED(Box, box)
SCALED(Cylinder, cylinder)
SCALED(Cone, cone)
SCALED(TaperedCapsule, tapered_capsule)
SCALED(Ellipsoid, ellipsoid)
SCALED(Hull, hull)
SCALED(Sum, sum)
SCALED(HullOfTwo, hull_of_two)
SCALED(Custom, custom)
SCALED(Scaled, scaled)

// By powers of two every number stays exact: the half-spaces are the scaled ones.
PROPERTY(ShapeScaled, Brush) {
  const Shape shape = test::shape_of(source, ShapeKind::brush);
  Vec3 f;
  for (int i = 0; i < 3; ++i) {
    const double sign = source.chance(3) ? -1.0 : 1.0;
    f[i] = std::ldexp(sign, source.index(21) - 10);
  }
  ASSUME(shape.kind() == ShapeKind::brush);
  const auto made = shape.scaled(f);
  ASSUME(made.has_value());
  const Vec3 p = test::vec3(source) * 2;
  const double inside = verify::distance(p, PlacedShape{shape, {}});
  const double scaled = verify::distance(mul(p, f), PlacedShape{*made, {}});
  const double slack = 256 * epsilon * (shape.size() + max_abs(p)) * max_abs(f);
  const Vec3 a = abs(f);
  test::note() << "distances " << inside << " and " << scaled << '\n';
  REQUIRE(scaled <= inside * max_abs(f) + slack);
  REQUIRE(scaled >= inside * std::min({a.x, a.y, a.z}) - slack);
  if (shape.rounding() == 0) REQUIRE(made->kind() == ShapeKind::brush);
}

PROPERTY(ShapeScaled, HalfSpace) {
  const Shape shape = test::shape_of(source, ShapeKind::half_space);
  const Vec3 f = factors(source);
  const Shape scaled = shape.scaled(f).value();
  REQUIRE(scaled.kind() == ShapeKind::half_space);
  // A point d outside of the one, in the direction of the normal m that the other must have, is d |n| / |n / f| outside of the other.
  const Vec3 n = normalized(core<HalfSpace>(shape).normal);
  const Vec3 p = test::vec3(source);
  const Vec3 over{n.x / f.x, n.y / f.y, n.z / f.z};
  const double d = verify::distance(p, PlacedShape{shape, {}});
  const double e = verify::distance(mul(p, f), PlacedShape{scaled, {}});
  const double size = (shape.size() + length(p)) / length(over) + length(mul(p, f));
  test::note() << d / length(over) << " and " << e << " size " << size << '\n';
  REQUIRE(std::fabs(e - d / length(over)) <= 16 * epsilon * size);
}

// ---- scaling: the kind ----

ShapeKind kind_of(const Shape& shape, const Vec3& f) { return shape.scaled(f).value().kind(); }

TEST(ShapeScaled, RoundKindsStayWhereTheFactorsAllow) {
  const Shape ball = Shape::sphere(1.5, {1, 2, 3}).value();
  const Shape big = ball.scaled({2, 2, 2}).value();
  EXPECT_EQ(big.kind(), ShapeKind::sphere);
  EXPECT_EQ(big.rounding(), 3);
  EXPECT_EQ(core<Vec3>(big), (Vec3{2, 4, 6}));
  const Shape mirrored = ball.scaled({-2, 2, 2}).value();
  EXPECT_EQ(mirrored.kind(), ShapeKind::sphere);
  EXPECT_EQ(mirrored.rounding(), 3);
  EXPECT_EQ(core<Vec3>(mirrored), (Vec3{-2, 4, 6}));
  const Shape egg = ball.scaled({1, 2, -3}).value();
  EXPECT_EQ(egg.kind(), ShapeKind::ellipsoid);
  EXPECT_EQ(egg.rounding(), 0);
  EXPECT_EQ(core<Ellipsoid>(egg).radii, (Vec3{1.5, 3, 4.5}));
  EXPECT_EQ(core<Ellipsoid>(egg).center, (Vec3{1, 4, -9}));

  const Shape capsule = Shape::capsule({0, 0, -1}, {0, 0, 1}, 0.5).value();
  EXPECT_EQ(kind_of(capsule, {3, -3, 3}), ShapeKind::capsule);
  EXPECT_EQ(kind_of(capsule, {1, 1, 2}), ShapeKind::scaled);
  const Shape tapered = Shape::tapered_capsule({}, 1, {0, 0, 3}, 2).value();
  EXPECT_EQ(kind_of(tapered, {3, 3, 3}), ShapeKind::tapered_capsule);
  EXPECT_EQ(kind_of(tapered, {1, 1, 2}), ShapeKind::scaled);

  const Shape cylinder = Shape::cylinder(2, 1).value();
  const Shape tall = cylinder.scaled({-3, 3, 5}).value();
  EXPECT_EQ(tall.kind(), ShapeKind::cylinder);
  EXPECT_EQ(core<Cylinder>(tall).half_height, 10);
  EXPECT_EQ(core<Cylinder>(tall).radius, 3);
  EXPECT_EQ(kind_of(cylinder, {1, 2, 3}), ShapeKind::scaled);
  const Shape cone = Shape::cone(2, 1).value();
  const Shape hanging = cone.scaled({3, 3, -5}).value();
  EXPECT_EQ(hanging.kind(), ShapeKind::cone);
  EXPECT_EQ(core<Cone>(hanging).apex, (Vec3{0, 0, -10}));
  EXPECT_EQ(core<Cone>(hanging).base_center(), Vec3{});
  EXPECT_EQ(kind_of(cone, {1, 2, 3}), ShapeKind::scaled);
  EXPECT_EQ(kind_of(Shape::ellipsoid({1, 2, 3}).value(), {3, 2, -1}), ShapeKind::ellipsoid);
  EXPECT_EQ(kind_of(cylinder.rounded(1).value(), {2, 2, 2}), ShapeKind::cylinder);
  EXPECT_EQ(kind_of(cylinder.rounded(1).value(), {2, 2, 1}), ShapeKind::scaled);
}

TEST(ShapeScaled, FlatKindsAlwaysStay) {
  const Vec3 f{2, -3, 0.5};
  EXPECT_EQ(kind_of(Shape::point({1, 1, 1}).value(), f), ShapeKind::point);
  EXPECT_EQ(kind_of(Shape::segment({}, {1, 1, 1}).value(), f), ShapeKind::segment);
  EXPECT_EQ(kind_of(Shape::triangle({}, {1, 0, 0}, {0, 1, 1}).value(), f), ShapeKind::triangle);
  EXPECT_EQ(kind_of(Shape::box({1, 1, 1}).value(), f), ShapeKind::box);
  EXPECT_EQ(kind_of(Shape::half_space({1, 1, 1}, 1).value(), f), ShapeKind::half_space);
  EXPECT_EQ(kind_of(Shape::half_space({1, 1, 1}, 1).value().rounded(2).value(), f),
            ShapeKind::half_space);
}

TEST(ShapeScaled, ScalingsMerge) {
  const Shape leaning = Shape::of(Cylinder{{}, normalized(Vec3{1, 1, 0}), 1, 1}).value();
  const Shape once = leaning.scaled({1, 2, 3}).value();
  EXPECT_EQ(once.kind(), ShapeKind::scaled);
  EXPECT_EQ(once.depth(), 1);
  const Shape twice = once.scaled({2, 3, -1}).value();
  EXPECT_EQ(twice.kind(), ShapeKind::scaled);
  EXPECT_EQ(twice.depth(), 1);
  EXPECT_EQ(core<ScaledCore>(twice).factors, (Vec3{2, 6, -3}));
  EXPECT_TRUE(*core<ScaledCore>(twice).shape == leaning);
}

TEST(ShapeScaled, OutOfRange) {
  const auto refused = [](const Result<Shape>& r) {
    return !r && r.error().code == ErrorCode::out_of_range;
  };
  EXPECT_TRUE(refused(Shape::point({1e20, 0, 0}).value().scaled({1e20, 1, 1})));
  EXPECT_TRUE(refused(Shape::sphere(1e20).value().scaled({1e20, 1e20, 1e20})));
  EXPECT_TRUE(refused(Shape::sphere(1e-20).value().scaled({1e-20, 1, 1})));
  EXPECT_TRUE(refused(Shape::box({1e20, 1, 1}).value().scaled({1e20, 1, 1})));
  EXPECT_TRUE(refused(Shape::hull(std::array{Vec3{1e20, 0, 0}}).value().scaled({1e20, 1, 1})));
  EXPECT_TRUE(refused(Shape::cylinder(1, 1e20).value().scaled({1e20, 1e20, 1e20})));
  EXPECT_FALSE(refused(Shape::point({0, 0, 1}).value().scaled({1e30, 1e30, 1e-30})));
  // Also where the shape only gets a scaling around it.
  const Shape leaning = Shape::of(Cylinder{{}, normalized(Vec3{1, 1, 0}), 1e20, 1}).value();
  EXPECT_TRUE(refused(leaning.scaled({1e11, 1, 1})));
  EXPECT_TRUE(refused(leaning.scaled({1e5, 1, 1}).value().scaled({1e6, 1, 1})));
  EXPECT_FALSE(refused(leaning.scaled({1e9, 1, 1e29})));
}

// The faces of a mirrored hull are still counter-clockwise, and exact: no corner before any face, all corners of a face in its plane.
PROPERTY(ShapeScaled, HullsStayExact) {
  const Shape shape = test::shape_of(source, ShapeKind::hull);
  const auto scaled = shape.scaled(factors(source));
  ASSUME(scaled.has_value() && scaled->kind() == ShapeKind::hull);
  const ConvexHull& hull = core<Polytope>(*scaled).hull();
  for (std::size_t f = 0; f < hull.face_count() && hull.dimension == 3; ++f) {
    const auto c = hull.corners(f);
    const auto& v = hull.vertices;
    for (const Vec3& p : v) REQUIRE(orient3d(v[c[0]], v[c[1]], v[c[2]], p) <= 0);
    for (const auto i : c) REQUIRE(orient3d(v[c[0]], v[c[1]], v[c[2]], v[i]) == 0);
  }
}

// By powers of two nothing is rounded: the same faces.
PROPERTY(ShapeScaled, MirroredHullsKeepTheirFaces) {
  const Shape shape = test::shape_of(source, ShapeKind::hull);
  const double by = std::ldexp(1.0, source.index(5) - 2);
  const auto scaled = shape.scaled(Vec3{-by, by, by});
  ASSUME(scaled.has_value());
  const ConvexHull& a = core<Polytope>(shape).hull();
  const ConvexHull& b = core<Polytope>(*scaled).hull();
  REQUIRE(a.dimension == b.dimension);
  REQUIRE(a.vertices.size() == b.vertices.size());
  REQUIRE(a.face_count() == b.face_count());
  REQUIRE(a.origin.size() == b.origin.size());
  REQUIRE(scaled->rounding() == shape.rounding() * by);
}

} // namespace
} // namespace carom
