// 3x3 matrices, stored by columns: column i is the image of axis i.
#pragma once

#include "carom/math/vec3.h"

namespace [[gnu::visibility("default")]] carom {

struct Mat3 {
  Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};

  [[nodiscard]] static constexpr Mat3 identity() { return {}; }
  [[nodiscard]] static constexpr Mat3 zero() { return {{}, {}, {}}; }
  [[nodiscard]] static constexpr Mat3 diagonal(const Vec3& d) {
    return {{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}};
  }
  /// Column 0, 1 or 2.
  [[nodiscard]] constexpr const Vec3& operator[](int i) const {
    return i == 0 ? x : i == 1 ? y : z;
  }
  [[nodiscard]] constexpr Vec3& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  [[nodiscard]] constexpr Vec3 row(int i) const { return {x[i], y[i], z[i]}; }
  constexpr bool operator==(const Mat3&) const = default;
};

[[nodiscard]] constexpr Mat3 operator+(const Mat3& a, const Mat3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[nodiscard]] constexpr Mat3 operator-(const Mat3& a, const Mat3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[nodiscard]] constexpr Mat3 operator*(const Mat3& m, double s) {
  return {m.x * s, m.y * s, m.z * s};
}
[[nodiscard]] constexpr Vec3 operator*(const Mat3& m, const Vec3& v) {
  return m.x * v.x + m.y * v.y + m.z * v.z;
}
[[nodiscard]] constexpr Mat3 operator*(const Mat3& a, const Mat3& b) {
  return {a * b.x, a * b.y, a * b.z};
}
/// transpose(m) * v without forming the transpose: the inverse of a rotation.
[[nodiscard]] constexpr Vec3 transpose_mul(const Mat3& m, const Vec3& v) {
  return {dot(m.x, v), dot(m.y, v), dot(m.z, v)};
}
[[nodiscard]] constexpr Mat3 transpose(const Mat3& m) { return {m.row(0), m.row(1), m.row(2)}; }
[[nodiscard]] constexpr double determinant(const Mat3& m) { return triple(m.x, m.y, m.z); }
/// a b^T.
[[nodiscard]] constexpr Mat3 outer(const Vec3& a, const Vec3& b) {
  return {a * b.x, a * b.y, a * b.z};
}
/// Component-wise absolute values.
[[nodiscard]] inline Mat3 abs(const Mat3& m) { return {abs(m.x), abs(m.y), abs(m.z)}; }

} // namespace carom
