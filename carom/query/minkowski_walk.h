// The depth of two polytopes by a walk over the surface of their difference A - B: from facet to neighbouring facet, as long as that leads nearer to the origin (Kim, Lin and
// Manocha's DEEP, 2002).
//
// A facet of the difference is a face of A with the vertex of B that lies farthest against it, a face of B with a vertex of A, or two edges whose arcs cross on the Gauss
// map (gauss_map_axes.h). Its distance from the origin is the length of a translation that separates the polytopes, so each facet is an upper bound of the depth. The
// walk ends at a facet whose neighbours are all farther. *That is a local minimum.* The difference may have several, and nothing here tells which one it is: the depth is
// proved not to be more, and not proved not to be less. Fast where a good start is known, as in coherent motion; else signed_distance(), which proves both.
//
// Two ways to miss the least one more seldom: to walk on uphill for a while, and to start from several directions.
#pragma once

#include "carom/geometry/separating_axis.h"
#include "carom/query/answer.h"
#include "carom/query/polytope_pair.h"

namespace [[gnu::visibility("default")]] carom {

struct MinkowskiWalkOptions {
  /// Where to begin: a vector from A toward B in the world, of any length. The normal of last time, where the polytopes have moved little. Zero, or
  /// not finite: from centre to centre.
  Vec3 start{};
  /// Walks from this many directions, 1 to 15: the one above, then the axes of A's frame, then its diagonals. The least depth counts.
  int starts = 1;
  /// How many facets a walk may visit after the best so far without finding a better one. 0: it ends at the first local minimum, and where neighbouring facets
  /// are in one plane to within rounding.
  int patience = 4;
};

/// As penetration(), with a depth that may be too great. Apart: proved, Status::ok. Else the upper bound holds, the lower bound is 0, and the status is Status::wide: there may be a
/// lesser translation. (Ok also where all axes were measured, see below.) The polytopes may even be apart, where the walk got stuck before it came to that side.
struct WalkedDepth : Penetration {
  /// face_a or face_b with the number of that face, and of the other's vertex; edges, with the number of a half-edge of each. Only the kind `centers` where all axes were measured.
  AxisKind kind = AxisKind::centers;
  int feature_a = -1, feature_b = -1;
  int visited =
      0; ///< facets that the walks stood on; `iterations` counts those that they looked at
};

/// Walks are for solids. Where a polytope is flat, signed_distance_by_axes() answers; also where the walk ended at what is no minimum, as rounding may have it among slivers: that
/// is noticed, since the polytopes, moved by the depth, do not touch.
[[nodiscard]] WalkedDepth depth_by_walk(const Polytope& a, const Pose& pose_a, const Polytope& b,
                                        const Pose& pose_b,
                                        const MinkowskiWalkOptions& options = {});

} // namespace carom
