// Moving things: when does A, translated by `motion` over t from 0 to 1, first touch B, which stands still?
//
// sweep(a, motion, b) is in
//   sweep_sphere.h      a ball against plane, half-space, ball, segment, capsule, rectangle, lozenge, triangle, polygon, box
//   sweep_box.h         a box against box, plane, half-space
//   sweep_convex.h      convex polytopes in space, convex polygons in the plane
//   interval_halving.h  anything else that has a distance and a greatest speed
//
// Two movers. Only the motion of one relative to the other counts: in the frame that travels with B, B stands still and A moves
// by motion_a - motion_b. That is exact, where moving one after the other is not: it makes false hits (A runs into where B was,
// or B into where A is going to be no longer) and misses (they cross). The form with two motions below does it.
//
// Touching. The sets are closed: t is the first time at which they have a point in common, t = 1 included, and grazing is a hit.
// Where rounding cannot tell a touch from a near miss (some epsilon of the greatest coordinate, motions and radii included), it
// counts as a touch.
// At the start. Things that touch or overlap at t = 0 hit at t = 0, whichever way they move, and `overlapping_at_start` says so.
// So things that recede hit only then.
// At rest. A zero motion hits only what it overlaps at the start.
// NaN or infinite numbers give an answer, but which is not defined.
#pragma once

#include "carom/math/vec3.h"

#include <concepts>

namespace [[gnu::visibility("default")]] carom {

/// The first contact.
///
/// Proof of a hit: at time t the point lies in both sets, and the plane through it with this normal has B behind and A in front.
/// A comes from the front (motion . normal <= 0), so the gap along the normal was there at all times before: one direction proves
/// them all.
/// Proof of a miss: B is convex, and so is all that A sweeps; so one direction keeps them apart at all times. See `normal`.
struct Sweep {
  bool hit = false;
  double t = 0; ///< of the first contact, in [0, 1]
  /// A common point then (one of them where edges or faces touch), in the frame in which B stands still.
  Vec3 point;
  /// Of a hit: a unit vector from B toward A, the normal of the plane between them at time t. Where they overlap at the start:
  /// the direction of the shortest translation of A that makes them only touch.
  /// Of a miss, for boxes and polytopes: a unit vector with normal . b < normal . a for all of B and all that A sweeps. For a
  /// ball against all but planes: zero.
  Vec3 normal;
  bool overlapping_at_start = false; ///< they touch or overlap at t = 0

  [[nodiscard]] explicit constexpr operator bool() const { return hit; }
};

/// What sweep() knows.
template<class A, class B>
concept Sweepable = requires(const A& a, const Vec3& motion, const B& b) {
  { sweep(a, motion, b) } -> std::same_as<Sweep>;
};

/// Both move. The point is where the contact is in the world at time t.
template<class A, class B>
requires Sweepable<A, B>
[[nodiscard]] Sweep sweep(const A& a, const Vec3& motion_a, const B& b, const Vec3& motion_b) {
  Sweep result = sweep(a, motion_a - motion_b, b);
  if (result.hit) result.point += motion_b * result.t;
  return result;
}

} // namespace carom
