// Planes by exact signs, polygons as fans of triangles, rectangles as boxes. Triangles are in cast_triangle.cpp.
#include "carom/geometry/cast_flat.h"

#include "carom/geometry/cast_box.h"
#include "carom/geometry/line_clipper.h"
#include "carom/geometry/triangle_meeting.h"
#include "carom/math/predicates.h"

#include <array>

namespace carom {
namespace {

// The triangles of the fan may be slivers whose planes tilt; the normal is that of the largest.
void face_line(LineSpan& span, const Vec3& direction, std::span<const Vec3> corners) {
  if (!span.hit || span.enter == -INFINITY) return;
  Triangle largest{corners[0], corners[1], corners[2]};
  for (std::size_t i = 3; i < corners.size(); ++i) {
    const Triangle t{corners[0], corners[i - 1], corners[i]};
    if (length_squared(t.normal()) > length_squared(largest.normal())) largest = t;
  }
  const Vec3 n = cast_detail::unit_normal(largest);
  if (n == Vec3{}) return;
  span.enter_normal = dot(n, direction) > 0 ? -n : n;
  span.exit_normal = -span.enter_normal;
}

LineSpan clip_fan(const Line& line, std::span<const Vec3> corners) {
  if (corners.empty()) return {};
  if (corners.size() < 3) return clip(line, Triangle{corners[0], corners.back(), corners.back()});
  LineSpan span;
  for (std::size_t i = 2; i < corners.size(); ++i) {
    span = cast_detail::join(span, clip(line, Triangle{corners[0], corners[i - 1], corners[i]}));
  }
  face_line(span, line.direction, corners);
  return span;
}

} // namespace

LineSpan clip(const Line& line, const Plane& plane) {
  const int side = compare_dot(plane.normal, line.origin, plane.offset);
  const int toward = sign_of_dot(plane.normal, line.direction);
  if (toward == 0) return {side == 0, -INFINITY, INFINITY, {}, {}};
  const double speed = dot(plane.normal, line.direction);
  const double t = side == 0 ? 0 : (plane.offset - dot(plane.normal, line.origin)) / speed;
  const Vec3 n = normalized(plane.normal);
  const Vec3 facing = toward > 0 ? -n : n;
  return {std::isfinite(t), t, t, facing, -facing};
}

LineSpan clip(const Line& line, const Polygon& polygon) {
  return clip_fan(line, polygon.vertices);
}

LineSpan clip(const Line& line, const Quad& quad) {
  return clip_fan(line, quad.vertices());
}

LineSpan clip(const Line& line, const Rectangle& r) {
  return clip(line, Obb{r.center, {r.u, r.v, cross(r.u, r.v)}, {r.half_u, r.half_v, 0}});
}

} // namespace carom
