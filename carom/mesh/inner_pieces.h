// A few large convex pieces inside a closed surface of triangles. They may overlap, and do not fill it.
//
// What they are for: a translation that separates two solids separates each piece of the one from each piece of the other. So pieces inside give lower bounds of how deep solids reach into each
// other, as pieces around them (convex_decomposition.h) would give upper ones. Each is proven to be inside (inner_growth.h); verify::check_inner_pieces confirms it.
#pragma once

#include "carom/mesh/convex_hull.h"
#include "carom/tree/triangle_tree.h"

#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct InnerPieceOptions {
  /// At most this many pieces. The largest come first, then those that add most.
  std::uint32_t most = 8;
  /// Each of at most this many faces. Fewer make queries quicker, more come closer to round surfaces.
  std::uint32_t most_faces = 32;
  /// How many places of the surface are looked at for room behind them.
  std::uint32_t samples = 256;
  /// Balls inside that are smaller than this part of the largest are not worth a piece.
  double least = 1.0 / 64;
};

/// The pieces of the solid that the surface bounds: the points it is wound around at least once. It is closed (mesh_edges.h: is_closed), counter-clockwise from outside, and the tree is built on it; for other
/// surfaces the pieces mean nothing. There are none where it encloses nothing, or nothing thicker than rounding. Surfaces inside (where it passes through itself) bound pieces as well.
[[nodiscard]] std::vector<ConvexHull> inner_pieces(const TriangleTree& tree,
                                                   const TriangleSurface& surface,
                                                   const InnerPieceOptions& options = {});

} // namespace carom
