// Crossings are counted without special cases by one rule. Think of p moved by (e, e^2) for an e smaller than anything: then it
// shares no y with a corner and lies on no edge. What the move decides, a tie in exact arithmetic decides here:
//   - the edge from a to b spans the height of p where (a.y <= p.y) differs from (b.y <= p.y);
//   - it is passed on the right where p is strictly on its left, seen along growing y; p on the edge has moved to its right.
// Both depend on the edge alone, not on the polygon that asks, so two polygons that share an edge never both claim p, nor both
// leave it out. Points on the boundary are told apart before.
//
// For a polyhedron the ray goes straight up, along z. The moved ray passes through a triangle where its moved foot lies in
// the triangle's projection to x and y: that is the same rule. A triangle on edge has a projection without area, and is never passed. A
// triangle that is passed lies above p or below: if p were on its plane, it would be in the closed triangle, hence on the boundary.
// The move does not change on which side of the surface p is, since p is not on it.
#include "carom/geometry/containment.h"

#include "carom/geometry/barycentric.h"
#include "carom/geometry/segment2.h"
#include "carom/math/predicates.h"

#include <algorithm>

namespace carom {
namespace {

/// Whether the moved p has the edge on its right. See above.
bool passes(const Vec2& p, const Vec2& a, const Vec2& b) {
  const bool a_below = a.y <= p.y;
  const bool b_below = b.y <= p.y;
  if (a_below == b_below) return false;
  return orient2d(a, b, p) * (a_below ? 1 : -1) > 0;
}

Vec2 drop_axis(const Vec3& v, int axis) {
  return axis == 0 ? Vec2{v.y, v.z} : axis == 1 ? Vec2{v.z, v.x} : Vec2{v.x, v.y};
}

bool on_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!carom::on_segment(drop_axis(p, axis), {drop_axis(a, axis), drop_axis(b, axis)}))
      return false;
  }
  return true;
}

/// The boundary of a triangle in a box is in that box: most triangles of a mesh are told apart by this.
bool outside_box(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 low = min(a, min(b, c));
  const Vec3 high = max(a, max(b, c));
  return p.x < low.x || p.y < low.y || p.z < low.z || p.x > high.x || p.y > high.y || p.z > high.z;
}

bool on_outline(const Vec2& p, std::span<const Vec2> polygon) {
  const std::size_t n = polygon.size();
  for (std::size_t i = 0, j = n - 1; i < n; j = i++) {
    if (on_segment(p, {polygon[j], polygon[i]})) return true;
  }
  return false;
}

/// p is passed by the triangle's projection, and the triangle lies above p.
bool passes_below(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  if (p.z > a.z && p.z > b.z && p.z > c.z) return false;
  const Vec2 q = drop_axis(p, 2);
  const Vec2 a2 = drop_axis(a, 2);
  const Vec2 b2 = drop_axis(b, 2);
  const Vec2 c2 = drop_axis(c, 2);
  const bool inside = passes(q, a2, b2) != (passes(q, b2, c2) != passes(q, c2, a2));
  return inside && orient2d(a2, b2, c2) * orient3d(a, b, c, p) < 0;
}

} // namespace

Containment locate_in_triangle(const Vec2& p, const Vec2& a, const Vec2& b, const Vec2& c) {
  const int turn = orient2d(a, b, c);
  const int ab = orient2d(a, b, p);
  const int bc = orient2d(b, c, p);
  const int ca = orient2d(c, a, p);
  if (turn == 0) {
    const bool on = on_segment(p, {a, b}) || on_segment(p, {b, c}) || on_segment(p, {c, a});
    return on ? Containment::boundary : Containment::outside;
  }
  if (ab * turn < 0 || bc * turn < 0 || ca * turn < 0) return Containment::outside;
  return ab == 0 || bc == 0 || ca == 0 ? Containment::boundary : Containment::inside;
}

Containment locate_in_triangle(const Vec3& p, const Triangle& t) {
  if (outside_box(p, t.a, t.b, t.c) || orient3d(t.a, t.b, t.c, p) != 0) return Containment::outside;
  // In a projection that keeps the triangle's area above zero, nothing on its plane is lost.
  for (int axis = 0; axis < 3; ++axis) {
    const Vec2 a = drop_axis(t.a, axis);
    const Vec2 b = drop_axis(t.b, axis);
    const Vec2 c = drop_axis(t.c, axis);
    if (orient2d(a, b, c) != 0) return locate_in_triangle(drop_axis(p, axis), a, b, c);
  }
  const bool on = on_segment(p, t.a, t.b) || on_segment(p, t.b, t.c) || on_segment(p, t.c, t.a);
  return on ? Containment::boundary : Containment::outside;
}

