// Are convex pieces inside of a closed mesh? By a scan over all triangles.
#pragma once

#include "carom/mesh/convex_hull.h"
#include "carom/mesh/polygon_mesh.h"
#include "carom/verify/check.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// Every point of the piece is inside of the closed surface of triangles, or on it: no triangle reaches deeper than `tolerance`, a length, into the piece, and the surface is wound around one point of it, at least once. A triangle that
/// has all its corners beyond one face, by exact signs, does not reach into it; the others are clipped to the piece.
/// So with a tolerance of 0, what passes is proven, and what fails may fail by rounding only. The piece is a solid.
[[nodiscard]] Verdict check_inner_piece(const PolygonSurface& triangles, const ConvexHull& piece,
                                        double tolerance);

/// All of them; the sentence names the first that fails.
[[nodiscard]] Verdict check_inner_pieces(const PolygonSurface& triangles,
                                         std::span<const ConvexHull> pieces, double tolerance);

} // namespace verify
} // namespace carom
