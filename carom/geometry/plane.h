// Planes and half-spaces, as n . x = d and n . x <= d.
#pragma once

#include "carom/math/vec3.h"

namespace [[gnu::visibility("default")]] carom {

/// The points x with normal . x = offset. The normal may have any length but zero. Where a function measures along it and asks for unit
/// length, it says so: signed_distance, polygons cut by a thick plane (clip_polygon.h), moving things (sweep_sphere.h, sweep_box.h) and casts against
/// convex polyhedra. `make_plane` gives a normal that will do everywhere.
struct Plane {
  Vec3 normal{0, 0, 1};
  double offset = 0;

  /// Times the length of the normal: the signed distance itself for a unit normal. Positive on the side that the normal points to.
  [[nodiscard]] constexpr double signed_distance(const Vec3& p) const {
    return dot(normal, p) - offset;
  }
};

/// The points x with normal . x <= offset: the normal points out of the solid, as on a box. Its length is as for a plane.
struct HalfSpace {
  Vec3 normal{0, 0, 1};
  double offset = 0;

  /// Times the length of the normal, as for a plane. Negative inside.
  [[nodiscard]] constexpr double signed_distance(const Vec3& p) const {
    return dot(normal, p) - offset;
  }
};

/// The plane through a point, its normal made a unit vector from one of any length. A zero normal becomes the x axis.
[[nodiscard]] inline Plane make_plane(const Vec3& point, const Vec3& normal) {
  const Vec3 n = normalized(normal);
  return {n, dot(n, point)};
}
/// The plane through three points, its normal on the side from which a, b, c appear counter-clockwise. Collinear points have no
/// plane of their own: one of those through them is returned.
[[nodiscard]] inline Plane make_plane(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 edge = length_squared(b - a) > length_squared(c - a) ? b - a : c - a;
  const Vec3 n = normalized_or(cross(b - a, c - a), perpendicular(edge));
  return {n, dot(n, a)};
}

} // namespace carom
