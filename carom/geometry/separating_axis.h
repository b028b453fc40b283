// The separating-axis test for two convex polytopes given by their vertices, face normals and edge directions.
//
// Two disjoint convex polytopes are separated by a plane at right angles to a normal of a face of the one or the other, or to the cross
// product of an edge of each. The test projects both on each such axis and compares the intervals. The same axes give the
// penetration: two solids that overlap come apart by the shortest translation along the axis on which they overlap least.
//
// An axis is only a witness. Whatever it is and however it was rounded, the polytopes are projected on it as it stands, vertex by
// vertex. So a bad axis never makes a false separation: it can only miss one.
#pragma once

#include "carom/math/vec3.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {

/// The convex hull of the vertices. Normals and edges need not be unit vectors; of parallel or opposite ones, one is enough
/// (3 of each do for a box). Zero vectors are ignored.
/// A flat polytope has the normal of its plane, and as further normals those of its edges within that plane. A segment has two or three
/// normals around it and itself as its edge; a point has none of either. The empty set has no vertices.
struct PolytopeView {
  std::span<const Vec3> vertices;
  std::span<const Vec3> normals;
  std::span<const Vec3> edges;
};

/// Where an axis comes from.
enum class AxisKind {
  start,   ///< the caller's own
  centers, ///< from the mean of A's vertices to that of B's
  face_a,  ///< a normal of A
  face_b,  ///< a normal of B
  edges,   ///< an edge of A cross an edge of B
};

struct SeparatingAxis {
  /// True only where they are apart for certain: by more than the projections can be off by rounding, 8 epsilon times the greatest
  /// |coordinate|. Closer than that, and touching, is overlapping.
  bool separated = false;
  /// A unit vector from A toward B.
  Vec3 axis{1, 0, 0};
  /// How deep A and B reach into each other along the axis: max axis . a - min axis . b over a in A and b in B. Moving B by depth * axis
  /// makes them touch. Negative where they are apart: -depth is the width of the empty slab, at most the distance.
  /// Minus infinity where A or B is empty.
  double depth = 0;
  AxisKind kind = AxisKind::centers;
  int feature_a = -1; ///< index of A's normal (face_a) or edge (edges), else -1
  int feature_b = -1; ///< index of B's normal (face_b) or edge (edges), else -1
};

struct SeparatingAxisOptions {
  /// Return the first axis found that separates. Otherwise all are tried, for the one of least depth.
  bool stop_at_first = false;
  /// Tried first unless zero, and of any length: the axis that separated the pair last time nearly always does so again.
  Vec3 start{0, 0, 0};
};

/// The axis of least depth of those tried: `start`, the line through the centers, the normals of A, the normals of B, the edges' cross
/// products; the first of equals. Where two solids overlap, depth is their penetration depth and axis its direction.
///
/// An edge pair whose cross product is below 4 epsilon times the lengths is parallel and skipped. That is safe. Its axis stands for
/// a face of the difference of A and B: a parallelogram with the two edges as sides, no wider than sin(angle) times the
/// shorter edge. Leaving out so thin a face lets the neighbouring faces (among them the true normals on both sides of those edges)
/// meet above it at a height of the order of its width: 1e-15 of the size. So at most, a separation of that order is missed.
[[nodiscard]] SeparatingAxis find_separating_axis(const PolytopeView& a, const PolytopeView& b,
                                                  const SeparatingAxisOptions& options = {});

/// (u1 - u0) x (v1 - v0), each component to within 2^-60 of the longest, and rounded: formed in numbers of twice the length, or exactly. Where the two are nearly
/// parallel, the rounded differences alone would turn the product of plain doubles by any angle.
[[nodiscard]] Vec3 accurate_cross(const Vec3& u0, const Vec3& u1, const Vec3& v0, const Vec3& v1);

} // namespace carom
