// Vectors and points of three doubles.
//
// Within Carom's range of coordinates (0 or 1e-30 <= |x| <= 1e30, see tolerance.h) no function here overflows, and squared
// lengths do not underflow to zero.
#pragma once

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

struct Vec3 {
  double x = 0, y = 0, z = 0;

  /// Component 0, 1 or 2.
  [[nodiscard]] constexpr double operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  [[nodiscard]] constexpr double& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }

  constexpr Vec3& operator+=(const Vec3& v) { return *this = {x + v.x, y + v.y, z + v.z}; }
  constexpr Vec3& operator-=(const Vec3& v) { return *this = {x - v.x, y - v.y, z - v.z}; }
  constexpr Vec3& operator*=(double s) { return *this = {x * s, y * s, z * s}; }
  constexpr bool operator==(const Vec3&) const = default;
};

[[nodiscard]] constexpr Vec3 operator+(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[nodiscard]] constexpr Vec3 operator-(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[nodiscard]] constexpr Vec3 operator-(const Vec3& v) { return {-v.x, -v.y, -v.z}; }
[[nodiscard]] constexpr Vec3 operator*(const Vec3& v, double s) {
  return {v.x * s, v.y * s, v.z * s};
}
[[nodiscard]] constexpr Vec3 operator*(double s, const Vec3& v) { return v * s; }
[[nodiscard]] constexpr Vec3 operator/(const Vec3& v, double s) {
  return {v.x / s, v.y / s, v.z / s};
}

[[nodiscard]] constexpr double dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
/// Every product appears once, so cross(a, b) == -cross(b, a) to the bit.
[[nodiscard]] constexpr Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// a . (b x c): six times the signed volume of the tetrahedron 0, a, b, c.
[[nodiscard]] constexpr double triple(const Vec3& a, const Vec3& b, const Vec3& c) {
  return dot(a, cross(b, c));
}
[[nodiscard]] constexpr double length_squared(const Vec3& v) { return dot(v, v); }
[[nodiscard]] inline double length(const Vec3& v) { return std::sqrt(dot(v, v)); }
[[nodiscard]] constexpr double distance_squared(const Vec3& a, const Vec3& b) {
  return length_squared(a - b);
}
[[nodiscard]] inline double distance(const Vec3& a, const Vec3& b) { return length(a - b); }

/// v / |v|, or `fallback` where v is zero, too short for its length to be computed, or not finite.
[[nodiscard]] inline Vec3 normalized_or(const Vec3& v, const Vec3& fallback) {
  const double l = length(v);
  return l > 0 && l < INFINITY ? v / l : fallback;
}
/// v / |v|; the x axis where that is undefined.
[[nodiscard]] inline Vec3 normalized(const Vec3& v) { return normalized_or(v, {1, 0, 0}); }

[[nodiscard]] constexpr Vec3 lerp(const Vec3& a, const Vec3& b, double t) {
  return a + (b - a) * t;
}

// Component-wise.
[[nodiscard]] constexpr Vec3 mul(const Vec3& a, const Vec3& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
[[nodiscard]] constexpr Vec3 min(const Vec3& a, const Vec3& b) {
  return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}
[[nodiscard]] constexpr Vec3 max(const Vec3& a, const Vec3& b) {
  return {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}
[[nodiscard]] inline Vec3 abs(const Vec3& v) {
  return {std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)};
}

/// The greatest |component|.
[[nodiscard]] inline double max_abs(const Vec3& v) {
  const Vec3 a = abs(v);
  const double xy = a.x > a.y ? a.x : a.y;
  return xy > a.z ? xy : a.z;
}
/// The index of the component that is greatest in absolute value; the first of equals.
[[nodiscard]] inline int largest_axis(const Vec3& v) {
  const Vec3 a = abs(v);
  const int xy = a.y > a.x ? 1 : 0;
  return a.z > a[xy] ? 2 : xy;
}
[[nodiscard]] inline int smallest_axis(const Vec3& v) {
  const Vec3 a = abs(v);
  const int xy = a.y < a.x ? 1 : 0;
  return a.z < a[xy] ? 2 : xy;
}
[[nodiscard]] inline bool is_finite(const Vec3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}
/// The unit vector along axis 0, 1 or 2.
[[nodiscard]] constexpr Vec3 unit_axis(int i) {
  return {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
}
/// A unit vector at right angles to v (any of them; the same one each time). The y axis where v is zero.
[[nodiscard]] inline Vec3 perpendicular(const Vec3& v) {
  return normalized_or(cross(v, unit_axis(smallest_axis(v))), {0, 1, 0});
}

} // namespace carom
