// Whether two primitives meet: the whole matrix.
//
//   Overlap overlap(a, b)    the answer with its proof: a common point, or a unit axis from a toward b that separates
//   bool overlaps(a, b)      the same Boolean alone, quicker where a cheaper test exists
// for every ordered pair of Sphere, Aabb, Obb, Capsule, Lozenge, Kdop<6, 14, 18, 26>, Triangle, Polygon, Plane, HalfSpace, Cone, Cylinder and
// ViewFrustum. Touching counts as overlapping. Sets that are empty (an Aabb or Kdop with min > max, a Polygon without corners, a ViewFrustum
// with near > far) meet nothing. docs/primitives.md has the table of methods.
//
// Other bounded convex sets with a support mapping (support.h: points, segments, tetrahedra, quads, rectangles, cone frustums,
// ellipsoids) may take part, too.
#pragma once

#include "carom/geometry/overlap_box.h"
#include "carom/geometry/overlap_convex.h"
#include "carom/geometry/overlap_kdop.h"
#include "carom/geometry/overlap_plane.h"
#include "carom/geometry/overlap_round.h"
#include "carom/geometry/triangle_triangle.h"

namespace [[gnu::visibility("default")]] carom {

// The pairs that are written in one order only (overlap_box.h), in the other.
[[nodiscard]] inline Overlap overlap(const Obb& a, const Aabb& b) { return flipped(overlap(b, a)); }
[[nodiscard]] inline Overlap overlap(const Triangle& a, const Aabb& b) { return flipped(overlap(b, a)); }
[[nodiscard]] inline Overlap overlap(const Triangle& a, const Obb& b) { return flipped(overlap(b, a)); }
[[nodiscard]] inline Overlap overlap(const Sphere& a, const Aabb& b) { return flipped(overlap(b, a)); }
[[nodiscard]] inline Overlap overlap(const Sphere& a, const Obb& b) { return flipped(overlap(b, a)); }
[[nodiscard]] inline bool overlaps(const Obb& a, const Aabb& b) { return overlaps(b, a); }
[[nodiscard]] inline bool overlaps(const Triangle& a, const Aabb& b) { return overlaps(b, a); }
[[nodiscard]] inline bool overlaps(const Triangle& a, const Obb& b) { return overlaps(b, a); }
[[nodiscard]] inline bool overlaps(const Sphere& a, const Aabb& b) { return overlaps(b, a); }
[[nodiscard]] inline bool overlaps(const Sphere& a, const Obb& b) { return overlaps(b, a); }
[[nodiscard]] inline bool overlaps(const Plane& a, const Aabb& b) { return overlaps(b, a); }
[[nodiscard]] inline bool overlaps(const Plane& a, const Obb& b) { return overlaps(b, a); }
[[nodiscard]] inline bool overlaps(const HalfSpace& a, const Aabb& b) { return overlaps(b, a); }
[[nodiscard]] inline bool overlaps(const HalfSpace& a, const Obb& b) { return overlaps(b, a); }

/// Every other pair: the answer without its proof.
template<class A, class B>
[[nodiscard]] auto overlaps(const A& a, const B& b) -> decltype(overlap(a, b).hit) {
  return overlap(a, b).hit;
}

} // namespace carom
