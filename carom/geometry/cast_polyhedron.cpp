// One cut for each half-space. A parallel line outside any of them misses. A tetrahedron is entered and left through its faces, which are
// triangles with exact tests of their own.
#include "carom/geometry/cast_polyhedron.h"

#include "carom/geometry/cast_flat.h"
#include "carom/geometry/line_clipper.h"
#include "carom/geometry/triangle_meeting.h"
#include "carom/math/predicates.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <iterator>

namespace carom {
namespace {

using cast_detail::clip_or_touch;
using cast_detail::Clipper;
using cast_detail::join;
using cast_detail::meet;
using cast_detail::Meeting;
using cast_detail::unit_normal;

// Tetrahedra. A line that is not in the plane of a face meets it entering or leaving, by the sign of direction . outward normal. One that
// touches an edge or a corner meets faces of both kinds there; one in the plane of a face meets others at the face's edges. So both
// ends are found without faces that the line lies in.
LineSpan clip_solid(const Line& line, const Triangle (&faces)[4], int outside) {
  LineSpan span{false, INFINITY, -INFINITY, {}, {}};
  for (const Triangle& f : faces) {
    const Meeting m = meet({line.origin, line.direction}, f);
    if (!m.hit || m.in_plane) continue;
    span.hit = true;
    const Vec3 outward = unit_normal(f) * outside;
    if (m.along_normal * outside < 0) {
      if (m.enter < span.enter) {
        span.enter = m.enter;
        span.enter_normal = outward;
      }
    } else if (m.exit > span.exit) {
      span.exit = m.exit;
      span.exit_normal = outward;
    }
  }
  span.exit = std::max(span.enter, span.exit); // a touch, rounded
  return span;
}

// The faces that have an area; where none has, the longest edge is all there is.
LineSpan clip_flat(const Line& line, const Tetrahedron& t, const Triangle (&faces)[4]) {
  LineSpan span;
  bool any = false;
  for (const Triangle& f : faces) {
    if (unit_normal(f) == Vec3{}) continue;
    any = true;
    span = join(span, clip(line, f));
  }
  if (any) return span;
  Triangle longest{t.a, t.b, t.b};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < i; ++j) {
      if (distance_squared(t[i], t[j]) > distance_squared(longest.a, longest.b)) {
        longest = {t[i], t[j], t[j]};
      }
    }
  }
  return clip(line, longest);
}

} // namespace

LineSpan clip(const Line& line, const HalfSpace& h) {
  const int side = compare_dot(h.normal, line.origin, h.offset);
  const int toward = sign_of_dot(h.normal, line.direction);
  if (toward == 0) return {side <= 0, -INFINITY, INFINITY, {}, {}};
  Clipper clipper;
  const double room = side == 0 ? 0 : h.offset - dot(h.normal, line.origin);
  clipper.cut(room, dot(h.normal, line.direction), normalized(h.normal));
  return clipper.finish();
}

LineSpan clip(const Line& line, const ConvexPolyhedron& polyhedron) {
  double size = max_abs(line.origin);
  for (const HalfSpace& h : polyhedron.faces) size = std::max(size, std::fabs(h.offset));
  // Dot products of unit normals with three terms: some roundings of their greatest coordinates.
  return clip_or_touch(4 * tolerance::epsilon * size, [&](double slack) {
    Clipper clipper;
    for (const HalfSpace& h : polyhedron.faces) {
      clipper.cut(h.offset - dot(h.normal, line.origin) + slack, dot(h.normal, line.direction),
                  h.normal);
    }
    return clipper.finish();
  });
}

LineSpan clip(const Line& line, const ViewFrustum& frustum) {
  const auto faces = frustum.half_spaces();
  return clip(line, ConvexPolyhedron{faces});
}

LineSpan clip(const Line& line, const Tetrahedron& t) {
  // All four with their normals to the same side: out where d is behind a, b, c.
  const Triangle faces[4] = {{t.a, t.b, t.c}, {t.a, t.d, t.b}, {t.b, t.d, t.c}, {t.c, t.d, t.a}};
  const int outside = -orient3d(t.a, t.b, t.c, t.d);
  if (line.direction == Vec3{}) {
    const bool in = std::all_of(std::begin(faces), std::end(faces), [&](const Triangle& f) {
      return outside != 0 && orient3d(f.a, f.b, f.c, line.origin) * outside <= 0;
    });
    if (in) return {true, -INFINITY, INFINITY, {}, {}};
  }
  return outside != 0 && line.direction != Vec3{} ? clip_solid(line, faces, outside)
                                                  : clip_flat(line, t, faces);
}

} // namespace carom
