// One triangle's part in the question how often a closed surface is wound around a point: is it crossed by a ray from there along an axis? Exact. (Whether the point is on it: locate_in_triangle, containment.h.)
//
// In the view along the axis the ray is a point q, and a triangle is crossed where its projection is wound around q: 1, -1 or 0 times. That is a sum over the three sides, each of which counts the
// same, with opposite sign, for the neighbour that it is a side of, too. So nothing is counted twice or missed where the ray meets an edge or a vertex: it is as if q were moved by an
// infinitesimal amount, the same for all sides. (To the right, and by far less up.)
//
// The sum over a closed surface of the triangles on one side of the point, along any axis, is how often it is wound around the point.
#pragma once

#include "carom/geometry/triangle.h"

namespace [[gnu::visibility("default")]] carom {

/// Where a point is with respect to a closed surface.
enum class PointPlace { outside, on_surface, inside };

/// A ray along an axis of the coordinates, from any point.
struct AxisRay {
  int axis = 2;        ///< 0, 1, 2: x, y, z
  bool forward = true; ///< to +infinity, else to -infinity
};

/// What the triangle adds for a ray from the point: 1 where the ray comes out at its front (its corners are counter-clockwise seen from the far end of the ray), -1 where it
/// comes out at its back, 0 where they do not meet. The sum over a closed surface is the same for both directions of an axis, and, where the point is not on the surface, for all
/// axes. Numbers that are not finite give any of the three.
[[nodiscard]] int crossing(const Triangle& t, const Vec3& point, const AxisRay& ray = {});

} // namespace carom
