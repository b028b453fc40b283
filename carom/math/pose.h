// Where a thing is: a rotation, then a translation.
#pragma once

#include "carom/math/quat.h"

namespace [[gnu::visibility("default")]] carom {

/// A placement as a matrix and a translation: what a Pose comes to in numbers. A placed shape *is* its local geometry under
/// these doubles, taken as exact reals; proofs and checkers refer to them.
struct Frame {
  Mat3 basis;  ///< column i: the world direction of local axis i
  Vec3 origin; ///< the world position of the local origin

  [[nodiscard]] constexpr Vec3 to_world(const Vec3& p) const { return basis * p + origin; }
  [[nodiscard]] constexpr Vec3 to_local(const Vec3& p) const {
    return transpose_mul(basis, p - origin);
  }
  [[nodiscard]] constexpr Vec3 direction_to_world(const Vec3& v) const { return basis * v; }
  [[nodiscard]] constexpr Vec3 direction_to_local(const Vec3& v) const {
    return transpose_mul(basis, v);
  }
};

/// A rigid placement. The rotation comes first, about the local origin.
struct Pose {
  Quat rotation;
  Vec3 position;

  [[nodiscard]] static constexpr Pose identity() { return {}; }
  [[nodiscard]] static constexpr Pose at(const Vec3& position) { return {Quat{}, position}; }
  [[nodiscard]] constexpr Frame frame() const { return {to_matrix(rotation), position}; }
  constexpr bool operator==(const Pose&) const = default;
};

/// First b, then a.
[[nodiscard]] constexpr Pose operator*(const Pose& a, const Pose& b) {
  return {a.rotation * b.rotation, a.frame().to_world(b.position)};
}
[[nodiscard]] constexpr Pose inverse(const Pose& p) {
  return {conjugate(p.rotation), -transpose_mul(to_matrix(p.rotation), p.position)};
}

} // namespace carom
