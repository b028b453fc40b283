// How the tests of closest points judge an answer.
//
// `size` is the greatest coordinate of the case. Three things must hold to within `tight` = 32 epsilon size:
//   the points lie in the sets, and are as far apart as the answer says;
//   the distance is that of an independent reference.
// And the answer's own proof must hold: the slab between the points is empty. The points are rounded, by epsilon size each, so a slab of
// width D is tilted by up to epsilon size / D, and the sets, of that size, may reach epsilon size^2 / D into it. No method avoids that.
#pragma once

#include "carom/math/tolerance.h"
#include "carom/verify/check.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

#include <cmath>

namespace carom::test {

inline constexpr double tight = 32 * tolerance::epsilon;

template<class A, class B>
verify::Verdict judge(const A& a, const B& b, const ClosestPair& c, double reference, double size,
                      double factor = tight) {
  const double slack = factor * size;
  if (!(verify::distance(c.on_a, a) <= slack)) return verify::Verdict::no("on_a is off A");
  if (!(verify::distance(c.on_b, b) <= slack)) return verify::Verdict::no("on_b is off B");
  if (!(std::fabs(length(c.on_b - c.on_a) - c.distance) <= slack)) {
    return verify::Verdict::no("the distance is not that of the points");
  }
  if (!(std::fabs(c.distance - reference) <= slack)) {
    return verify::Verdict::no(
        "the distance is off by " +
        std::to_string((c.distance - reference) / size / tolerance::epsilon) +
        " epsilon of the size " + std::to_string(size));
  }
  const double tilt = c.distance > 0 ? size / c.distance : 0;
  return verify::check_closest(a, b, c, slack * (1 + tilt));
}

template<class A>
verify::Verdict judge(const Vec3& p, const A& a, const ClosestPoint& c, double size,
                      double factor = tight) {
  return judge(p, a, ClosestPair{p, c.point, c.distance}, verify::distance(p, a), size, factor);
}

/// A whole case made tiny or huge, and moved: x -> x scale + offset.
struct Placement {
  double scale = 1;
  Vec3 offset;

  [[nodiscard]] Vec3 operator()(const Vec3& p) const { return p * scale + offset; }
};
/// Offsets in proportion, as far as 1e6 times the size of the case.
inline Placement placement(Source& source) {
  const double s = scale(source);
  return {s, offset(source) * s};
}

inline Line moved(const Placement& m, const Line& x) {
  return {m(x.origin), x.direction * m.scale};
}
inline Ray moved(const Placement& m, const Ray& x) {
  return {m(x.origin), x.direction * m.scale};
}
inline Segment moved(const Placement& m, const Segment& x) {
  return {m(x.a), m(x.b)};
}
inline Plane moved(const Placement& m, const Plane& x) {
  return {x.normal, x.offset * m.scale + dot(x.normal, m.offset)};
}
inline HalfSpace moved(const Placement& m, const HalfSpace& x) {
  return {x.normal, x.offset * m.scale + dot(x.normal, m.offset)};
}
inline Triangle moved(const Placement& m, const Triangle& x) {
  return {m(x.a), m(x.b), m(x.c)};
}
inline Tetrahedron moved(const Placement& m, const Tetrahedron& x) {
  return {m(x.a), m(x.b), m(x.c), m(x.d)};
}
inline Quad moved(const Placement& m, const Quad& x) {
  return {m(x.a), m(x.b), m(x.c), m(x.d)};
}
inline Rectangle moved(const Placement& m, const Rectangle& x) {
  return {m(x.center), x.u, x.v, x.half_u * m.scale, x.half_v * m.scale};
}
inline Sphere moved(const Placement& m, const Sphere& x) {
  return {m(x.center), x.radius * m.scale};
}
inline Capsule moved(const Placement& m, const Capsule& x) {
  return {m(x.a), m(x.b), x.radius * m.scale};
}
inline Lozenge moved(const Placement& m, const Lozenge& x) {
  return {moved(m, x.core), x.radius * m.scale};
}
inline Cylinder moved(const Placement& m, const Cylinder& x) {
  return {m(x.center), x.axis, x.half_height * m.scale, x.radius * m.scale};
}
inline Cone moved(const Placement& m, const Cone& x) {
  return {m(x.apex), x.axis, x.height * m.scale, x.radius * m.scale};
}
inline ConeFrustum moved(const Placement& m, const ConeFrustum& x) {
  return {m(x.a), x.axis, x.height * m.scale, x.radius_a * m.scale, x.radius_b * m.scale};
}
inline Ellipsoid moved(const Placement& m, const Ellipsoid& x) {
  return {m(x.center), x.axes, x.radii * m.scale};
}
inline Aabb moved(const Placement& m, const Aabb& x) {
  return {m(x.min), m(x.max)};
}
inline Obb moved(const Placement& m, const Obb& x) {
  return {m(x.center), x.axes, x.half * m.scale};
}
inline ViewFrustum moved(const Placement& m, const ViewFrustum& x) {
  return {m(x.eye), x.axes, x.near * m.scale, x.far * m.scale, x.slope_x, x.slope_y};
}
template<int K>
Kdop<K> moved(const Placement& m, Kdop<K> x) {
  for (std::size_t i = 0; i < Kdop<K>::slabs; ++i) {
    const double shift = dot(Kdop<K>::directions()[i], m.offset);
    x.min[i] = x.min[i] * m.scale + shift;
    x.max[i] = x.max[i] * m.scale + shift;
  }
  return x;
}
inline OwnedPolygon moved(const Placement& m, OwnedPolygon x) {
  for (Vec3& v : x.corners) v = m(v);
  return x;
}
inline OwnedPolyhedron moved(const Placement& m, OwnedPolyhedron x) {
  for (HalfSpace& h : x.faces) h = moved(m, h);
  return x;
}

} // namespace carom::test
