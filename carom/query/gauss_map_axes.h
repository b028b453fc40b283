// The separating axes of two polytopes, all that matter and no more: the face normals of both, and the cross products of those edge pairs whose arcs cross on the Gauss
// map. They are the face normals of the difference B - A, so the greatest gap along any of them is the depth of polytopes that overlap,
// exactly and without a search.
//
// The Gauss map of a polytope takes a face to its outward normal, an edge to the arc between the normals of its two faces, a vertex to the region between
// such arcs: the directions in which it is farthest. Laid over each other, A's map and the mirror image of B's show the map of the difference. Where two
// arcs cross, and only there, two edges make a face of it.
//
// Flat polytopes need no case of their own. The edge of a polygon has half a circle for an arc, a segment the whole circle, a point has no arc.
#pragma once

#include "carom/geometry/separating_axis.h"
#include "carom/query/answer.h"
#include "carom/query/polytope_pair.h"

namespace [[gnu::visibility("default")]] carom {

/// The axis along which two polytopes are farthest apart, or overlap least, of all face normals of their difference.
struct GaussMapAxis {
  /// min over B of normal . b - max over A of normal . a. Overlapping: minus the depth. Apart: at most the distance, and equal to it unless a vertex is what is nearest
  /// to a vertex or an edge.
  double gap = 0;
  Vec3 normal{1, 0, 0}; ///< a unit vector from A toward B, in the world
  /// face_a or face_b, with the number of that face; edges, with the number of a half-edge of each; centers where there is no face and no edge pair: two
  /// points. The first of equals, faces before edges.
  AxisKind kind = AxisKind::centers;
  int feature_a = -1, feature_b = -1;
  int axes = 0; ///< how many were measured, for those who compare methods
  Status status = Status::ok;
};

/// O(faces) support lookups, and O(edges of A * (faces + edges of B)) cheap tests. Edges within an angle of 1e-6 of each other are taken without the test of their arcs: one axis too many never
/// harms, since every axis is measured on the polytopes themselves.
[[nodiscard]] GaussMapAxis greatest_gap_axis(const Polytope& a, const Pose& pose_a,
                                             const Polytope& b, const Pose& pose_b);

/// As signed_distance() for two hulls, with the same proof. Overlapping: the axis above. Apart, or touching to within rounding: the nearest points, from
/// quadratic_program.h, since the difference may be flat, and a vertex may be nearest to a vertex.
[[nodiscard]] SignedDistance signed_distance_by_axes(const Polytope& a, const Pose& pose_a,
                                                     const Polytope& b, const Pose& pose_b,
                                                     MethodTrace* trace = nullptr);

} // namespace carom
