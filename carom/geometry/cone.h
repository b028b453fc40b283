// Solids of revolution with flat ends.
#pragma once

#include "carom/math/vec3.h"

namespace [[gnu::visibility("default")]] carom {

/// The points within half_height of the centre along `axis` (a unit vector) and within `radius` of it. Half height 0 is a disc,
/// radius 0 a segment.
struct Cylinder {
  Vec3 center;
  Vec3 axis{0, 0, 1};
  double half_height = 0, radius = 0;
};

/// From the apex along `axis` (a unit vector), widening from nothing to `radius` at distance `height`.
struct Cone {
  Vec3 apex;
  Vec3 axis{0, 0, 1};
  double height = 0, radius = 0;

  [[nodiscard]] constexpr Vec3 base_center() const { return apex + axis * height; }
};

/// The hull of two discs at right angles to `axis` (a unit vector): radius_a around a, radius_b around a + axis height.
struct ConeFrustum {
  Vec3 a;
  Vec3 axis{0, 0, 1};
  double height = 0, radius_a = 0, radius_b = 0;

  [[nodiscard]] constexpr Vec3 b() const { return a + axis * height; }
};

/// A cylinder and a cone are frustums: what holds for this holds for them.
[[nodiscard]] constexpr ConeFrustum to_frustum(const Cylinder& c) {
  return {c.center - c.axis * c.half_height, c.axis, 2 * c.half_height, c.radius, c.radius};
}
[[nodiscard]] constexpr ConeFrustum to_frustum(const Cone& c) {
  return {c.apex, c.axis, c.height, 0, c.radius};
}

} // namespace carom
