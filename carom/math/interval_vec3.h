// Boxes of vectors: three intervals, with the vector operations rounded outward (interval.h).
#pragma once

#include "carom/math/interval.h"
#include "carom/math/vec3.h"

namespace [[gnu::visibility("default")]] carom {

struct IntervalVec3 {
  Interval x, y, z;

  constexpr IntervalVec3() = default;
  constexpr IntervalVec3(const Interval& x_range, const Interval& y_range, const Interval& z_range)
      : x(x_range), y(y_range), z(z_range) {}
  /// The single vector v.
  constexpr IntervalVec3(const Vec3& v) : x(v.x), y(v.y), z(v.z) {}

  /// Component 0, 1 or 2.
  [[nodiscard]] constexpr const Interval& operator[](int i) const {
    return i == 0 ? x : i == 1 ? y : z;
  }
  constexpr bool operator==(const IntervalVec3&) const = default;
};

[[nodiscard]] constexpr bool contains(const IntervalVec3& a, const Vec3& v) {
  return contains(a.x, v.x) && contains(a.y, v.y) && contains(a.z, v.z);
}

[[nodiscard]] constexpr IntervalVec3 operator-(const IntervalVec3& v) {
  return {-v.x, -v.y, -v.z};
}
[[nodiscard]] inline IntervalVec3 operator+(const IntervalVec3& a, const IntervalVec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[nodiscard]] inline IntervalVec3 operator-(const IntervalVec3& a, const IntervalVec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[nodiscard]] inline IntervalVec3 operator*(const IntervalVec3& v, const Interval& s) {
  return {v.x * s, v.y * s, v.z * s};
}
[[nodiscard]] inline IntervalVec3 operator*(const Interval& s, const IntervalVec3& v) {
  return v * s;
}

[[nodiscard]] inline Interval dot(const IntervalVec3& a, const IntervalVec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[nodiscard]] inline IntervalVec3 cross(const IntervalVec3& a, const IntervalVec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// Never negative, and so tighter than dot(v, v).
[[nodiscard]] inline Interval length_squared(const IntervalVec3& v) {
  return square(v.x) + square(v.y) + square(v.z);
}

} // namespace gnu::visibility("default")]]carom
