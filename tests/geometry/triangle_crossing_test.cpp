// Closed surfaces, where the sums must agree, are in tests/tree/triangle_winding_test.cpp.
#include "carom/geometry/triangle_crossing.h"

#include "carom/math/predicates.h"
#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <cmath>

namespace carom::test {
namespace {

/// The same with the axis turned to be the last one.
Vec3 turned(const Vec3& v, int axis) { return {v[(axis + 1) % 3], v[(axis + 2) % 3], v[axis]}; }

TEST(TriangleCrossing, FrontAndBackAlongEveryAxis) {
  for (int axis = 0; axis < 3; ++axis) {
    // Counter-clockwise seen from the positive end of the axis.
    const auto place = [&](double right, double up, double along) {
      Vec3 v;
      v[(axis + 1) % 3] = right;
      v[(axis + 2) % 3] = up;
      v[axis] = along;
      return v;
    };
    const Triangle t{place(0, 0, 5), place(2, 0, 5), place(0, 2, 5)};
    const Triangle back{t.a, t.c, t.b};
    EXPECT_EQ(crossing(t, place(0.5, 0.5, 4), {axis, true}), 1);
    EXPECT_EQ(crossing(back, place(0.5, 0.5, 4), {axis, true}), -1);
    EXPECT_EQ(crossing(t, place(0.5, 0.5, 4), {axis, false}), 0);
    EXPECT_EQ(crossing(t, place(0.5, 0.5, 6), {axis, false}), -1);
    EXPECT_EQ(crossing(back, place(0.5, 0.5, 6), {axis, false}), 1);
    EXPECT_EQ(crossing(t, place(0.5, 0.5, 6), {axis, true}), 0);
    EXPECT_EQ(crossing(t, place(1.5, 1.5, 4), {axis, true}), 0);
    // On the left side the moved ray is inside, on the longest side it is not.
    EXPECT_EQ(crossing(t, place(0, 1, 4), {axis, true}), 1);
    EXPECT_EQ(crossing(t, place(1, 1, 4), {axis, true}), 0);
    // Seen edge-on.
    EXPECT_EQ(crossing(t, place(0.5, 0.5, 5), {(axis + 1) % 3, true}), 0);
  }
}

PROPERTY(TriangleCrossing, IsWhatSignsOfVolumesSay) {
  const Triangle t{vec3(source), vec3(source), vec3(source)};
  const Vec3 p = vec3(source);
  const int axis = source.index(3);
  const auto flat = [&](const Vec3& v) {
    const Vec3 w = turned(v, axis);
    return Vec2{w.x, w.y};
  };
  const int ab = orient2d(flat(t.a), flat(t.b), flat(p));
  const int bc = orient2d(flat(t.b), flat(t.c), flat(p));
  const int ca = orient2d(flat(t.c), flat(t.a), flat(p));
  ASSUME(ab != 0 && bc != 0 && ca != 0);
  const int around = ab == bc && bc == ca ? ab : 0;
  const int side = orient3d(t.a, t.b, t.c, p);
  REQUIRE(crossing(t, p, {axis, true}) == (side == -around ? around : 0));
  REQUIRE(crossing(t, p, {axis, false}) == (side == -around ? 0 : -around));
}

} // namespace
} // namespace carom::test
