// Barycentric coordinates: a point as a weighted mean of the corners of a triangle or tetrahedron.
#pragma once

#include "carom/geometry/triangle.h"

#include <array>

namespace [[gnu::visibility("default")]] carom {

struct TriangleWeights {
  Vec3 weights;            ///< of a, b, c; they add up to 1, but for rounding
  bool degenerate = false; ///< the triangle has exactly no area: see below
};

/// The weights of the point of the triangle's plane nearest to p: all >= 0 where that is in the triangle, one of them negative
/// beyond an edge. A weight that is exactly 0 is 0, and the signs are right, for slivers of any thinness where they are computed exactly (sine
/// of the angle at a below 1/4); otherwise a weight may be off by 64 epsilon times the ratio of |p - a| to the triangle's edges.
/// Degenerate: the weights of the point nearest to p on the line of the longest edge, the third weight being 0; where all three
/// corners coincide, (1, 0, 0).
[[nodiscard]] TriangleWeights barycentric(const Vec3& p, const Triangle& triangle);

/// The distance of p from the plane of the triangle, to a few epsilon of itself. 0 where the triangle is degenerate.
[[nodiscard]] double plane_distance(const Vec3& p, const Triangle& triangle);

struct TetrahedronWeights {
  std::array<double, 4> weights{}; ///< of a, b, c, d; they add up to 1, but for rounding
  bool degenerate = false;         ///< the tetrahedron has exactly no volume: see below
};

/// Each weight has the right sign, is 0 exactly where p lies on the plane of the face opposite, and has a relative error of a few epsilon.
/// Degenerate: the weights in the largest face of the point nearest to p on that face's plane, 0 for the corner opposite.
[[nodiscard]] TetrahedronWeights barycentric(const Vec3& p, const Tetrahedron& tetrahedron);

} // namespace gnu::visibility("default")]]carom
