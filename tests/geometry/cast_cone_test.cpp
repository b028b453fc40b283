#include "carom/geometry/cast_cone.h"

#include "tests/geometry/cast_cases.h"

namespace carom {
namespace {

using test::expect_casts;
using test::Source;

TEST(CastCone, Cylinder) {
  expect_casts(20'000, 64, [](Source& s) { return test::cylinder(s); });
}
TEST(CastCone, Cone) {
  expect_casts(20'000, 64, [](Source& s) { return test::cone(s); });
}
TEST(CastCone, Frustum) {
  expect_casts(20'000, 64, [](Source& s) { return test::cone_frustum(s); });
}

constexpr Cylinder can{{0, 0, 0}, {0, 0, 1}, 1, 1}; // z from -1 to 1

TEST(CastCone, CylinderCapFromPSide) {
  // Outside the near cap's plane, and outside the wall: slanting in through the cap.
  const Cast c = cast(Segment{{1.5, 0, -2}, {-0.5, 0, 0}}, can);
  ASSERT_TRUE(c);
  EXPECT_EQ(c.t, 0.5);
  EXPECT_EQ(c.point, (Vec3{0.5, 0, -1}));
  EXPECT_EQ(c.normal, (Vec3{0, 0, -1}));
}

TEST(CastCone, CylinderStartInside) {
  EXPECT_TRUE(cast(Ray{{0.5, 0, 0}, {1, 0, 0}}, can).inside);
  EXPECT_TRUE(cast(Segment{{0, 0, 0}, {0, 0, 0.5}}, can).inside);
  EXPECT_TRUE(cast(Segment{{0, 0, 0}, {5, 0, 5}}, can).inside);
}

TEST(CastCone, CylinderParallelToAxis) {
  EXPECT_EQ(cast(Ray{{0.5, 0, -3}, {0, 0, 1}}, can).t, 2);
  EXPECT_EQ(cast(Ray{{1, 0, -3}, {0, 0, 1}}, can).t, 2); // along the wall
  EXPECT_FALSE(cast(Ray{{1.25, 0, -3}, {0, 0, 1}}, can));
  EXPECT_FALSE(cast(Ray{{0.5, 0, 3}, {0, 0, 1}}, can));
}

TEST(CastCone, CylinderCapTChecked) {
  EXPECT_FALSE(cast(Segment{{0, 0, -3}, {0, 0, -1.5}}, can));
  EXPECT_FALSE(cast(Segment{{0.5, 0, -3}, {0.4, 0, -2}}, can));
  EXPECT_TRUE(cast(Segment{{0, 0, -3}, {0, 0, -1}}, can));
  EXPECT_FALSE(cast(Ray{{0, 0, -3}, {0, 0, 1}}, can, 1.5));
}

TEST(CastCone, CylinderTangent) {
  const Cast c = cast(Ray{{-2, 1, 0}, {1, 0, 0}}, can);
  ASSERT_TRUE(c);
  EXPECT_EQ(c.t, 2);
  EXPECT_EQ(c.normal, (Vec3{0, 1, 0}));
}

TEST(CastCone, OtherHalfOfTheDoubleConeIsNotThere) {
  const Cone cone{{0, 0, 0}, {0, 0, 1}, 1, 1};
  EXPECT_FALSE(cast(Line{{-3, 0, -0.5}, {1, 0, 0}}, cone));
  EXPECT_FALSE(cast(Segment{{0, 0, -2}, {0, 0, -0.5}}, cone));
  EXPECT_EQ(cast(Ray{{0, 0, -2}, {0, 0, 1}}, cone).t, 2);         // along the axis, at the apex
  EXPECT_EQ(cast(Ray{{-1, 0, -1}, {1, 0, 1}}, cone).t, 1);        // along a side
  EXPECT_EQ(cast(Ray{{-2, 0, 0}, {1, 0, 0}}, cone).t, 2);         // touching the apex
  EXPECT_EQ(cast(Ray{{0.5, 0, 3}, {0, 0, -1}}, cone).t, 2);       // through the base
  EXPECT_EQ(clip(Line{{0.5, 0, 3}, {0, 0, -1}}, cone).exit, 2.5); // and out through the side
}

} // namespace
} // namespace carom
