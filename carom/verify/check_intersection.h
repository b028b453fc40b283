// Is this where two surfaces of triangles meet, all of it, and each part once? By trying every pair of triangles: for small meshes.
#pragma once

#include "carom/shape/surface_intersection.h"
#include "carom/verify/check.h"

#include <array>
#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// Triangles by the numbers of their corners, the vertices as they are placed.
struct PlacedTriangles {
  std::span<const Vec3> vertices;
  std::span<const std::array<std::uint32_t, 3>> triangles;
};

/// Whether it holds that
///   - each segment, point and area is what its two triangles have in common (geometry/triangle_triangle.h: exact but for the rounding of points), to within the tolerance;
///   - each two triangles that meet in an area are listed once; those that meet in a segment have it in a curve, once, no matter how many triangles share an edge that it lies in; and
///     those that meet in a point have it among the points, the curves' points or the areas' corners, to within the tolerance;
///   - the triangles of segments that follow each other are the same, or have a corner in common, on either surface;
///   - a curve that ends where an edge of the one passes through the inside of a triangle of the other ends at a border there: the edge has one triangle with an area, or more than two.
/// Triangles whose corners are in the same places count as one, the first.
///
/// The tolerance is a length: 32 epsilon of the greatest |coordinate| is that of two points rounded by different means. O(n m).
[[nodiscard]] Verdict check_intersection(const PlacedTriangles& a, const PlacedTriangles& b,
                                         const SurfaceIntersection& answer, double tolerance);

} // namespace verify
} // namespace carom
