// Vectors of long double, 64 bits of mantissa: what references are computed in.
#pragma once

#include "carom/math/pose.h"

#include <cmath>

namespace carom::accuracy {

using Real = long double;

struct Real3 {
  Real x = 0, y = 0, z = 0;

  Real3() = default;
  Real3(Real x_, Real y_, Real z_) : x(x_), y(y_), z(z_) {}
  explicit Real3(const Vec3& v) : x(v.x), y(v.y), z(v.z) {}
};

inline Real3 operator+(const Real3& a, const Real3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Real3 operator-(const Real3& a, const Real3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Real3 operator-(const Real3& v) { return {-v.x, -v.y, -v.z}; }
inline Real3 operator*(const Real3& v, Real s) { return {v.x * s, v.y * s, v.z * s}; }
inline Real dot(const Real3& a, const Real3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Real3 cross(const Real3& a, const Real3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Real length(const Real3& v) { return std::sqrt(dot(v, v)); }
/// v / |v|, or zero.
inline Real3 normalized(const Real3& v) {
  const Real l = length(v);
  return l > 0 ? v * (1 / l) : Real3{};
}

/// The doubles of a pose's frame as they are, applied in long double.
inline Real3 to_world(const Frame& frame, const Real3& p) {
  return Real3(frame.basis.x) * p.x + Real3(frame.basis.y) * p.y + Real3(frame.basis.z) * p.z +
         Real3(frame.origin);
}
/// The transpose of the matrix: how a placed set's support sees a direction.
inline Real3 direction_to_local(const Frame& frame, const Real3& d) {
  return {dot(Real3(frame.basis.x), d), dot(Real3(frame.basis.y), d), dot(Real3(frame.basis.z), d)};
}

} // namespace carom::accuracy
