// Rotations as quaternions x i + y j + z k + w.
//
// A quaternion need not have unit length: it always stands for the rotation of q / |q|, and the zero quaternion (or one that is
// not finite) for no rotation. So nobody has to renormalise for correctness.
#pragma once

#include "carom/math/mat3.h"
#include "carom/math/vec3.h"

namespace [[gnu::visibility("default")]] carom {

struct Quat {
  double x = 0, y = 0, z = 0, w = 1;

  [[nodiscard]] static constexpr Quat identity() { return {}; }
  /// The rotation by `angle` radians about `axis` (any length; none for the zero axis), counter-clockwise seen from its tip.
  /// Where angle is n half_pi (trig.h) as doubles multiply, exactly n quarter turns. None for what is not finite.
  [[nodiscard]] static Quat from_axis_angle(const Vec3& axis, double angle);
  /// The rotation whose matrix is m. m must be close to a rotation; its small errors are averaged out.
  [[nodiscard]] static Quat from_matrix(const Mat3& m);

  constexpr bool operator==(const Quat&) const = default;
};

/// First b, then a.
[[nodiscard]] constexpr Quat operator*(const Quat& a, const Quat& b) {
  return {
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
      a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
/// The opposite rotation, exactly.
[[nodiscard]] constexpr Quat conjugate(const Quat& q) { return {-q.x, -q.y, -q.z, q.w}; }
[[nodiscard]] constexpr double length_squared(const Quat& q) {
  return q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
}
/// Unit length, the same rotation.
[[nodiscard]] inline Quat normalized(const Quat& q) {
  const double l = std::sqrt(length_squared(q));
  return l > 0 && l < INFINITY ? Quat{q.x / l, q.y / l, q.z / l, q.w / l} : Quat{};
}
/// The rotation matrix, by the one formula that all of Carom uses: exact for quarter turns about the axes, and for half turns. The quaternion may have any
/// length; one that is zero, too short for its square (1e-150) or not finite gives the identity.
[[nodiscard]] constexpr Mat3 to_matrix(const Quat& q) {
  const double l2 = length_squared(q);
  if (!(l2 >= 1e-300 && l2 < INFINITY)) return Mat3::identity();
  const double s = 2 / l2;
  const double xx = s * (q.x * q.x), yy = s * (q.y * q.y), zz = s * (q.z * q.z);
  const double xy = s * (q.x * q.y), yz = s * (q.y * q.z), zx = s * (q.z * q.x);
  const double xw = s * (q.x * q.w), yw = s * (q.y * q.w), zw = s * (q.z * q.w);
  return {{1 - (yy + zz), xy + zw, zx - yw},
          {xy - zw, 1 - (zz + xx), yz + xw},
          {zx + yw, yz - xw, 1 - (xx + yy)}};
}

} // namespace carom
