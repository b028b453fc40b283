// The plane at right angles to an axis: symmetric matrices and a Newton step. Internal to the queries.
#pragma once

#include "carom/math/mat3.h"
#include "carom/math/vec2.h"

#include <algorithm>
#include <cmath>

namespace [[gnu::visibility("default")]] carom {

/// Two unit vectors at right angles to each other and to the axis.
struct TangentPlane {
  explicit TangentPlane(const Vec3& axis) : u(perpendicular(axis)), v(cross(axis, u)) {}
  Vec3 u, v;

  [[nodiscard]] Vec2 operator()(const Vec3& p) const { return {dot(u, p), dot(v, p)}; }
  [[nodiscard]] Vec3 lift(const Vec2& x) const { return u * x.x + v * x.y; }
};

/// A symmetric matrix of two rows.
struct Mat2 {
  double xx = 0, xy = 0, yy = 0;

  [[nodiscard]] double norm() const { return std::sqrt(xx * xx + 2 * xy * xy + yy * yy); }
  [[nodiscard]] double least_eigenvalue() const {
    const double half = 0.5 * (xx - yy);
    return 0.5 * (xx + yy) - std::sqrt(half * half + xy * xy);
  }
  [[nodiscard]] static constexpr Mat2 multiple_of_identity(double s) { return {s, 0, s}; }
};
[[nodiscard]] constexpr Vec2 operator*(const Mat2& m, const Vec2& v) {
  return {m.xx * v.x + m.xy * v.y, m.xy * v.x + m.yy * v.y};
}
[[nodiscard]] constexpr Mat2 operator+(const Mat2& a, const Mat2& b) {
  return {a.xx + b.xx, a.xy + b.xy, a.yy + b.yy};
}
[[nodiscard]] constexpr Mat2 operator-(const Mat2& a, const Mat2& b) {
  return {a.xx - b.xx, a.xy - b.xy, a.yy - b.yy};
}
[[nodiscard]] constexpr Mat2 operator*(const Mat2& m, double s) {
  return {m.xx * s, m.xy * s, m.yy * s};
}
[[nodiscard]] constexpr double form(const Mat2& m, const Vec2& v) { return dot(v, m * v); }

/// -m^-1 g, with the sign of a negative eigenvalue changed, so that it leads downhill.
[[nodiscard]] inline Vec2 newton_step(const Mat2& m, const Vec2& g) {
  const double mean = 0.5 * (m.xx + m.yy);
  const double half = 0.5 * (m.xx - m.yy);
  const double spread = std::sqrt(half * half + m.xy * m.xy);
  if (mean > spread) {
    const double det = m.xx * m.yy - m.xy * m.xy;
    return {(m.xy * g.y - m.yy * g.x) / det, (m.xy * g.x - m.xx * g.y) / det};
  }
  // Along the eigenvectors.
  const Vec2 u = half > 0 ? Vec2{half + spread, m.xy} : Vec2{m.xy, spread - half};
  const double l = length(u);
  const Vec2 e = l > 0 ? Vec2{u.x / l, u.y / l} : Vec2{1, 0};
  const Vec2 f{-e.y, e.x};
  const auto along = [&](const Vec2& axis, double value) {
    return axis * (-dot(axis, g) / std::max(std::fabs(value), 1e-300));
  };
  return along(e, mean + spread) + along(f, mean - spread);
}

/// The part of m in the plane.
[[nodiscard]] inline Mat2 restrict_to(const TangentPlane& plane, const Mat3& m) {
  const Vec3 mv = m * plane.v;
  return {dot(plane.u, m * plane.u), dot(plane.u, mv), dot(plane.v, mv)};
}

} // namespace carom
