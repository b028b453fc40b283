// The box around a placed shape contains it, exactly, and is no larger than rounding makes it: against supports to a hundred digits.
#include "carom/shape/support.h"

#include "carom/math/tolerance.h"
#include "tests/shape/precise_support.h"
#include "tests/support/generate_shape.h"
#include "tests/support/property.h"

#include <cmath>

namespace carom {
namespace {

using test::Source;
using tolerance::epsilon;

/// All six reaches in units of epsilon times the size of shape and position: not negative, and not more than `most`.
void require_tight(const Shape& shape, const Pose& pose, double most) {
  const Frame frame = pose.frame();
  const Aabb box = bounds(shape, pose);
  for (int i = 0; i < 3; ++i) {
    const double unit = epsilon * (shape.size() + std::fabs(pose.position[i]));
    const test::Precise above = test::precise(box.max[i]) - test::precise_reach(shape, frame, i, 1);
    const test::Precise below =
        test::precise(-box.min[i]) - test::precise_reach(shape, frame, i, -1);
    test::note() << name_of(shape.kind()) << " depth " << shape.depth() << " rounding "
                 << shape.rounding() << " size " << shape.size() << " axis " << i << " slack "
                 << above.get_d() / unit << " and " << below.get_d() / unit << " eps\n";
    REQUIRE(above >= 0);
    REQUIRE(below >= 0);
    REQUIRE(above.get_d() <= most * unit);
    REQUIRE(below.get_d() <= most * unit);
  }
}

/// Twice eight epsilon of up to the root of 3 times the size: what is added, and what the computed reach may have erred by upward.
constexpr double turned = 32;

void bounds_property(Source& source, ShapeKind kind) {
  const double scale = test::scale(source);
  const Shape shape = test::ShapeGenerator(source, scale).of_kind(kind);
  require_tight(shape, test::shape_pose(source, scale), turned);
  require_tight(shape, {}, turned);
}

#define BOUNDS(name, kind)                                                                         \
  PROPERTY(ShapeBounds, name) { bounds_property(source, ShapeKind::kind); }
BOUNDS(Point, point)
BOUNDS(Segment, segment)
BOUNDS(Triangle, triangle)
BOUNDS(Sphere, sphere)
BOUNDS(Capsule, capsule)
BOUNDS(Box, box)
BOUNDS(Cylinder, cylinder)
BOUNDS(Cone, cone)
BOUNDS(TaperedCapsule, tapered_capsule)
BOUNDS(Ellipsoid, ellipsoid)
BOUNDS(Hull, hull)
BOUNDS(Brush, brush)
BOUNDS(Sum, sum)
BOUNDS(HullOfTwo, hull_of_two)
BOUNDS(Custom, custom)
BOUNDS(Scaled, scaled)

// Roundings add up from level to level.
PROPERTY(ShapeBounds, DeeplyNested) {
  if (!source.chance(8)) return; // slow
  const double scale = test::scale(source);
  const Shape shape = test::ShapeGenerator(source, scale).tower(Shape::max_depth);
  require_tight(shape, test::shape_pose(source, scale), turned);
}

// What needs no rounding gets none.
TEST(ShapeBounds, ExactWhereUnturned) {
  const Shape cube = Shape::box({1, 2, 3}).value();
  const Aabb box = bounds(cube, Pose::at({10, 20, 30}));
  EXPECT_EQ(box.min, (Vec3{9, 18, 27}));
  EXPECT_EQ(box.max, (Vec3{11, 22, 33}));
  const Shape triangle = Shape::triangle({0.1, 0, 0}, {0, 0.3, 0}, {0, 0, -0.7}).value();
  EXPECT_EQ(bounds(triangle).min, (Vec3{0, 0, -0.7}));
  EXPECT_EQ(bounds(triangle).max, (Vec3{0.1, 0.3, 0}));
  const Shape ball = Shape::sphere(0.5, {1, 2, 3}).value();
  EXPECT_EQ(bounds(ball).min, (Vec3{0.5, 1.5, 2.5}));
  EXPECT_EQ(bounds(ball).max, (Vec3{1.5, 2.5, 3.5}));
}

// Corners as given, in an unturned pose: the sum rounded up, not a bit more.
PROPERTY(ShapeBounds, HullsAreTightToTheLastBit) {
  const double scale = test::scale(source);
  const Shape shape = test::ShapeGenerator(source, scale).of_kind(ShapeKind::hull);
  ASSUME(shape.rounding() == 0);
  const Pose pose = Pose::at(test::shape_pose(source, scale).position);
  const Aabb box = bounds(shape, pose);
  for (int i = 0; i < 3; ++i) {
    const test::Precise top = test::precise_reach(shape, pose.frame(), i, 1);
    const test::Precise bottom = -test::precise_reach(shape, pose.frame(), i, -1);
    REQUIRE(test::precise(box.max[i]) >= top);
    REQUIRE(test::precise(std::nextafter(box.max[i], -INFINITY)) < top);
    REQUIRE(test::precise(box.min[i]) <= bottom);
    REQUIRE(test::precise(std::nextafter(box.min[i], INFINITY)) > bottom);
  }
}

// Straight out of its border a half-space ends; every other way it reaches to infinity.
TEST(ShapeBounds, HalfSpaces) {
  const double inf = INFINITY;
  const Shape ground = Shape::half_space({0, 0, 2}, 6).value();
  Aabb box = bounds(ground);
  EXPECT_EQ(box.min, (Vec3{-inf, -inf, -inf}));
  EXPECT_EQ(box.max.x, inf);
  EXPECT_EQ(box.max.y, inf);
  EXPECT_GE(box.max.z, 3);
  EXPECT_LE(box.max.z, 3 * (1 + 32 * epsilon));

  box = bounds(ground.rounded(0.5).value(), Pose::at({1, 2, 10}));
  EXPECT_EQ(box.min.z, -inf);
  EXPECT_GE(box.max.z, 13.5);
  EXPECT_LE(box.max.z, 13.5 * (1 + 32 * epsilon));

  // A half turn is exact: now it is a ceiling.
  box = bounds(ground, Pose{{1, 0, 0, 0}, {}});
  EXPECT_EQ(box.max, (Vec3{inf, inf, inf}));
  EXPECT_LE(box.min.z, -3);
  EXPECT_GE(box.min.z, -3 * (1 + 32 * epsilon));

  box = bounds(Shape::half_space({1, 1, 0}, 0).value());
  EXPECT_EQ(box.min, (Vec3{-inf, -inf, -inf}));
  EXPECT_EQ(box.max, (Vec3{inf, inf, inf}));
}

TEST(ShapeBounds, NotFinitePosesDoNoHarm) {
  const Shape cube = Shape::box({1, 2, 3}).value();
  (void)bounds(cube, Pose::at({NAN, INFINITY, 0}));
  const Aabb box = bounds(cube, Pose{{NAN, 0, 0, 0}, {}}); // no rotation
  EXPECT_EQ(box.max, (Vec3{1, 2, 3}));
}

} // namespace
} // namespace carom
