// How far one surface of triangles reaches beyond another: the one-sided Hausdorff distance, with bounds that hold.
#pragma once

#include "carom/query/hausdorff_search.h"
#include "carom/tree/triangle_pairs.h"

namespace carom {

/// The greatest distance of a point of A's triangles from B's triangles, which are placed by b_in_a. Everything in A's frame. Surfaces only: what is inside of them does not count. Degenerate triangles are the
/// segments and points they are. 0 where A has no triangles; else infinite where B has none.
[[nodiscard]] OneSidedHausdorff surface_hausdorff(const TriangleSet& a, const TriangleSet& b,
                                                  const Frame& b_in_a,
                                                  const HausdorffOptions& options = {});

} // namespace carom
