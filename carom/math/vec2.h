// Vectors and points of two doubles.
#pragma once

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

struct Vec2 {
  double x = 0, y = 0;

  constexpr Vec2& operator+=(const Vec2& v) { return *this = {x + v.x, y + v.y}; }
  constexpr Vec2& operator-=(const Vec2& v) { return *this = {x - v.x, y - v.y}; }
  constexpr Vec2& operator*=(double s) { return *this = {x * s, y * s}; }
  constexpr bool operator==(const Vec2&) const = default;
};

[[nodiscard]] constexpr Vec2 operator+(const Vec2& a, const Vec2& b) {
  return {a.x + b.x, a.y + b.y};
}
[[nodiscard]] constexpr Vec2 operator-(const Vec2& a, const Vec2& b) {
  return {a.x - b.x, a.y - b.y};
}
[[nodiscard]] constexpr Vec2 operator-(const Vec2& v) { return {-v.x, -v.y}; }
[[nodiscard]] constexpr Vec2 operator*(const Vec2& v, double s) { return {v.x * s, v.y * s}; }
[[nodiscard]] constexpr Vec2 operator*(double s, const Vec2& v) { return v * s; }
[[nodiscard]] constexpr Vec2 operator/(const Vec2& v, double s) { return {v.x / s, v.y / s}; }

[[nodiscard]] constexpr double dot(const Vec2& a, const Vec2& b) { return a.x * b.x + a.y * b.y; }
/// The z component of the cross product: twice the signed area of the triangle 0, a, b.
[[nodiscard]] constexpr double cross(const Vec2& a, const Vec2& b) { return a.x * b.y - a.y * b.x; }
/// v turned a quarter counter-clockwise.
[[nodiscard]] constexpr Vec2 left(const Vec2& v) { return {-v.y, v.x}; }
[[nodiscard]] constexpr double length_squared(const Vec2& v) { return dot(v, v); }
[[nodiscard]] inline double length(const Vec2& v) { return std::sqrt(dot(v, v)); }
[[nodiscard]] inline double distance(const Vec2& a, const Vec2& b) { return length(a - b); }
[[nodiscard]] inline bool is_finite(const Vec2& v) {
  return std::isfinite(v.x) && std::isfinite(v.y);
}
/// v / |v|, or `fallback` where that is undefined.
[[nodiscard]] inline Vec2 normalized_or(const Vec2& v, const Vec2& fallback) {
  const double l = length(v);
  return l > 0 && l < INFINITY ? v / l : fallback;
}
[[nodiscard]] constexpr Vec2 lerp(const Vec2& a, const Vec2& b, double t) {
  return a + (b - a) * t;
}

} // namespace carom
