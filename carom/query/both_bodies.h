// What is done to A and to B alike, done to both at once: A's number in one lane of a register, B's in the other. Internal to the queries.
#pragma once

#include "carom/math/pose.h"
#include "carom/math/tolerance.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// A's number and B's. (A type of g++ and clang; where the machine has no such register, they make each operation two. Each lane rounds as a double does.)
using Both [[gnu::vector_size(16)]] = double;

[[nodiscard, gnu::always_inline]] inline Both to_both(double x) { return Both{x, x}; }

[[nodiscard, gnu::always_inline]] inline Both abs(Both x) {
  using Bits [[gnu::vector_size(16)]] = std::int64_t;
  constexpr std::int64_t all_but_sign = INT64_MAX;
  return std::bit_cast<Both>(std::bit_cast<Bits>(x) & Bits{all_but_sign, all_but_sign});
}

[[nodiscard, gnu::always_inline]] inline Both lesser(Both x, Both y) { return x < y ? x : y; }
[[nodiscard, gnu::always_inline]] inline Both greater(Both x, Both y) { return x > y ? x : y; }

/// A vector for A and one for B.
struct BothVec3 {
  Both x, y, z;

  [[nodiscard, gnu::always_inline]] static BothVec3 of(const Vec3& v) {
    return {to_both(v.x), to_both(v.y), to_both(v.z)};
  }
  [[nodiscard, gnu::always_inline]] static BothVec3 of(const Vec3& a, const Vec3& b) {
    return {Both{a.x, b.x}, Both{a.y, b.y}, Both{a.z, b.z}};
  }
  [[nodiscard, gnu::always_inline]] Vec3 a() const { return {x[0], y[0], z[0]}; }
  [[nodiscard, gnu::always_inline]] Vec3 b() const { return {x[1], y[1], z[1]}; }
};

/// Whether all coordinates of both are in range (tolerance.h), and their sum too.
[[nodiscard, gnu::always_inline]] inline bool are_coordinates(const Vec3& a, const Vec3& b) {
  // Two at a time as they stand in memory: which is whose does not matter here.
  const Both x = abs(Both{a.x, a.y}), y = abs(Both{b.x, b.y}), z = abs(Both{a.z, b.z});
  const Both sum = x + y + z;
  const Both least = to_both(tolerance::coordinate_min);
  const auto nonzero = [&](Both c) { return c == to_both(0) ? least : c; };
  const Both tiniest = lesser(lesser(nonzero(x), nonzero(y)), nonzero(z));
  return sum[0] + sum[1] <= tolerance::coordinate_max && tiniest[0] >= tolerance::coordinate_min &&
         tiniest[1] >= tolerance::coordinate_min;
}

/// Two rotations, as to_matrix makes them where that does not take the identity: the quaternions must be finite, their lengths squared at least 1e-300.
class BothTurned {
public:
  [[gnu::always_inline]] BothTurned(const Quat& a, const Quat& b) {
    const Both qx{a.x, b.x}, qy{a.y, b.y}, qz{a.z, b.z}, qw{a.w, b.w};
    squares_ = qx * qx + qy * qy + qz * qz + qw * qw;
    const Both s = to_both(2) / squares_;
    const Both xx = s * (qx * qx), yy = s * (qy * qy), zz = s * (qz * qz);
    const Both xy = s * (qx * qy), yz = s * (qy * qz), zx = s * (qz * qx);
    const Both xw = s * (qx * qw), yw = s * (qy * qw), zw = s * (qz * qw);
    const Both one = to_both(1);
    x_ = {one - (yy + zz), xy + zw, zx - yw};
    y_ = {xy - zw, one - (zz + xx), yz + xw};
    z_ = {zx + yw, yz - xw, one - (xx + yy)};
  }

  /// Whether that is so.
  [[nodiscard, gnu::always_inline]] bool is_sound() const {
    return squares_[0] >= 1e-300 && squares_[1] >= 1e-300 && squares_[0] + squares_[1] < INFINITY;
  }

  /// Into the world's axes, each from its body's.
  [[nodiscard, gnu::always_inline]] BothVec3 to_world(const BothVec3& v) const {
    return {x_.x * v.x + y_.x * v.y + z_.x * v.z, x_.y * v.x + y_.y * v.y + z_.y * v.z,
            x_.z * v.x + y_.z * v.y + z_.z * v.z};
  }
  /// And back.
  [[nodiscard, gnu::always_inline]] BothVec3 to_local(const BothVec3& v) const {
    return {x_.x * v.x + x_.y * v.y + x_.z * v.z, y_.x * v.x + y_.y * v.y + y_.z * v.z,
            z_.x * v.x + z_.y * v.y + z_.z * v.z};
  }

private:
  Both squares_;       ///< of the quaternions' lengths
  BothVec3 x_, y_, z_; ///< columns
};

} // namespace carom
