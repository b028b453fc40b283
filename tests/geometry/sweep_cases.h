// Motions made to touch: at the start, at the end, on the way, head-on, grazing by a hair, sliding, receding, at rest; at all
// scales, near and far.
#pragma once

#include "carom/geometry/support.h"
#include "carom/math/tolerance.h"
#include "carom/verify/check_sweep.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

#include <sstream>
#include <string>

namespace carom::test {

// --- For messages.

inline std::string text(const Vec3& v) {
  std::ostringstream out;
  out.precision(17);
  out << '(' << v.x << ' ' << v.y << ' ' << v.z << ')';
  return out.str();
}
inline std::string text(const Sweep& s) {
  std::ostringstream out;
  out.precision(17);
  out << (s.hit ? " hit" : " miss") << " t " << s.t << " at " << text(s.point) << " normal "
      << text(s.normal);
  return out.str();
}

// --- A whole case scaled and moved.

struct Placement {
  double scale = 1;
  Vec3 offset;

  [[nodiscard]] Vec3 operator()(const Vec3& p) const { return (p + offset) * scale; }
};

inline Placement placement(Source& source) {
  const double s = scale(source);
  return {s, offset(source)};
}

inline Vec3 placed(const Vec3& p, const Placement& place) { return place(p); }
inline Sphere placed(const Sphere& s, const Placement& p) {
  return {p(s.center), s.radius * p.scale};
}
inline Segment placed(const Segment& s, const Placement& p) { return {p(s.a), p(s.b)}; }
inline Capsule placed(const Capsule& c, const Placement& p) {
  return {p(c.a), p(c.b), c.radius * p.scale};
}
inline Rectangle placed(const Rectangle& r, const Placement& p) {
  return {p(r.center), r.u, r.v, r.half_u * p.scale, r.half_v * p.scale};
}
inline Lozenge placed(const Lozenge& l, const Placement& p) {
  return {placed(l.core, p), l.radius * p.scale};
}
inline Triangle placed(const Triangle& t, const Placement& p) { return {p(t.a), p(t.b), p(t.c)}; }
inline Tetrahedron placed(const Tetrahedron& t, const Placement& p) {
  return {p(t.a), p(t.b), p(t.c), p(t.d)};
}
inline OwnedPolygon placed(OwnedPolygon polygon, const Placement& p) {
  for (Vec3& v : polygon.corners) v = p(v);
  return polygon;
}
inline Aabb placed(const Aabb& b, const Placement& p) { return {p(b.min), p(b.max)}; }
inline Obb placed(const Obb& b, const Placement& p) {
  return {p(b.center), b.axes, b.half * p.scale};
}

// --- How great the numbers are.

inline double greatest(const Vec3& p) { return max_abs(p); }
inline double greatest(const Sphere& s) { return max_abs(s.center) + s.radius; }
inline double greatest(const Segment& s) { return std::max(max_abs(s.a), max_abs(s.b)); }
inline double greatest(const Capsule& c) { return greatest(c.core()) + c.radius; }
inline double greatest(const Rectangle& r) { return max_abs(r.center) + r.half_u + r.half_v; }
inline double greatest(const Lozenge& l) { return greatest(l.core) + l.radius; }
inline double greatest(const Triangle& t) {
  return std::max({max_abs(t.a), max_abs(t.b), max_abs(t.c)});
}
inline double greatest(const Tetrahedron& t) {
  return std::max(greatest(Triangle{t.a, t.b, t.c}), max_abs(t.d));
}
inline double greatest(const Polygon& p) {
  double size = 0;
  for (const Vec3& v : p.vertices) size = std::max(size, max_abs(v));
  return size;
}
inline double greatest(const Aabb& b) { return std::max(max_abs(b.min), max_abs(b.max)); }
inline double greatest(const Obb& b) { return max_abs(b.center) + 2 * max_abs(b.half); }
inline double greatest(const Plane& p) { return std::fabs(p.offset); }
inline double greatest(const HalfSpace& h) { return std::fabs(h.offset); }

// --- Motions.

/// A vector to move by: of size about 1, sometimes zero, long or short.
inline Vec3 any_motion(Source& source) {
  static constexpr double lengths[] = {1, 1, 2, 4, 0, 1e-3, 1e3, 0x1p-40};
  const Vec3 d = direction(source);
  return d * lengths[source.index(8)];
}

/// A time at which to touch: often the very start or end.
inline double any_time(Source& source) {
  static constexpr double times[] = {0.5, 0, 1, 0.25, -0.25, 1.25};
  const int i = source.index(8);
  return i < 6 ? times[i] : source.unit();
}

/// Nothing, or a hair either way.
inline double hair(Source& source) {
  if (source.chance(2)) return 0;
  const double sign = source.index(2) ? 1 : -1;
  return sign * std::ldexp(1.0, -20 - source.index(34));
}

/// How A, which has its point farthest in direction -n at `low`, moves to touch at B's point `high`, farthest along n. Returns
/// where A's point `low` has to start.
struct Approach {
  Vec3 start, motion;
};
inline Approach approach(Source& source, const Vec3& high, const Vec3& n) {
  Vec3 m = any_motion(source);
  switch (source.index(4)) {
  case 0: // grazing
    m -= n * dot(m, n);
    break;
  case 1: // head-on
    m = n * -length(m);
    break;
  case 2: // in front it comes, else it recedes
    m = dot(m, n) > 0 ? -m : m;
    break;
  default:
    break;
  }
  const double t = any_time(source);
  return {high + n * hair(source) - m * t, m};
}

/// 64 roundings of the greatest number in play; for a normal that shows over a distance of `reach`, as much more as the size is
/// more than that.
inline verify::SweepTolerance sweep_tolerance(double size, double reach) {
  const double e = 64 * tolerance::epsilon * size;
  return {e, reach > 0 ? e * (1 + size / reach) : e};
}

} // namespace carom::test
