// The curves in which the triangles of two trees cut each other.
#pragma once

#include "carom/shape/surface_intersection.h"
#include "carom/tree/triangle_pairs.h"

namespace [[gnu::visibility("default")]] carom {

/// Where the surfaces meet, in A's frame; triangles by their numbers, of part 0 and material 0. B's vertices are taken there in doubles, rounded once; from then on everything is decided exactly, and nothing by how near points are to each other: segments join
/// where they end in the same features (an edge of A through a triangle of B, an edge through an edge, a vertex on a triangle ...). Vertices in the same place are one vertex. So
///   - surfaces that are closed, and in general position (no vertex of the one on the other, no edges that cross), have closed curves only, and one segment for each pair of triangles that meet;
///   - a curve of surfaces with a border ends at the border. So it does at a T-junction, which is a border: a vertex on an edge that it does not divide;
///   - an edge lying in a triangle is one segment, however many triangles have that edge. Where triangles lie in each other there is an overlap, and around all of them the segments in which their neighbours meet.
/// A point is within 8 epsilon of the greatest |coordinate| of where it really is, in each component.
///
/// A curve runs along normal_of_a x normal_of_b where its surfaces are consistently wound and cross. Neither the points nor the order of anything depends on how triangles and vertices are numbered.
///
/// O(n log n) for n pairs that meet, and what it takes to find them.
[[nodiscard]] SurfaceIntersection surface_intersection(const TriangleSet& a, const TriangleSet& b,
                                                       const Frame& b_in_a);

} // namespace carom
