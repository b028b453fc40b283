// Flat pieces with four and more corners.
#pragma once

#include "carom/math/vec3.h"

#include <array>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// Four corners in order around it. Functions on quads take it to be flat and convex unless they say otherwise.
struct Quad {
  Vec3 a, b, c, d;

  [[nodiscard]] constexpr const Vec3& operator[](int i) const {
    return i == 0 ? a : i == 1 ? b : i == 2 ? c : d;
  }
  [[nodiscard]] constexpr std::array<Vec3, 4> vertices() const { return {a, b, c, d}; }
};

/// A flat convex polygon: its corners, counter-clockwise seen from the side its normal points to. It refers to the corners and does
/// not own them. One corner is a point, two are a segment; none is the empty set.
struct Polygon {
  std::span<const Vec3> vertices;
};

/// center + s u + t v with |s| <= half_u and |t| <= half_v; u and v are unit vectors at right angles.
struct Rectangle {
  Vec3 center;
  Vec3 u{1, 0, 0}, v{0, 1, 0};
  double half_u = 0, half_v = 0;

  [[nodiscard]] constexpr Vec3 at(double s, double t) const { return center + u * s + v * t; }
  /// Counter-clockwise seen from u x v.
  [[nodiscard]] constexpr std::array<Vec3, 4> vertices() const {
    return {at(-half_u, -half_v), at(half_u, -half_v), at(half_u, half_v), at(-half_u, half_v)};
  }
};

} // namespace carom
