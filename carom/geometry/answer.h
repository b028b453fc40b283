// What the tests between primitives answer, and how each answer proves itself.
#pragma once

#include "carom/math/vec3.h"

namespace [[gnu::visibility("default")]] carom {

/// The point of a convex set nearest to a given point p, and its distance from p: 0, and p itself, where p lies in the set.
/// Proof: the point lies in the set, and the plane through it at right angles to p - point has all of the set behind it.
struct ClosestPoint {
  Vec3 point;
  double distance = 0;
};

/// The nearest points of two convex sets A and B. Where they overlap, the distance is 0 and both are one common point. Where several
/// pairs are nearest (parallel things), it is one of them.
/// Proof: the points lie in the sets, and the slab between them, at right angles to on_b - on_a, has A on one side and B on the other.
struct ClosestPair {
  Vec3 on_a, on_b;
  double distance = 0;
};

/// Whether two closed convex sets A and B have a point in common: touching counts.
/// Proof: `point` lies in both, or `axis` separates them: axis . a < axis . b for all a of A and b of B.
struct Overlap {
  bool hit = false;
  Vec3 point; ///< where hit: a common point
  Vec3 axis;  ///< where not: a unit vector from A toward B

  [[nodiscard]] explicit constexpr operator bool() const { return hit; }
  [[nodiscard]] static constexpr Overlap at(const Vec3& common_point) {
    return {true, common_point, {}};
  }
  [[nodiscard]] static constexpr Overlap separated(const Vec3& unit_axis) {
    return {false, {}, unit_axis};
  }
};

/// The same answer with A and B exchanged.
[[nodiscard]] constexpr Overlap flipped(const Overlap& o) { return {o.hit, o.point, -o.axis}; }
[[nodiscard]] constexpr ClosestPair flipped(const ClosestPair& c) {
  return {c.on_b, c.on_a, c.distance};
}

} // namespace carom
