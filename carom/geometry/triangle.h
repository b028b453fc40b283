// Triangles and tetrahedra.
#pragma once

#include "carom/math/vec3.h"

namespace [[gnu::visibility("default")]] carom {

/// Counter-clockwise seen from the side its normal points to. It may be degenerate: a segment, or a point.
struct Triangle {
  Vec3 a, b, c;

  [[nodiscard]] constexpr const Vec3& operator[](int i) const {
    return i == 0 ? a : i == 1 ? b : c;
  }
  [[nodiscard]] constexpr Vec3& operator[](int i) { return i == 0 ? a : i == 1 ? b : c; }
  /// (b - a) x (c - a): twice the area long.
  [[nodiscard]] constexpr Vec3 normal() const { return cross(b - a, c - a); }
  /// u, v, w weigh a, b, c.
  [[nodiscard]] constexpr Vec3 at(const Vec3& barycentric) const {
    return a * barycentric.x + b * barycentric.y + c * barycentric.z;
  }
};

/// The convex hull of four points, in any order. It may be flat.
struct Tetrahedron {
  Vec3 a, b, c, d;

  [[nodiscard]] constexpr const Vec3& operator[](int i) const {
    return i == 0 ? a : i == 1 ? b : i == 2 ? c : d;
  }
  /// Positive when d lies on the side that the normal of a, b, c points to.
  [[nodiscard]] constexpr double signed_volume() const { return triple(b - a, c - a, d - a) / 6; }
};

} // namespace carom
