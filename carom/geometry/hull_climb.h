// The farthest vertex of a convex hull in a direction, from the one that was farthest a moment ago.
//
// While a direction turns little, the farthest vertex moves to a neighbour or stays: a few steps instead of a look at all. The
// trap: a vertex all of whose neighbours are as far as itself (coplanar with it, at right angles to the direction) looks like the
// farthest also where it is the least far, as after half a turn. So a level stretch is searched to its rim before the answer is given.
#pragma once

#include "carom/geometry/box.h"
#include "carom/math/pose.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Vertices of a convex hull and who is joined to whom by an edge. The neighbours of vertex i are
/// neighbors[first[i]] .. neighbors[first[i + 1] - 1]. Refers to the numbers and does not own them. Vertices inside a face or an edge of
/// the hull are legal where they are joined to what is around them. It must be in one piece.
struct HullGraph {
  std::span<const Vec3> vertices;
  std::span<const std::uint32_t> first;
  std::span<const std::uint32_t> neighbors;
};

/// Marks of the vertices a search has seen, kept between searches so that none allocates.
class HullClimber {
public:
  /// The index of a farthest vertex: no other has a greater direction . vertex by more than slack(). `start` out of range counts as 0; a hull without vertices gives 0. A graph that is broken (indices out
  /// of range, several pieces) gives some vertex.
  [[nodiscard]] std::uint32_t farthest(const HullGraph& hull, const Vec3& direction,
                                       std::uint32_t start);
  /// How much farther than the answer of the last search a vertex may be in real numbers, where each component of the direction was
  /// itself rounded a few times: 32 epsilon times the greatest |coordinate| seen times |direction| (sum of absolute components).
  [[nodiscard]] double slack() const { return slack_; }
  /// How many vertices the last search looked at.
  [[nodiscard]] std::size_t seen() const { return seen_; }

private:
  std::vector<std::uint32_t> mark_;
  std::vector<std::uint32_t> open_;
  std::uint32_t stamp_ = 0;
  std::size_t seen_ = 0;
  double slack_ = 0;
};

} // namespace carom
