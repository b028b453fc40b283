// Coordinates in the plane of a triangle or rectangle that stay good for slivers.
//
// A triangle spans a frame from its longest edge e and the part g of another edge at right angles to it: the corners are
// origin, origin + e and origin + skew e + g. A rounding of the normal tilts the plane. Here it can only tilt about e, because g is made
// orthogonal to e twice; and the triangle reaches no farther from e than |g|. So its points stay where they are to within a few epsilon of
// its size, however thin it is. (Barycentric coordinates by ratios of areas lose all digits for slivers.)
#pragma once

#include "carom/geometry/polygon.h"
#include "carom/geometry/triangle.h"

namespace [[gnu::visibility("default")]] carom {

/// `solid` is false where there is no area (a segment, a point, not finite); a triangle's frame is then of no use.
struct FlatFrame {
  Vec3 origin, e, g;
  double per_ee = 0, per_gg = 0; ///< 1 / |e|^2, 1 / |g|^2
  double skew = 0;               ///< the third corner's coordinate along e
  int first = 0;                 ///< which corner of the triangle is the origin
  bool solid = false;

  /// Coordinate along e, in multiples of it, of the point's foot in the plane.
  [[nodiscard]] constexpr double along_e(const Vec3& p) const {
    return dot(p - origin, e) * per_ee;
  }
  [[nodiscard]] constexpr double along_g(const Vec3& p) const {
    return dot(p - origin, g) * per_gg;
  }
  [[nodiscard]] constexpr Vec3 at(double x, double y) const { return origin + e * x + g * y; }
};

[[nodiscard]] constexpr FlatFrame make_frame(const Triangle& t) {
  FlatFrame f;
  const double ab = length_squared(t.b - t.a), bc = length_squared(t.c - t.b),
               ca = length_squared(t.a - t.c);
  f.first = ab >= bc && ab >= ca ? 0 : bc >= ca ? 1 : 2;
  const Vec3 &second = t[(f.first + 1) % 3], &third = t[(f.first + 2) % 3];
  f.origin = t[f.first];
  f.e = second - f.origin;
  const double ee = length_squared(f.e);
  if (!(ee > 0)) return f;
  f.per_ee = 1 / ee;
  const Vec3 side = third - f.origin;
  f.skew = dot(side, f.e) * f.per_ee;
  f.g = side - f.e * f.skew;
  f.g -= f.e * (dot(f.g, f.e) * f.per_ee);
  const double gg = length_squared(f.g);
  f.solid = gg > 0;
  if (f.solid) f.per_gg = 1 / gg;
  return f;
}

/// From its first corner along u and v: its points have coordinates from 0 to 1. Where a side has length 0, its coordinate is 0.
[[nodiscard]] constexpr FlatFrame make_frame(const Rectangle& r) {
  FlatFrame f;
  f.origin = r.at(-r.half_u, -r.half_v);
  f.e = r.u * (2 * r.half_u);
  f.g = r.v * (2 * r.half_v);
  f.solid = r.half_u > 0 && r.half_v > 0;
  if (r.half_u > 0) f.per_ee = 1 / length_squared(f.e);
  if (r.half_v > 0) f.per_gg = 1 / length_squared(f.g);
  return f;
}

/// The weights of corners a, b, c at the point of the plane nearest to p: all >= 0 where it lies in the triangle. For a solid frame.
[[nodiscard]] constexpr Vec3 weights(const FlatFrame& f, const Vec3& p) {
  const double third = f.along_g(p);
  const double second = f.along_e(p) - third * f.skew;
  Vec3 w;
  w[f.first] = 1 - second - third;
  w[(f.first + 1) % 3] = second;
  w[(f.first + 2) % 3] = third;
  return w;
}

} // namespace gnu::visibility("default")]]carom
