// Line, ray and segment against a triangle. Where they meet is decided in triangle_meeting.cpp; here the answer is completed, and cut to
// the range of t: exactly, by the side of the triangle's plane on which the ends lie.
#include "carom/geometry/cast_flat.h"
#include "carom/geometry/line_clipper.h"
#include "carom/geometry/triangle_meeting.h"

#include <algorithm>

namespace carom {
namespace {

using cast_detail::meet;
using cast_detail::Meeting;

// A normal for the line where the triangle is degenerate: at right angles to both, or for a point straight against the line.
Vec3 degenerate_normal(const Vec3& direction, const Triangle& t) {
  const Vec3 u = t.b - t.a, v = t.c - t.a, w = t.c - t.b;
  Vec3 edge = length_squared(u) > length_squared(v) ? u : v;
  if (length_squared(w) > length_squared(edge)) edge = w;
  if (edge == Vec3{}) return -normalized(direction);
  // Once more away from the edge: what the product of nearly parallel vectors lost there. Along the edge any will do.
  const Vec3 along = normalized(edge);
  const Vec3 side = normalized_or(cross(along, normalized(direction)), perpendicular(along));
  return normalized_or(cast_detail::across(side, along), perpendicular(along));
}

Vec3 facing_normal(const Vec3& direction, const Triangle& t, const Meeting& m) {
  const Vec3 n = cast_detail::unit_normal(t);
  if (n == Vec3{}) return degenerate_normal(direction, t);
  return m.along_normal > 0 ? -n : n;
}

// Of a point within the triangle but for rounding.
Vec3 barycentric(const Triangle& t, const Vec3& p) {
  const Vec3 u = t.b - t.a, v = t.c - t.a, r = p - t.a;
  const Vec3 n = cross(u, v);
  const double nn = length_squared(n);
  Vec3 weights;
  if (nn > 0x1p-20 * length_squared(u) * length_squared(v)) {
    weights.y = dot(n, cross(r, v)) / nn;
    weights.z = dot(n, cross(u, r)) / nn;
    weights.x = 1 - weights.y - weights.z;
  } else { // thin: along the longest edge
    const Vec3 e[3] = {t.b - t.a, t.c - t.b, t.a - t.c};
    int k = length_squared(e[1]) > length_squared(e[0]) ? 1 : 0;
    k = length_squared(e[2]) > length_squared(e[k]) ? 2 : k;
    const double ee = length_squared(e[k]);
    const double part = ee > 0 ? dot(p - t[k], e[k]) / ee : 0;
    weights[k] = 1 - part;
    weights[(k + 1) % 3] = part;
  }
  weights = max(weights, {});
  return weights / (weights.x + weights.y + weights.z);
}

TriangleHit hit_at(double at, const Vec3& point, const Vec3& direction, const Triangle& t,
                   const Meeting& m, bool inside) {
  TriangleHit hit;
  hit.hit = true;
  hit.t = at;
  hit.point = point;
  hit.normal = inside ? Vec3{} : facing_normal(direction, t, m);
  hit.inside = inside;
  hit.barycentric = barycentric(t, point);
  hit.front = m.along_normal <= 0;
  return hit;
}

} // namespace

LineSpan clip(const Line& line, const Triangle& triangle) {
  const Meeting m = meet({line.origin, line.direction}, triangle);
  if (!m.hit) return {};
  if (m.enter == -INFINITY) return {true, -INFINITY, INFINITY, {}, {}};
  const Vec3 n = facing_normal(line.direction, triangle, m);
  return {true, m.enter, m.exit, n, -n};
}

TriangleHit cast(const Line& line, const Triangle& triangle) {
  const Meeting m = meet({line.origin, line.direction}, triangle);
  if (!m.hit) return {};
  const bool inside = m.enter == -INFINITY;
  const double t = inside ? 0 : m.enter;
  return hit_at(t, line.at(t), line.direction, triangle, m, inside);
}

TriangleHit cast(const Ray& ray, const Triangle& triangle, double t_max) {
  if (!(t_max >= 0)) return {};
  const Meeting m = meet({ray.origin, ray.direction}, triangle);
  if (!m.hit) return {};
  if (m.in_plane) {
    if (!(m.exit >= 0 && m.enter <= t_max)) return {};
    const double t = std::max(m.enter, 0.0);
    return hit_at(t, ray.at(t), ray.direction, triangle, m, m.enter < 0);
  }
  // Ahead where the origin is on the side that the line comes from.
  if (orient3d(triangle.a, triangle.b, triangle.c, ray.origin) * m.along_normal > 0) return {};
  const double t = std::max(m.enter, 0.0);
  if (!(t <= t_max)) return {};
  return hit_at(t, ray.at(t), ray.direction, triangle, m, false);
}

TriangleHit cast(const Segment& segment, const Triangle& triangle) {
  const Vec3 d = segment.direction();
  const Meeting m = meet({segment.a, d, &segment.b}, triangle);
  if (!m.hit) return {};
  if (m.in_plane) {
    if (!(m.exit >= 0 && m.enter <= 1)) return {};
    const double t = std::max(m.enter, 0.0);
    return hit_at(t, segment.at(t), d, triangle, m, m.enter < 0);
  }
  const auto& [a, b, c] = triangle;
  if (orient3d(a, b, c, segment.a) * m.along_normal > 0) return {};
  if (orient3d(a, b, c, segment.b) * m.along_normal < 0) return {};
  const double t = std::clamp(m.enter, 0.0, 1.0);
  return hit_at(t, segment.at(t), d, triangle, m, false);
}

} // namespace carom
