// The rectangle of least area around points of the plane.
#pragma once

#include "carom/math/vec2.h"

#include <array>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// center + s axis + t left(axis) with |s| <= half_u, |t| <= half_v. The axis is a unit vector. Either half may be 0.
struct Rectangle2 {
  Vec2 center;
  Vec2 axis{1, 0};
  double half_u = 0, half_v = 0;

  [[nodiscard]] constexpr double area() const { return 4 * half_u * half_v; }
  /// Counter-clockwise.
  [[nodiscard]] constexpr std::array<Vec2, 4> corners() const {
    const Vec2 u = axis * half_u;
    const Vec2 v = left(axis) * half_v;
    return {center - u - v, center + u - v, center + u + v, center - u + v};
  }
};

/// The rectangle of least area that contains a convex polygon, given counter-clockwise, strictly convex (as `convex_hull` makes it). One of
/// its sides lies along an edge of the polygon; of equals, the first edge. O(n), rotating calipers.
/// All corners are inside to within 8 epsilon times the greatest |coordinate|. The area exceeds the least by no more than 8 epsilon
/// times the greatest |coordinate| times the polygon's perimeter.
/// Two corners: the segment, half_v = 0. One: the point. None: all zero.
[[nodiscard]] Rectangle2 min_area_rectangle(std::span<const Vec2> hull);

} // namespace gnu::visibility("default")]]carom
