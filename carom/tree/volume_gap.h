// How far apart two boxes are at least, and whether they are apart at all, when one is seen from the other: what trees of boxes ask most.
//
// A box is given by its half extents about its centre. R carries directions of B's axes into A's, t is B's centre in A's axes. Rounded, not
// exact: a caller leaves a slack of some hundred epsilon of the size. Under that, both functions are safe: apart is never said of
// boxes that meet, and a gap is never above the distance.
#pragma once

#include "carom/math/mat3.h"

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

struct BoxPlacement {
  Mat3 rotation;          ///< column j: axis j of B, in A's axes
  Mat3 absolute_rotation; ///< its entries without sign
  Vec3 center;            ///< of B, from A's

  BoxPlacement(const Mat3& r, const Mat3& absolute, const Vec3& t)
      : rotation(r), absolute_rotation(absolute), center(t) {}
  BoxPlacement(const Mat3& r, const Vec3& t) : BoxPlacement(r, abs(r), t) {}
};

namespace gap_detail {
/// How far beyond A, and B's shadow on A's axes, they leave room; negative where they overlap there.
[[nodiscard]] inline Vec3 along_axes_of_a(const Vec3& half_a, const Vec3& half_b,
                                          const BoxPlacement& p) {
  return abs(p.center) - half_a - p.absolute_rotation * half_b;
}
[[nodiscard]] inline Vec3 along_axes_of_b(const Vec3& half_a, const Vec3& half_b,
                                          const BoxPlacement& p) {
  return abs(transpose_mul(p.rotation, p.center)) - half_b -
         transpose_mul(p.absolute_rotation, half_a);
}
[[nodiscard]] inline double greatest(const Vec3& v) {
  const double xy = v.x > v.y ? v.x : v.y;
  return xy > v.z ? xy : v.z;
}
} // namespace gap_detail

/// A lower bound of the distance of two boxes: that of A and the box along A's axes around B, or the other way round, whichever is greater.
/// Axes at right angles add up as in Pythagoras' theorem. It is the distance itself where a corner of one is nearest to the
/// other; less where edges cross.
[[nodiscard]] inline double box_gap(const Vec3& half_a, const Vec3& half_b, const BoxPlacement& p) {
  const Vec3 from_a = max(gap_detail::along_axes_of_a(half_a, half_b, p), Vec3{});
  const Vec3 from_b = max(gap_detail::along_axes_of_b(half_a, half_b, p), Vec3{});
  const double squared_a = length_squared(from_a);
  const double squared_b = length_squared(from_b);
  return std::sqrt(squared_a > squared_b ? squared_a : squared_b);
}

/// The separating-axis test: the 6 face normals, then the 9 cross products of an axis of each, which may be shorter than 1: a gap along
/// them seems smaller than it is, so a slack for unit axes is enough.
[[nodiscard]] inline bool boxes_apart(const Vec3& half_a, const Vec3& half_b, const BoxPlacement& p,
                                      double slack) {
  if (gap_detail::greatest(gap_detail::along_axes_of_a(half_a, half_b, p)) > slack) return true;
  if (gap_detail::greatest(gap_detail::along_axes_of_b(half_a, half_b, p)) > slack) return true;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3;
    const int i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3;
      const int j2 = (j + 2) % 3;
      const Vec3& column = p.rotation[j];
      const Vec3& absolute = p.absolute_rotation[j];
      const double reach = half_a[i1] * absolute[i2] + half_a[i2] * absolute[i1] +
                           half_b[j1] * p.absolute_rotation[j2][i] +
                           half_b[j2] * p.absolute_rotation[j1][i];
      const double apart = std::fabs(p.center[i2] * column[i1] - p.center[i1] * column[i2]);
      if (apart - reach > slack) return true;
    }
  }
  return false;
}

} // namespace carom
