// Cases of the overlap tests that have gone wrong in print or in other libraries, by name.
#include "carom/geometry/overlap.h"
#include "carom/geometry/sweep_sphere.h"
#include "carom/verify/check.h"

#include <gtest/gtest.h>

namespace carom {
namespace {

template<class A, class B>
void expect(const A& a, const B& b, bool hit) {
  const Overlap o = overlap(a, b);
  EXPECT_EQ(o.hit, hit);
  EXPECT_TRUE(verify::check_overlap(a, b, o, 1e-14).ok)
      << verify::check_overlap(a, b, o, 1e-14).why;
}

// The direction in which the base reaches farthest toward the plane is undefined where the axis is parallel to the normal.
TEST(OverlapNamed, ConeWithItsAxisParallelToThePlanesNormal) {
  const Cone up{{0, 0, 1}, {0, 0, 1}, 2, 1}, down{{0, 0, 1}, {0, 0, -1}, 2, 1};
  const HalfSpace ground{{0, 0, 1}, 0};
  expect(up, ground, false);
  expect(down, ground, true);
  expect(Cone{{0, 0, 0}, {0, 0, 1}, 2, 1}, ground, true);  // the apex touches
  expect(Cone{{0, 0, 2}, {0, 0, -1}, 2, 1}, ground, true); // the base lies on it
  expect(up, Plane{{0, 0, 1}, 2}, true);
  expect(up, Plane{{0, 0, 1}, 3.5}, false);
}

// The base's rim, not its centre, is what reaches a slanted plane.
TEST(OverlapNamed, ConeReachesAPlaneWithItsRim) {
  const double h = std::sqrt(0.5);
  const Cone c{{0, 0, 0}, {0, 0, 1}, 1, 1};
  expect(c, Plane{{h, 0, h}, 2 * h}, true); // touches the rim at (1, 0, 1)
  expect(c, Plane{{h, 0, h}, 2 * h + 1e-9}, false);
}

// On whichever side of the polygon's plane the ball is.
TEST(OverlapNamed, BallOnEitherSideOfAPolygon) {
  const Vec3 corners[] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  const Polygon square{corners};
  for (const double side : {1.0, -1.0}) {
    expect(Sphere{{0, 0, 0.5 * side}, 0.6}, square, true);
    expect(Sphere{{0, 0, 0.5 * side}, 0.4}, square, false);
    expect(Sphere{{1.3, 0, 0.4 * side}, 0.6}, square, true); // an edge, at 0.5
    expect(Sphere{{1.3, 0, 0.4 * side}, 0.4}, square, false);
  }
}

// Two balls whose swept volumes cross need not meet: the one passes before the other comes. Relative motion decides.
TEST(OverlapNamed, SweptVolumesThatOverlapNeedNotMeet) {
  const Sphere a{{-4, 0, 0}, 0.5}, b{{0, -1, 0}, 0.5};
  const Vec3 motion_a{8, 0, 0}, motion_b{0, 8, 0};
  const Capsule swept_a{a.center, a.center + motion_a, a.radius},
      swept_b{b.center, b.center + motion_b, b.radius};
  EXPECT_TRUE(overlap(swept_a, swept_b).hit);
  EXPECT_FALSE(sweep(a, motion_a - motion_b, b).hit);
  const Sphere later{{0, -4, 0}, 0.5}; // comes to the crossing at the same time
  EXPECT_TRUE(sweep(a, motion_a - motion_b, later).hit);
}

} // namespace
} // namespace carom
