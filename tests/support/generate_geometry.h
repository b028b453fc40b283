// Random and deliberately degenerate primitives: flat, thin, pointed, vanishing, aligned.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/cone.h"
#include "carom/geometry/convex_polyhedron.h"
#include "carom/geometry/ellipsoid.h"
#include "carom/geometry/kdop.h"
#include "carom/geometry/line.h"
#include "carom/geometry/plane.h"
#include "carom/geometry/polygon.h"
#include "carom/geometry/swept_sphere.h"
#include "carom/geometry/triangle.h"
#include "carom/geometry/view_frustum.h"
#include "tests/support/generate.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace carom::test {

inline Mat3 axes(Source& source) { return to_matrix(rotation(source)); }

inline Line line(Source& source) {
  const Vec3 origin = vec3(source);
  return {origin, stretched_direction(source)};
}

inline Ray ray(Source& source) {
  const Line l = line(source);
  return {l.origin, l.direction};
}

/// Sometimes a point, sometimes tiny.
inline Segment segment(Source& source) {
  const Vec3 a = vec3(source);
  switch (source.index(4)) {
  case 0:
    return {a, vec3(source)};
  case 1:
    return {a, a + halved_direction(source, 30)};
  case 2:
    return {a, source.chance(2) ? a : a + direction(source)};
  default:
    return {a, a + stretched_direction(source)};
  }
}

/// For functions that require a unit normal.
inline Plane unit_plane(Source& source) {
  const Vec3 n = direction(source);
  return {n, real(source)};
}

/// How long a normal may be: 1 as often as not.
inline double normal_length(Source& source) {
  static constexpr double lengths[] = {1, 1, 1, 1, 2, 1e-6, 1e6};
  const int i = source.index(8);
  return i < 7 ? lengths[i] : positive(source);
}

/// With a normal of any length; sometimes of small whole numbers.
inline Plane plane(Source& source) {
  const Plane p = unit_plane(source);
  if (source.chance(8)) {
    const Vec3 n = vec3(source);
    return {max_abs(n) > 0 ? n : p.normal, p.offset};
  }
  const double l = normal_length(source);
  return {p.normal * l, p.offset * l};
}

inline HalfSpace half_space(Source& source) {
  const Plane p = plane(source);
  return {p.normal, p.offset};
}

/// Often in a coordinate plane, sometimes a sliver, a segment or a point.
inline Triangle triangle(Source& source) {
  Triangle t{vec3(source), vec3(source), vec3(source)};
  switch (source.index(8)) {
  case 4:
    t.a.z = t.b.z = t.c.z = real(source);
    break;
  case 5: {
    const Vec3 between = lerp(t.a, t.b, source.uniform(0, 1));
    t.c = between + halved_vec3(source, 35) * 0x1p-20;
    break;
  }
  case 6:
    t.c = lerp(t.a, t.b, source.index(5) * 0.25);
    break;
  case 7:
    t.b = t.a;
    t.c = source.chance(3) ? t.a : t.c;
    break;
  default:
    break;
  }
  return t;
}

/// Sometimes flat.
inline Tetrahedron tetrahedron(Source& source) {
  const Triangle t = triangle(source);
  if (source.chance(4)) return {t.a, t.b, t.c, t.at({real(source), real(source), real(source)})};
  return {t.a, t.b, t.c, vec3(source)};
}

inline Rectangle rectangle(Source& source) {
  const Mat3 m = axes(source);
  const Vec3 center = vec3(source);
  const double u = radius(source);
  const double v = radius(source);
  return {center, m.x, m.y, u, v};
}

/// A flat convex polygon that owns its corners: 1 to 12 of them on an ellipse, so strictly convex up to rounding.
struct OwnedPolygon {
  std::vector<Vec3> corners;

  [[nodiscard]] Polygon view() const { return {corners}; }
};

inline OwnedPolygon polygon(Source& source) {
  const Rectangle r = rectangle(source);
  std::vector<double> angles;
  const int n = 3 + source.index(6);
  for (int i = 0; i < n; ++i)
    angles.push_back(source.chance(2) ? source.index(16) / 16.0 : source.unit());
  std::sort(angles.begin(), angles.end());
  angles.erase(std::unique(angles.begin(), angles.end()), angles.end());
  OwnedPolygon result;
  for (const double a : angles) {
    result.corners.push_back(r.at(r.half_u * std::cos(6.283185307179586 * a),
                                  r.half_v * std::sin(6.283185307179586 * a)));
  }
  return result;
}

