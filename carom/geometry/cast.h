// Straight things against solids and surfaces: where a line is inside, and what a ray or a segment meets first.
//
// A line meets a convex solid in one interval of its parameter t. So there is one function for each solid, `clip(line, solid)`, and
// everything else follows from it here: cast(line, solid), cast(ray, solid), cast(segment, solid). The solids are in
//   cast_flat.h        plane, triangle, quad, polygon, rectangle
//   cast_box.h         box along the axes, box along its own, k-DOP
//   cast_round.h       sphere, capsule, lozenge, ellipsoid
//   cast_cone.h        cylinder, cone, cone frustum
//   cast_polyhedron.h  half-space, convex polyhedron, view frustum, tetrahedron
// Spherical shells are not convex, and have several parts: cast_shell.h.
//
// Touching. Sets are closed: a line that only touches has hit. Nothing that truly touches is missed: where rounding cannot tell a touch
// from a near miss (some epsilon times the size of the coordinates relative to the solid), it counts as a touch.
// Parallel. A line in the plane of a face, or along an axis or an edge, is in the solid like any other.
// A zero direction makes the line a point: it hits, with every t, exactly where the point lies in the solid.
// Degenerate solids (flat, thin as a segment, a point) are met like others. An empty one is never met.
// Numbers that are NaN or infinite give an answer, but which is not defined.
#pragma once

#include "carom/geometry/line.h"

#include <cmath>
#include <concepts>

namespace [[gnu::visibility("default")]] carom {

/// The part of a line in a convex set: enter <= t <= exit, counted in multiples of the line's direction.
/// Infinite ends where the set, or the direction's zero length, does not end it. The normals are unit vectors: the plane through the
/// end with that normal has the whole set behind it, and the line comes through it from the front (enter) or the back (exit).
/// They are zero where the end is infinite. Without a hit nothing else is defined.
struct LineSpan {
  bool hit = false;
  double enter = -INFINITY, exit = INFINITY;
  Vec3 enter_normal, exit_normal;
};

/// What a straight thing meets first.
/// Proof of a hit: the point lies in the set and on the line, and the plane through it with this normal has the whole set behind
/// it and all that came before in front (direction . normal <= 0).
struct Cast {
  bool hit = false;
  double t = 0; ///< where: in multiples of the direction; from 0 to 1 on a segment
  Vec3 point;   ///< origin + t direction
  Vec3 normal;  ///< unit, against the direction; zero where `inside`
  /// The start lies in the solid, and not just where the line enters it: then t = 0 and the point is the start. (A line
  /// has no start: `inside` means that it comes from infinity within the solid, and t is the one in the solid nearest to 0.)
  bool inside = false;

  [[nodiscard]] explicit constexpr operator bool() const { return hit; }
};

/// What clip() knows.
template<class S>
concept Clippable = requires(const Line& line, const S& set) {
  { clip(line, set) } -> std::same_as<LineSpan>;
};

/// The first point of the line, from t = -infinity on.
template<Clippable S>
[[nodiscard]] Cast cast(const Line& line, const S& set) {
  const LineSpan span = clip(line, set);
  if (!span.hit) return {};
  if (span.enter > -INFINITY) {
    return {true, span.enter, line.at(span.enter), span.enter_normal, false};
  }
  const double t = span.exit < 0 ? span.exit : 0;
  return {true, t, line.at(t), {}, true};
}

/// The first t of [0, t_max] in a span of a ray's line.
[[nodiscard]] inline Cast first_in_range(const LineSpan& span, const Ray& ray, double t_max) {
  if (!span.hit || !(span.enter <= t_max) || !(span.exit >= 0) || !(t_max >= 0)) return {};
  if (span.enter < 0) return {true, 0, ray.origin, {}, true};
  return {true, span.enter, ray.at(span.enter), span.enter_normal, false};
}

/// The first point with 0 <= t <= t_max. A negative t_max misses everything.
template<Clippable S>
[[nodiscard]] Cast cast(const Ray& ray, const S& set, double t_max = INFINITY) {
  return first_in_range(clip(Line{ray.origin, ray.direction}, set), ray, t_max);
}

/// The first point from a (t = 0) to b (t = 1).
template<Clippable S>
[[nodiscard]] Cast cast(const Segment& segment, const S& set) {
  Cast result = cast(Ray{segment.a, segment.direction()}, set, 1);
  if (result.hit) result.point = segment.at(result.t);
  return result;
}

} // namespace carom
