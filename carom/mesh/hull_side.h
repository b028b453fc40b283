// On which side of a triangle's plane is a point? What quickhull asks most. A part of hull_surface.h.
//
// Error bound: the terms of normal . (p - a) pass through 8 roundings (predicates.h counts the same for orient3d), so 9 * 2^-53 times the sum of
// their sizes bounds the error. For a triangle we take |p - a| as large as the box of the input allows: then the bound is one number.
// Where all coordinates are multiples of some 2^k and that sum of sizes is below 2^52 * 2^3k, every step is exact, and the bound is 0: so
// grids and points with small integers never need the exact stage.
#pragma once

#include "carom/math/vec3.h"

#include <cmath>
#include <span>

namespace [[gnu::visibility("default")]] carom {
namespace hull_surface {

/// What the error bound needs to know of the input.
struct Extent {
  Vec3 size;              ///< of the box around the points
  double exact_below = 0; ///< a sum of the sizes of terms up to which the arithmetic is exact
};

[[nodiscard]] Extent extent_of(std::span<const Vec3> points);

/// (b - a) x (c - a), rounded, and the bound of the rounding error of normal . (p - a) for all points p of the input.
struct BoundedNormal {
  Vec3 normal;
  double error = 0;
};

[[nodiscard]] inline BoundedNormal bounded_normal(const Vec3& a, const Vec3& b, const Vec3& c,
                                                  const Extent& extent) {
  const Vec3 u = b - a;
  const Vec3 v = c - a;
  const Vec3 sizes{std::fabs(u.y * v.z) + std::fabs(u.z * v.y),
                   std::fabs(u.z * v.x) + std::fabs(u.x * v.z),
                   std::fabs(u.x * v.y) + std::fabs(u.y * v.x)};
  const double terms = dot(sizes, extent.size);
  return {cross(u, v), terms <= extent.exact_below ? 0 : 9 * 0x1p-53 * terms};
}

/// orient3d for points close to the plane, where its filter would fail: the same answer, sooner.
[[nodiscard]] int close_side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p);

} // namespace hull_surface
} // namespace carom
