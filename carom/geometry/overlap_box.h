// Whether a box (along the world's axes, or along its own) meets another thing.
//
// Two forms of each test. `overlaps` is the quick Boolean. `overlap` gives the same Boolean with its proof: a common point, or an axis
// that separates. Touching counts as overlapping. Empty boxes overlap nothing. Flat boxes (half-lengths of 0) and
// degenerate triangles are legal.
//
// How right the Boolean is:
//   box of the world against box of the world, triangle, plane, half-space    exact;
//   the rest    exact for the second thing as it is carried into the first one's frame, which rounds its coordinates by a few
//               epsilon. It may go either way where the two are that close to touching (tolerance::boolean_band), but not
//               elsewhere, however thin, sharp or parallel things are. Where that carrying rounds nothing (quarter turns, small
//               integers), it is exact.
// (Against spheres: rounded as written, relative to the distance.)
// Common points lie within boolean_band times the size of both things.
#pragma once

#include "carom/geometry/answer.h"
#include "carom/geometry/box.h"
#include "carom/geometry/plane.h"
#include "carom/geometry/separating_axis.h"
#include "carom/geometry/swept_sphere.h"
#include "carom/geometry/triangle.h"

namespace [[gnu::visibility("default")]] carom {

// Box and box.

[[nodiscard]] constexpr bool overlaps(const Aabb& a, const Aabb& b) {
  return !a.empty() && !b.empty() && a.min.x <= b.max.x && b.min.x <= a.max.x &&
         a.min.y <= b.max.y && b.min.y <= a.max.y && a.min.z <= b.max.z && b.min.z <= a.max.z;
}
[[nodiscard]] bool overlaps(const Aabb& a, const Obb& b);
[[nodiscard]] bool overlaps(const Obb& a, const Obb& b);
/// The box -half <= x <= half against b, which is given in its frame: what the tests above come to. A tree that carries the
/// relative placement along saves computing it anew.
[[nodiscard]] bool overlaps_centered(const Vec3& half, const Obb& b);

/// The common point is the least corner of the common box, exactly.
[[nodiscard]] Overlap overlap(const Aabb& a, const Aabb& b);
[[nodiscard]] Overlap overlap(const Aabb& a, const Obb& b);
[[nodiscard]] Overlap overlap(const Obb& a, const Obb& b);

/// The axis, of the 15 that matter, on which a and b overlap least, or are farthest apart: the penetration depth and its direction
/// where they overlap. `feature_a` and `feature_b` are numbers of box axes: the normal of the face, or the edges' direction.
/// `separated` is the sign of depth (rounded, within a few epsilon of the size); the exact decision is that of `overlaps`.
[[nodiscard]] SeparatingAxis least_depth_axis(const Obb& a, const Obb& b);

// Box and triangle.

[[nodiscard]] bool overlaps(const Aabb& a, const Triangle& b);
[[nodiscard]] bool overlaps(const Obb& a, const Triangle& b);
[[nodiscard]] Overlap overlap(const Aabb& a, const Triangle& b);
[[nodiscard]] Overlap overlap(const Obb& a, const Triangle& b);

// Box and ball. The common point is the point of the box nearest to the ball's center.

[[nodiscard]] bool overlaps(const Aabb& a, const Sphere& b);
[[nodiscard]] bool overlaps(const Obb& a, const Sphere& b);
[[nodiscard]] Overlap overlap(const Aabb& a, const Sphere& b);
[[nodiscard]] Overlap overlap(const Obb& a, const Sphere& b);

// Box and plane, box and half-space. The normal may have any length. (A zero normal: all of space or nothing, by the offset.)

[[nodiscard]] bool overlaps(const Aabb& a, const Plane& b);
[[nodiscard]] bool overlaps(const Obb& a, const Plane& b);
[[nodiscard]] bool overlaps(const Aabb& a, const HalfSpace& b);
[[nodiscard]] bool overlaps(const Obb& a, const HalfSpace& b);
[[nodiscard]] Overlap overlap(const Aabb& a, const Plane& b);
[[nodiscard]] Overlap overlap(const Obb& a, const Plane& b);
/// The common point is the corner farthest inside.
[[nodiscard]] Overlap overlap(const Aabb& a, const HalfSpace& b);
[[nodiscard]] Overlap overlap(const Obb& a, const HalfSpace& b);

} // namespace gnu::visibility("default")]]carom
