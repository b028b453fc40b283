// Where the surfaces of two meshes cut each other: the curves, the points where they only touch, the areas where they lie in each other.
//
//   MeshIntersection cut = intersection(pipe, pose_a, hull, pose_b);
//   for (const IntersectionCurve& c : cut.curves) weld_along(c.points, c.closed);
//
// verify::check_intersection confirms the answer by trying all pairs of triangles.
#pragma once

#include "carom/query/answer.h"
#include "carom/shape/shape.h"
#include "carom/shape/surface_intersection.h"

namespace [[gnu::visibility("default")]] carom {

/// Points are in the world; triangles are named by PartId.
struct MeshIntersection : SurfaceIntersection {
  /// `ok`, or `bad_input`: a pose is out of range, or a shape is none that has triangles. Then it is empty.
  Status status = Status::ok;
};

/// Of surfaces: a solid that is inside of another has no curve with it. Each shape is a mesh, or a compound of meshes, without rounding; of other shapes the status is bad_input, since
/// their surface is not made of triangles.
///
/// B's vertices are taken to A's frame in doubles, rounded once. From then on everything is decided exactly, and nothing by how near points are to each other: segments join where they end in the same
/// features (an edge of A through a triangle of B, an edge through an edge, a vertex on a triangle ...). Vertices in the same place are one vertex. So
///   - surfaces that are closed, and in general position (no vertex of the one on the other, no edges that cross), have closed curves only, and one segment for each pair of triangles that meet;
///   - a curve of surfaces with a border ends at the border. So it does at a T-junction, which is a border: a vertex on an edge that it does not divide (mesh/stitch.h repairs them);
///   - an edge lying in a triangle is one segment, however many triangles have that edge. Where triangles lie in each other there is an overlap, and around all of them the segments in which their neighbours meet.
/// A curve runs along normal_of_a x normal_of_b where its surfaces are consistently wound and cross.
///
/// The parts of compounds are surfaces by themselves: a curve is between one part of A and one of B.
///
/// A point is within 1e-14 of both sizes and the translations of where it really is. Allocates memory. Time: that of finding the pairs of triangles that meet, and O(n log n) for n of them.
[[nodiscard]] MeshIntersection intersection(const Shape& a, const Pose& pose_a, const Shape& b,
                                            const Pose& pose_b);

} // namespace carom
