// Two convex polygons in the plane: whether they overlap, how far apart they are, with the proof.
//
// A polygon is its corners, counter-clockwise; straight and coincident corners are legal. One corner is a point, two are a segment.
#pragma once

#include "carom/math/vec2.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {

/// Whether closed convex polygons A and B have a point in common: touching counts. The decision is exact.
/// Proof: `point` lies in both, or `axis` separates them: axis . a < axis . b for all a of A and b of B, but for the rounding of
/// the axis itself (the line is an edge of A or B, exactly; or, for collinear segments, at right angles to them).
struct Overlap2 {
  bool hit = false;
  Vec2 point; ///< where hit: a common point. A corner of A or B where possible, and then exact
  Vec2 axis;  ///< where not: a unit vector from A toward B

  [[nodiscard]] explicit constexpr operator bool() const { return hit; }
};

/// O(n m) at worst. An empty polygon overlaps nothing; the axis is then the x axis.
[[nodiscard]] Overlap2 overlap(std::span<const Vec2> a, std::span<const Vec2> b);

/// The nearest points of A and B. Where they overlap: one common point, and 0, exactly where `overlap` says so.
/// Proof: the points, and the empty slab of that width at right angles to the axis.
struct ClosestPair2 {
  Vec2 on_a, on_b;
  double distance = 0;
  Vec2 axis; ///< a unit vector from A toward B, the slab's normal; zero where they overlap
};

/// O(n m). An empty polygon is infinitely far.
[[nodiscard]] ClosestPair2 closest_points(std::span<const Vec2> a, std::span<const Vec2> b);

} // namespace gnu::visibility("default")]]carom
