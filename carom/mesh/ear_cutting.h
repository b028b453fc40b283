// Triangles of a polygon in the plane, with holes, by cutting ears. Every sign is exact, and it ends on any input.
#pragma once

#include "carom/geometry/covariance.h"
#include "carom/math/vec2.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Loops of points: loop l is points[loop_begin[l]] .. points[loop_begin[l + 1] - 1], closed by an edge from its last point to its first. The
/// first is the outline, the others are holes; each may go either way round.
struct PolygonLoops {
  std::span<const Vec2> points;
  std::span<const std::uint32_t> loop_begin; ///< one more than loops
};

/// Triangles of a polygon. Of *any* polygon of n points and h holes (all loops not empty) they are n + 2 h - 2, and
///   - their directed edges are those of the loops (holes against the outline), and pairs of opposite ones inside;
///   - their signed areas add up to that of the outline, less those of the holes;
///   - they cover every point that the loops wind around.
/// Where the loops are simple and the holes lie apart inside of the outline, `forced` is 0 and no triangle is degenerate or turned over, so none
/// overlap; straight corners are legal. Where loops touch themselves or each other, or points in a row coincide, triangles may be degenerate; none is
/// turned over while `forced` is 0, as it is where they touch at points only. (Holes that share pieces of edges can be too much for it.)
struct PolygonTriangles {
  std::vector<IndexTriple> triangles; ///< numbers of points, the same way round as the outline
  /// Cuts, and bridges to holes, that were made though something was in the way: the loops cross themselves or each other. Triangles may then
  /// overlap or be turned over.
  std::size_t forced = 0;
};

/// Keeps its memory between polygons.
class EarCutter {
public:
  /// O(n^2) as a rule, and where loops cross; a simple polygon may take up to O(n^3), as long spirals begin to. No loops, or an outline of less than three points and no hole: no triangles. Empty loops are passed over.
  /// Coordinates that are not finite give triangles of no meaning.
  void cut(const PolygonLoops& polygon, PolygonTriangles& result);

private:
  /// A corner of the outline as it is now; holes become part of it.
  struct Corner {
    std::uint32_t point, previous, next;
  };
  using Index = std::uint32_t;

  [[nodiscard]] const Vec2& at(Index corner) const { return points_[corners_[corner].point]; }
  [[nodiscard]] Index previous(Index c) const { return corners_[c].previous; }
  [[nodiscard]] Index next(Index c) const { return corners_[c].next; }

  Index add_loop(std::uint32_t begin, std::uint32_t end, int winding);
  void join_holes(const PolygonLoops& polygon, std::size_t outline, PolygonTriangles& result);
  void bridge(Index outer, Index inner);
  [[nodiscard]] bool opens_toward(Index corner, const Vec2& target) const;
  [[nodiscard]] bool sees(Index from, Index to) const;
  [[nodiscard]] bool touches(Index from, Index to) const;
  [[nodiscard]] bool blocks(Index p, Index u, Index v, Index w, bool diagonal_too) const;
  [[nodiscard]] bool clear(Index v, bool diagonal_too);
  void force(PolygonTriangles& result);
  [[nodiscard]] bool is_spike(Index v) const;
  [[nodiscard]] bool may_cut(Index v, int level);
  void cut_all(Index start, std::size_t count, PolygonTriangles& result);

  std::span<const Vec2> points_;
  std::vector<Corner> corners_;
  std::vector<Index> holes_, candidates_;
  std::uint64_t work_ = 0, budget_ = 0; ///< corners looked at, and allowed
};

/// The same, once.
[[nodiscard]] PolygonTriangles cut_ears(const PolygonLoops& polygon);
[[nodiscard]] PolygonTriangles cut_ears(std::span<const Vec2> outline);

} // namespace carom
