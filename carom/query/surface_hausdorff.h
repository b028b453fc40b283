// How far a surface of triangles reaches beyond another, or beyond a solid that it bounds. Internal to hausdorff.
#pragma once

#include "carom/query/hausdorff_search.h"
#include "carom/tree/triangle_pairs.h"

namespace [[gnu::visibility("default")]] carom {

/// The second of two surfaces.
struct SurfaceTarget {
  const TriangleSet& set;
  /// What is inside of its triangles belongs to it: they are closed, and counter-clockwise seen from outside.
  bool solid = false;
  double rounding = 0;
  Frame in_a{};     ///< in the frame of the first
  Frame in_world{}; ///< where the points of the answer are wanted
};

/// Looks for the point of A's triangles that is farthest from B. What is inside of A does not count. Degenerate triangles are the segments and points they are. Both have triangles. Distances are off by at most
/// surface_slack of the greatest coordinate in either frame.
void search_surface(const TriangleSet& a, const SurfaceTarget& b, HausdorffBounds& bounds);
inline constexpr double surface_slack = 0x1p-43;

/// The same by itself, everything in A's frame. 0 where A has no triangles; else infinite where B has none.
[[nodiscard]] OneSidedHausdorff surface_hausdorff(const TriangleSet& a, const TriangleSet& b,
                                                  const Frame& b_in_a,
                                                  const HausdorffOptions& options = {});

} // namespace carom
