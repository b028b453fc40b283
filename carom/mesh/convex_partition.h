// Triangles of a polygon joined into convex pieces (Hertel and Mehlhorn 1983).
#pragma once

#include "carom/geometry/covariance.h"
#include "carom/math/vec2.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Convex polygons: piece p has the corners corners[piece_begin[p]] .. corners[piece_begin[p + 1] - 1], numbers of points, the same way round as the
/// triangles. Some corners may be straight.
struct ConvexPieces {
  std::vector<std::uint32_t> piece_begin = {0}; ///< one more than pieces
  std::vector<std::uint32_t> corners;

  [[nodiscard]] std::size_t size() const { return piece_begin.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> piece(std::size_t p) const {
    return std::span(corners).subspan(piece_begin[p], piece_begin[p + 1] - piece_begin[p]);
  }
};

/// Leaves out every diagonal whose two pieces together are convex, one after the other. For the triangles of cut_ears() of a simple polygon with r
/// reflex corners, holes included, that leaves at most 2 r + 1 pieces, and at most four times the fewest possible. Signs are exact. O(n log n).
/// Triangles that are degenerate, or turn otherwise than most, stay as they are.
[[nodiscard]] ConvexPieces join_convex(std::span<const Vec2> points,
                                       std::span<const IndexTriple> triangles);

} // namespace carom
