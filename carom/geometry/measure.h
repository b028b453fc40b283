// Volume and surface area of bounding volumes: what a hierarchy's cost is counted in.
//
// In units of length cubed and squared. Right to a few roundings. A flat volume has volume 0 and the area of both its sides. The empty box,
// and what has a negative radius or half extent (a fit to no points), has 0 of both.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/swept_sphere.h"
#include "carom/math/trig.h"

namespace [[gnu::visibility("default")]] carom {

[[nodiscard]] constexpr double volume(const Aabb& b) {
  if (b.empty()) return 0;
  const Vec3 d = b.max - b.min;
  return d.x * d.y * d.z;
}
[[nodiscard]] constexpr double area(const Aabb& b) {
  if (b.empty()) return 0;
  const Vec3 d = b.max - b.min;
  return 2 * (d.x * d.y + d.y * d.z + d.z * d.x);
}

[[nodiscard]] constexpr double volume(const Obb& b) {
  return b.half.x > 0 ? 8 * b.half.x * b.half.y * b.half.z : 0;
}
[[nodiscard]] constexpr double area(const Obb& b) {
  const Vec3& h = b.half;
  return h.x >= 0 ? 8 * (h.x * h.y + h.y * h.z + h.z * h.x) : 0;
}

[[nodiscard]] constexpr double volume(const Sphere& s) {
  return s.radius > 0 ? 4 * pi / 3 * s.radius * s.radius * s.radius : 0;
}
[[nodiscard]] constexpr double area(const Sphere& s) {
  return s.radius > 0 ? 4 * pi * s.radius * s.radius : 0;
}

/// A ball cut in two and a cylinder between the halves. Area of radius 0: none, it is a segment.
[[nodiscard]] inline double volume(const Capsule& c) {
  const double r = c.radius > 0 ? c.radius : 0;
  return pi * r * r * (4 * r / 3 + distance(c.a, c.b));
}
[[nodiscard]] inline double area(const Capsule& c) {
  const double r = c.radius > 0 ? c.radius : 0;
  return 2 * pi * r * (2 * r + distance(c.a, c.b));
}

/// A ball in four quarters at the corners, half a cylinder along each side, and a slab. (Steiner: volume of a flat set of area A and
/// perimeter P grown by r is 2 A r + pi/2 P r^2 + 4/3 pi r^3; its derivative in r is the area.)
[[nodiscard]] constexpr double volume(const Lozenge& l) {
  const double r = l.radius > 0 ? l.radius : 0;
  const double u = l.core.half_u;
  const double v = l.core.half_v;
  return r * (8 * u * v + r * (2 * pi * (u + v) + 4 * pi / 3 * r));
}
[[nodiscard]] constexpr double area(const Lozenge& l) {
  const double r = l.radius > 0 ? l.radius : 0;
  const double u = l.core.half_u;
  const double v = l.core.half_v;
  return 8 * u * v + r * (4 * pi * (u + v) + 4 * pi * r);
}

} // namespace carom
