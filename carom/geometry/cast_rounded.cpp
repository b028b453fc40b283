// Flat things. A polygon is a fan of triangles around its first corner. Over each stands a prism as high as the radius on both
// sides, around each edge lies a capsule. The diagonals get theirs, too: a line that rounding lets slip between two prisms meets
// the capsule.
//   A prism is cut in coordinates along the triangle's longest edge e, across it (h), and off the plane (w). For a sliver,
// rounding can turn the plane only about e, and its points are near e: they stay where they are (see flat_frame.h).
//
// Boxes. The box grown by the radius on all sides contains the rounded box and has its flat faces in common with it. A line that
// comes in and goes out through the flat faces, or misses, is done. Else the span is the hull of three boxes, each grown along
// one axis, and twelve capsules.
#include "carom/geometry/cast_rounded.h"

#include "carom/geometry/cast_box.h"
#include "carom/geometry/cast_flat.h"
#include "carom/geometry/cast_round.h"
#include "carom/geometry/line_clipper.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <array>

namespace carom {
namespace {

using cast_detail::across;
using cast_detail::Clipper;
using cast_detail::join;

/// The points over the triangle, on both sides, up to the radius.
LineSpan clip_prism(const Line& line, const Triangle& t, double radius) {
  const double ab = length_squared(t.b - t.a), bc = length_squared(t.c - t.b),
               ca = length_squared(t.a - t.c);
  const int first = ab >= bc && ab >= ca ? 0 : bc >= ca ? 1 : 2;
  const Vec3& corner = t[first];
  const double base = length(t[(first + 1) % 3] - corner);
  if (!(base > 0)) return {};
  const Vec3 e = (t[(first + 1) % 3] - corner) / base;
  const Vec3 side = t[(first + 2) % 3] - corner;
  const Vec3 rise = across(side, e);
  const double height = length(rise);
  // One as thin as rounding has no direction across: the capsules cover it.
  if (!(height > 4 * tolerance::epsilon * base)) return {};
  const Vec3 h = rise / height, w = cross(e, h);
  const double foot = dot(side, e);

  const Vec3 m = line.origin - corner;
  const double x = dot(e, m), y = dot(h, m), z = dot(w, m);
  const double dx = dot(e, line.direction), dy = dot(h, line.direction),
               dz = dot(w, line.direction);
  Clipper clipper;
  clipper.cut(radius - z, dz, w);
  clipper.cut(radius + z, -dz, -w);
  // The walls, inside of the rounded triangle, meet its surface only at their rims, where the normal is w or -w.
  const Vec3 up = dz > 0 ? -w : w;
  const auto wall = [&](double nx, double ny, double room) {
    clipper.cut(room - (nx * x + ny * y), nx * dx + ny * dy, up);
  };
  wall(0, -1, 0);
  wall(-height, foot, 0);
  wall(height, base - foot, height * base);
  // The corners at e may be sharp: there a rounding of the two walls that meet reaches far along e. The third is never below 60
  // degrees.
  wall(-1, 0, 0);
  wall(1, 0, base);
  return clipper.finish();
}

LineSpan clip_edge(const Line& line, const Vec3& a, const Vec3& b, double radius) {
  return clip(line, Capsule{a, b, radius});
}

/// In the box's own frame.
LineSpan clip_rounded_box(const Line& line, const Vec3& half, double radius) {
  const auto grown = [&](const Vec3& by) { return Aabb{-half - by, half + by}; };
  const LineSpan fat = clip(line, grown({radius, radius, radius}));
  if (!fat.hit) return fat;
  const auto on_flat_face = [&](double t, const Vec3& normal) {
    const Vec3 p = abs(line.at(t));
    const int face = largest_axis(normal);
    const int i = (face + 1) % 3, j = (face + 2) % 3;
    return p[i] <= half[i] && p[j] <= half[j];
  };
  if (on_flat_face(fat.enter, fat.enter_normal) && on_flat_face(fat.exit, fat.exit_normal)) {
    return fat;
  }
  LineSpan span;
  for (int axis = 0; axis < 3; ++axis) {
    span = join(span, clip(line, grown(unit_axis(axis) * radius)));
    // The four edges along this axis.
    for (int k = 0; k < 4; ++k) {
      Vec3 b = half;
      if (k & 1) b[(axis + 1) % 3] = -b[(axis + 1) % 3];
      if (k & 2) b[(axis + 2) % 3] = -b[(axis + 2) % 3];
      Vec3 a = b;
      a[axis] = -a[axis];
      span = join(span, clip_edge(line, a, b, radius));
    }
  }
  return span;
}

} // namespace

LineSpan clip_rounded(const Line& line, const Triangle& triangle, double radius) {
  return clip_rounded(line, Polygon{std::array{triangle.a, triangle.b, triangle.c}}, radius);
}

LineSpan clip_rounded(const Line& line, const Polygon& polygon, double radius) {
  const std::span<const Vec3> v = polygon.vertices;
  if (v.empty()) return {};
  if (!(radius > 0)) return clip(line, polygon);
  LineSpan span = clip_edge(line, v[0], v[v.size() > 1 ? 1 : 0], radius);
  for (std::size_t i = 2; i < v.size(); ++i) {
    span = join(span, clip_edge(line, v[i - 1], v[i], radius));
    span = join(span, clip_edge(line, v[i], v[0], radius));
    span = join(span, clip_prism(line, {v[0], v[i - 1], v[i]}, radius));
  }
  return span;
}

LineSpan clip_rounded(const Line& line, const Aabb& box, double radius) {
  if (box.empty()) return {};
  if (!(radius > 0)) return clip(line, box);
  return clip_rounded_box({line.origin - box.center(), line.direction}, box.half(), radius);
}

LineSpan clip_rounded(const Line& line, const Obb& box, double radius) {
  if (!(radius > 0)) return clip(line, box);
  LineSpan span = clip_rounded_box(
      {box.frame().to_local(line.origin), box.frame().direction_to_local(line.direction)}, box.half,
      radius);
  span.enter_normal = box.axes * span.enter_normal;
  span.exit_normal = box.axes * span.exit_normal;
  return span;
}

} // namespace carom
