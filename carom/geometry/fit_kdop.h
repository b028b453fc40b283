// K-DOPs around points, and around things that move.
//
// Every DOP here encloses in exact arithmetic what it is said to bound, its doubles taken as real numbers. Slabs along the coordinate axes are exact
// for points given as they are; those along diagonals (sums of two or three coordinates) are rounded outward in the last bit. So each
// slab is tight: a point lies on each of its planes, to within two last bits.
//
// A DOP does not turn with its thing: its planes keep their directions, so it is made anew. From dear to cheap:
//   from the points        tight; all points, K/2 directions.
//   by hill climbing       tight; on the convex hull given as a graph.
//   by a linear program    the DOP of the turned DOP: loose by what the DOP at rest is loose. From its planes, without its vertices.
//   from its vertices      the same DOP; the vertices are made once (kdop_vertices), and turned each time: few points.
// The last two always from the DOP at rest. From the one of the step before, it grows.
#pragma once

#include "carom/geometry/hull_climb.h"
#include "carom/geometry/kdop.h"
#include "carom/math/pose.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {

/// Tight around the points; empty without any. Points with a NaN are passed over. For K = 6, 14, 18, 26.
template<int K>
[[nodiscard]] Kdop<K> fit_kdop(std::span<const Vec3> points);

/// Tight around points that are given in the thing's own frame.
template<int K>
[[nodiscard]] Kdop<K> placed_kdop(std::span<const Vec3> local, const Frame& frame);

/// Around a DOP given in the thing's own frame, by K linear programs. Loose by up to 128 epsilon of the greatest |offset|. Where a program
/// is not decided (offsets out of Carom's range of coordinates), that side is bounded by the DOP's box. Empty stays empty.
template<int K>
[[nodiscard]] Kdop<K> placed_kdop(const Kdop<K>& local, const Frame& frame);

/// Around a DOP given in the thing's own frame by its vertices as kdop_vertices gives them, which are not exact: each side is moved
/// out by 128 epsilon of the greatest |coordinate|.
template<int K>
[[nodiscard]] Kdop<K> placed_kdop_of_vertices(std::span<const Vec3> vertices, const Frame& frame);

/// Keeps the DOP of a moving hull: the vertices that touched it last are where the next searches start.
template<int K>
class KdopTracker {
public:
  /// The DOP of the hull placed by the frame; up to 128 epsilon of the hull's size larger than the tightest. The hull is the same each time.
  [[nodiscard]] Kdop<K> update(const HullGraph& hull, const Frame& frame);

private:
  HullClimber climber_;
  std::array<std::uint32_t, K> touching_{};
};

} // namespace carom