bool near_triangle(const Vec3& p, const Triangle& triangle, double tolerance) {
  const TriangleWeights w = barycentric(p, triangle);
  if (w.degenerate) {
    const Vec3 clamped = max(w.weights, Vec3{});
    const Vec3 nearest = triangle.at(clamped / (clamped.x + clamped.y + clamped.z));
    return distance(p, nearest) <= tolerance;
  }
  if (!(w.weights.x >= 0 && w.weights.y >= 0 && w.weights.z >= 0)) return false;
  return plane_distance(p, triangle) <= tolerance;
}

Containment locate_in_convex_linear(const Vec2& p, std::span<const Vec2> polygon) {
  const std::size_t n = polygon.size();
  if (n == 0) return Containment::outside;
  bool has_area = false;
  for (std::size_t i = 0, j = n - 1; i < n; j = i++) {
    if (orient2d(polygon[j], polygon[i], p) < 0) return Containment::outside;
    has_area = has_area || orient2d(polygon[0], polygon[j], polygon[i]) != 0;
  }
  if (on_outline(p, polygon)) return Containment::boundary;
  return has_area ? Containment::inside : Containment::outside;
}

Containment locate_in_convex(const Vec2& p, std::span<const Vec2> polygon) {
  const std::size_t n = polygon.size();
  if (n < 3 || orient2d(polygon[0], polygon[1], polygon[n - 1]) <= 0)
    return locate_in_convex_linear(p, polygon);
  const Vec2& apex = polygon[0];
  const int first = orient2d(apex, polygon[1], p);
  const int last = orient2d(apex, polygon[n - 1], p);
  if (first < 0 || last > 0) return Containment::outside;
  // The corner's angle is less than half a turn, so along the fan the side of p changes once: p lies between `low` and `high`. On the
  // line of the first edge, `low` ends as the last corner on that line; else `high` is the first corner that p is not left of. So
  // the straight corners of the apex's two edges are passed over.
  std::size_t low = 1;
  std::size_t high = n - 1;
  const int left = first == 0 ? 0 : 1;
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (orient2d(apex, polygon[middle], p) >= left ? low : high) = middle;
  }
  if (first == 0 || last == 0) {
    const bool on = on_segment(p, {apex, polygon[first == 0 ? low : high]});
    return on ? Containment::boundary : Containment::outside;
  }
  const int side = orient2d(polygon[low], polygon[high], p);
  return side < 0 ? Containment::outside : side == 0 ? Containment::boundary : Containment::inside;
}

Containment locate_in_polygon(const Vec2& p, std::span<const Vec2> polygon) {
  if (polygon.empty()) return Containment::outside;
  if (on_outline(p, polygon)) return Containment::boundary;
  bool inside = false;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    inside = inside != passes(p, polygon[j], polygon[i]);
  }
  return inside ? Containment::inside : Containment::outside;
}

Containment locate_in_tetrahedron(const Vec3& p, const Tetrahedron& t) {
  const int turn = orient3d(t.a, t.b, t.c, t.d);
  if (turn == 0) {
    const Triangle faces[] = {{t.a, t.b, t.c}, {t.a, t.b, t.d}, {t.a, t.c, t.d}, {t.b, t.c, t.d}};
    const bool on = std::any_of(std::begin(faces), std::end(faces), [&](const Triangle& f) {
      return locate_in_triangle(p, f) != Containment::outside;
    });
    return on ? Containment::boundary : Containment::outside;
  }
  // Replace each corner by p: the sign stays where p is on that corner's side of the face opposite.
  const int least =
      std::min({turn * orient3d(p, t.b, t.c, t.d), turn * orient3d(t.a, p, t.c, t.d),
                turn * orient3d(t.a, t.b, p, t.d), turn * orient3d(t.a, t.b, t.c, p)});
  return least < 0    ? Containment::outside
         : least == 0 ? Containment::boundary
                      : Containment::inside;
}

Containment locate_in_polyhedron(const Vec3& p, const ConvexPolyhedron& polyhedron) {
  bool touches = false;
  for (const HalfSpace& h : polyhedron.faces) {
    const int side = compare_dot(h.normal, p, h.offset);
    if (side > 0) return Containment::outside;
    touches = touches || side == 0;
  }
  return touches ? Containment::boundary : Containment::inside;
}

Containment locate_in_mesh(const Vec3& p, std::span<const Vec3> vertices,
                           std::span<const TriangleIndices> triangles) {
  bool inside = false;
  for (const TriangleIndices& t : triangles) {
    if (std::max({t[0], t[1], t[2]}) >= vertices.size()) continue;
    const Vec3& a = vertices[t[0]];
    const Vec3& b = vertices[t[1]];
    const Vec3& c = vertices[t[2]];
    if (locate_in_triangle(p, {a, b, c}) != Containment::outside) return Containment::boundary;
    inside = inside != passes_below(p, a, b, c);
  }
  return inside ? Containment::inside : Containment::outside;
}

} // namespace carom