/// Flat and convex.
inline Quad quad(Source& source) {
  const Rectangle r = rectangle(source);
  const auto v = r.vertices();
  if (source.index(2) == 0) return {v[0], v[1], v[2], v[3]};
  // Corners drawn in along the diagonals by different amounts keep it convex while the diagonals cross.
  const auto draw = [&](const Vec3& p) { return lerp(r.center, p, source.uniform(0.1, 1)); };
  const Vec3 a = draw(v[0]);
  const Vec3 b = draw(v[1]);
  const Vec3 c = draw(v[2]);
  return {a, b, c, draw(v[3])};
}

inline Sphere sphere(Source& source) {
  const Vec3 c = vec3(source);
  return {c, radius(source)};
}

inline Capsule capsule(Source& source) {
  const Segment s = segment(source);
  return {s.a, s.b, radius(source)};
}

inline Lozenge lozenge(Source& source) {
  const Rectangle r = rectangle(source);
  return {r, radius(source)};
}

inline Cylinder cylinder(Source& source) {
  const Vec3 center = vec3(source);
  const Vec3 axis = direction(source);
  const double half_height = radius(source);
  return {center, axis, half_height, radius(source)};
}

inline Cone cone(Source& source) {
  const Cylinder c = cylinder(source);
  return {c.center, c.axis, c.half_height, c.radius};
}

inline ConeFrustum cone_frustum(Source& source) {
  const Cylinder c = cylinder(source);
  return {c.center, c.axis, c.half_height, c.radius, radius(source)};
}

inline Ellipsoid ellipsoid(Source& source) {
  const Vec3 center = vec3(source);
  const Mat3 m = axes(source);
  const double x = radius(source);
  const double y = radius(source);
  const double z = radius(source);
  return {center, m, {x, y, z}};
}

inline Aabb aabb(Source& source) {
  const Vec3 a = vec3(source);
  const Vec3 b = vec3(source);
  return {min(a, b), max(a, b)};
}

inline Obb obb(Source& source) {
  const Ellipsoid e = ellipsoid(source);
  return {e.center, e.axes, e.radii};
}

inline ViewFrustum view_frustum(Source& source) {
  const Vec3 eye = vec3(source);
  const Mat3 m = axes(source);
  const double near = radius(source);
  const double far = near + positive(source);
  const double x = source.uniform(0.05, 2);
  const double y = source.uniform(0.05, 2);
  return {eye, m, near, far, x, y};
}

/// Tight around a few points, hence never empty, sometimes flat or a point.
template<int K>
Kdop<K> kdop(Source& source) {
  Kdop<K> result;
  const int n = 1 + source.index(6);
  for (int i = 0; i < n; ++i) {
    const Vec3 p = vec3(source);
    for (std::size_t k = 0; k < static_cast<std::size_t>(Kdop<K>::slabs); ++k) {
      const double d = dot(Kdop<K>::directions()[k], p);
      result.min[k] = std::min(result.min[k], d);
      result.max[k] = std::max(result.max[k], d);
    }
  }
  return result;
}

/// A bounded convex polyhedron around a point: the faces of a box, and up to six more that may cut it. Unit normals.
struct OwnedPolyhedron {
  std::vector<HalfSpace> faces;

  [[nodiscard]] ConvexPolyhedron view() const { return {faces}; }
};

inline OwnedPolyhedron convex_polyhedron(Source& source) {
  const Obb box = obb(source);
  OwnedPolyhedron result;
  for (int i = 0; i < 3; ++i) {
    const double middle = dot(box.axes[i], box.center), h = box.half[i] + 0.125;
    result.faces.push_back({box.axes[i], middle + h});
    result.faces.push_back({-box.axes[i], h - middle});
  }
  for (int i = source.index(7); i > 0; --i) {
    const Vec3 n = direction(source);
    result.faces.push_back({n, dot(n, box.center) + radius(source)});
  }
  return result;
}

/// The same faces, with normals of any length.
inline OwnedPolyhedron stretched(Source& source, OwnedPolyhedron polyhedron) {
  for (HalfSpace& h : polyhedron.faces) {
    const double l = normal_length(source);
    h = {h.normal * l, h.offset * l};
  }
  return polyhedron;
}

} // namespace carom::test
