// Box against triangle: 13 axes, each decided exactly.
//
//   3  the axes of the box              compare the coordinates
//   1  the normal of the triangle       all 8 corners strictly on one side of its plane
//   9  box edges x triangle edges       e_i x edge looks along axis i: in that view a line through the triangle's edge has
//                                       the third vertex on one side (or on it), and the 4 corners strictly on the other
// The last two are signs of orient3d and orient2d at the corners, hence exact for all triangles, also degenerate ones (whose normal is
// zero: nothing is on a side) and slivers (whose normal in doubles may point anywhere). A quick evaluation in
// doubles comes first. With the box's center as origin, it compares the distance d of the triangle along the axis with the radius r of
// the box:
//   d > r + error     separated, done;
//   d < r - error     no separation on this axis;
//   between           asked exactly.
// An edge parallel to axis i gives a zero axis, on which nothing is separated; the exact form says so, too.
//
// An oriented box is this test in its own frame, into which the triangle's vertices are carried (and rounded).
#include "carom/geometry/box_clip.h"
#include "carom/geometry/overlap_box.h"
#include "carom/math/predicates.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom {
namespace {

enum class Side { inside, outside, unsure };

/// The triangle's projections low .. high against -radius .. radius.
Side compare(double low, double high, double radius, double error) {
  if (low > radius + error || high < -(radius + error)) return Side::outside;
  return low < radius - error && high > -(radius - error) ? Side::inside : Side::unsure;
}

/// The point seen along axis i.
Vec2 drop(const Vec3& p, int i) {
  return i == 0 ? Vec2{p.y, p.z} : i == 1 ? Vec2{p.z, p.x} : Vec2{p.x, p.y};
}

struct Query {
  const Aabb& box;
  const Triangle& triangle;
  Vec3 half;
  std::array<Vec3, 3> vertex; ///< from the center of the box
  double error;               ///< what projections on an axis of length 1 may be off by, and more
};

Query make_query(const Aabb& box, const Triangle& t) {
  const Vec3 c = box.center();
  const Vec3 h = box.half();
  const Query q{box, t, h, {t.a - c, t.b - c, t.c - c}, 0};
  const double size = max_abs(c) + max_abs(h) +
                      std::max({max_abs(q.vertex[0]), max_abs(q.vertex[1]), max_abs(q.vertex[2])});
  // c, h and the vertices are off by half an epsilon of the size each, and the components of a projection add at most 5 more.
  return {box, t, h, q.vertex, 0x1p-49 * size};
}

bool plane_separates(const Query& q) {
  const Triangle& t = q.triangle;
  const int first = orient3d(t.a, t.b, t.c, q.box.corner(0));
  if (first == 0) return false;
  for (int i = 1; i < 8; ++i) {
    if (orient3d(t.a, t.b, t.c, q.box.corner(i)) != first) return false;
  }
  return true;
}

bool normal_separates(const Query& q) {
  const Vec3 u = q.triangle.b - q.triangle.a;
  const Vec3 v = q.triangle.c - q.triangle.a;
  const Vec3 n = cross(u, v);
  // The components of n may be off by 2 epsilon of those of |u| x |v| with plus signs: here by their upper bound.
  const double n_error = 2 * max_abs(u) * max_abs(v);
  const double d = dot(n, q.vertex[0]);
  const double r = dot(abs(n), q.half);
  const Side side = compare(d, d, r, q.error * 3 * n_error);
  return side == Side::unsure ? plane_separates(q) : side == Side::outside;
}

bool line_separates(const Query& q, int axis, int edge) {
  const Vec2 a = drop(q.triangle[edge], axis);
  const Vec2 b = drop(q.triangle[(edge + 1) % 3], axis);
  const int third = orient2d(a, b, drop(q.triangle[(edge + 2) % 3], axis));
  const Vec2 low = drop(q.box.min, axis);
  const Vec2 high = drop(q.box.max, axis);
  const int first = orient2d(a, b, low);
  return first != 0 && first != third && orient2d(a, b, high) == first &&
         orient2d(a, b, {low.x, high.y}) == first && orient2d(a, b, {high.x, low.y}) == first;
}

bool edge_separates(const Query& q, int axis, int edge) {
  const auto at = [&](int i) { return drop(q.vertex[static_cast<std::size_t>(i % 3)], axis); };
  const Vec2 along =
      drop(q.triangle[(edge + 1) % 3], axis) - drop(q.triangle[edge], axis); // rounded once
  const Vec2 half = drop(q.half, axis);
  const double on_edge = cross(along, at(edge));
  const double third = cross(along, at(edge + 2));
  const double axis_length = std::fabs(along.x) + std::fabs(along.y);
  const double radius = half.x * std::fabs(along.y) + half.y * std::fabs(along.x);
  const Side side =
      compare(std::min(on_edge, third), std::max(on_edge, third), radius, q.error * axis_length);
  return side == Side::unsure ? axis_length != 0 && line_separates(q, axis, edge)
                              : side == Side::outside;
}

/// The number of an axis that separates: 0-2 the box's, 3 the normal, 4 + 3 axis + edge; -1 for none.
int find_axis(const Aabb& box, const Triangle& t) {
  const Vec3 low = min(min(t.a, t.b), t.c);
  const Vec3 high = max(max(t.a, t.b), t.c);
  for (int i = 0; i < 3; ++i) {
    if (low[i] > box.max[i] || high[i] < box.min[i]) return i;
  }
  const Query q = make_query(box, t);
  if (normal_separates(q)) return 3;
  for (int axis = 0; axis < 3; ++axis) {
    for (int edge = 0; edge < 3; ++edge) {
      if (edge_separates(q, axis, edge)) return 4 + 3 * axis + edge;
    }
  }
  return -1;
}

/// The axis as a unit vector, from the box toward the triangle. The normal is formed exactly, for slivers; the other axes have no
/// cancellation.
Vec3 axis_vector(const Aabb& box, const Triangle& t, int axis) {
  Vec3 v;
  if (axis < 3) {
    v = unit_axis(axis);
  } else if (axis == 3) {
    v = accurate_cross(t.a, t.b, t.a, t.c);
  } else {
    const int edge = (axis - 4) % 3;
    v = cross(unit_axis((axis - 4) / 3), t[(edge + 1) % 3] - t[edge]);
  }
  const Vec3 n = normalized(v);
  // Of the two signs, that with the wider gap.
  const Vec3 c = box.center();
  const double a = dot(n, t.a - c);
  const double b = dot(n, t.b - c);
  const double d = dot(n, t.c - c);
  return std::min({a, b, d}) + std::max({a, b, d}) < 0 ? -n : n;
}

/// A point of the triangle in the box -half .. half: the triangle clipped by it.
Vec3 common_point(const Vec3& half, const Triangle& t) {
  const std::array<Vec3, 3> vertices{t.a, t.b, t.c};
  const double size = max_abs(half) + std::max({max_abs(t.a), max_abs(t.b), max_abs(t.c)});
  Vec3 point = t.a;
  static_cast<void>(point_in_box(vertices, half, 0x1p-49 * size, point));
  return point;
}

Triangle in_frame(const Frame& frame, const Triangle& t) {
  return {frame.to_local(t.a), frame.to_local(t.b), frame.to_local(t.c)};
}

} // namespace

bool overlaps(const Aabb& a, const Triangle& b) {
  return !a.empty() && find_axis(a, b) < 0;
}

bool overlaps(const Obb& a, const Triangle& b) {
  return overlaps(Aabb{-a.half, a.half}, in_frame(a.frame(), b));
}

Overlap overlap(const Aabb& a, const Triangle& b) {
  if (a.empty()) return Overlap::separated({1, 0, 0});
  const int axis = find_axis(a, b);
  if (axis >= 0) return Overlap::separated(axis_vector(a, b, axis));
  const Vec3 c = a.center();
  return Overlap::at(c + common_point(a.half(), {b.a - c, b.b - c, b.c - c}));
}

Overlap overlap(const Obb& a, const Triangle& b) {
  const Overlap o = overlap(Aabb{-a.half, a.half}, in_frame(a.frame(), b));
  return o.hit ? Overlap::at(a.frame().to_world(o.point))
               : Overlap::separated(normalized(a.frame().direction_to_world(o.axis)));
}

} // namespace carom
