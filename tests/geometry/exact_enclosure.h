// Whether a point lies in a bounding volume, in rational numbers: every double taken as the real number that it is.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/kdop.h"
#include "carom/geometry/spherical_shell.h"
#include "carom/geometry/swept_sphere.h"

#include <gmpxx.h>

#include <span>

namespace carom::test {

struct Exact {
  mpq_class x, y, z;

  [[nodiscard]] const mpq_class& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};

inline Exact exact(const Vec3& v) { return {mpq_class(v.x), mpq_class(v.y), mpq_class(v.z)}; }
inline Exact operator-(const Exact& a, const Exact& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Exact operator+(const Exact& a, const Exact& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Exact operator*(const Exact& a, const mpq_class& s) {
  return {a[0] * s, a[1] * s, a[2] * s};
}
inline mpq_class dot(const Exact& a, const Exact& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline mpq_class square(const mpq_class& x) { return x * x; }
inline mpq_class clamp(const mpq_class& x, const mpq_class& low, const mpq_class& high) {
  return x < low ? low : x > high ? high : x;
}
inline Exact placed(const Vec3& p, const Frame& f) {
  return exact(f.basis.x) * p.x + exact(f.basis.y) * p.y + exact(f.basis.z) * p.z + exact(f.origin);
}

inline bool inside(const Exact& p, const Aabb& b) {
  for (int i = 0; i < 3; ++i) {
    if (p[i] < b.min[i] || p[i] > b.max[i]) return false;
  }
  return true;
}
inline bool inside(const Exact& p, const Sphere& s) {
  const Exact q = p - exact(s.center);
  return dot(q, q) <= square(mpq_class(s.radius));
}
/// As three slabs.
inline bool inside(const Exact& p, const Obb& b) {
  for (int i = 0; i < 3; ++i) {
    if (abs(dot(exact(b.axes[i]), p - exact(b.center))) > b.half[i]) return false;
  }
  return true;
}
inline bool inside(const Exact& p, const Capsule& c) {
  const Exact d = exact(c.b) - exact(c.a);
  const mpq_class dd = dot(d, d);
  const mpq_class t = dd > 0 ? clamp(dot(p - exact(c.a), d) / dd, 0, 1) : mpq_class(0);
  const Exact q = p - (exact(c.a) + d * t);
  return dot(q, q) <= square(mpq_class(c.radius));
}
/// By a point of the core near enough: the nearest, where its axes were orthonormal, in rationals and rounded. Sufficient.
inline bool inside(const Exact& p, const Lozenge& l) {
  const Rectangle& r = l.core;
  const Exact from = p - exact(r.center);
  const auto near = [&](const mpq_class& s, const mpq_class& t) {
    const Exact q = from - exact(r.u) * clamp(s, -mpq_class(r.half_u), r.half_u) -
                    exact(r.v) * clamp(t, -mpq_class(r.half_v), r.half_v);
    return dot(q, q) <= square(mpq_class(l.radius));
  };
  const mpq_class s = dot(from, exact(r.u));
  const mpq_class t = dot(from, exact(r.v));
  const Vec3 rounded{from.x.get_d(), from.y.get_d(), from.z.get_d()};
  return near(s, t) || near(carom::dot(rounded, r.u), carom::dot(rounded, r.v));
}
template<int K>
inline bool inside(const Exact& p, const Kdop<K>& dop) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(Kdop<K>::slabs); ++i) {
    const mpq_class x = dot(exact(Kdop<K>::directions()[i]), p);
    if (x < dop.min[i] || x > dop.max[i]) return false;
  }
  return true;
}
inline bool inside(const Exact& p, const SphericalShell& s) {
  const Exact q = p - exact(s.center);
  const mpq_class rr = dot(q, q);
  if (rr < square(mpq_class(s.inner)) || rr > square(mpq_class(s.outer))) return false;
  if (s.all_directions()) return true;
  // axis . q >= c |q|, squared with care for signs.
  const mpq_class along = dot(exact(s.axis), q);
  const mpq_class c = s.cos_half_angle;
  if (along >= 0) return c <= 0 || square(along) >= square(c) * rr;
  return c < 0 && square(along) <= square(c) * rr;
}

template<class Volume>
bool inside(const Vec3& p, const Volume& volume) {
  return inside(exact(p), volume);
}
template<class Volume>
bool encloses(const Volume& volume, std::span<const Vec3> points) {
  for (const Vec3& p : points) {
    if (!inside(p, volume)) return false;
  }
  return true;
}
template<class Volume>
bool encloses(const Volume& volume, std::span<const Vec3> points, const Frame& frame) {
  for (const Vec3& p : points) {
    if (!inside(placed(p, frame), volume)) return false;
  }
  return true;
}

} // namespace carom::test
