// Hill climbing over the edges of a convex hull: the farthest vertex in a direction, from any vertex as a start.
//
// On a convex hull every vertex but a farthest one has a neighbour that is farther. From the last answer, while the direction turns little,
// that is a step or two. From afar it would be as many steps as the hull is wide, so each vertex gets a few artificial neighbours besides
// its real ones: vertices that face other ways, at angles of a radian, a third of that, and so on down to the width of the faces. The climb
// goes down these like a telescope.
//
//   const ClimbGraph graph(hull);
//   HullClimber climber;                                              // one a thread
//   std::uint32_t at = 0;
//   at = climber.farthest(graph.view(), d, at);
//
// HullClimber (geometry/hull_climb.h) does the walking, and searches level stretches to their rim.
// A Polytope does not need this: its cells are quicker. It is here for comparison, and for who wants no memory but the hull's edges.
#pragma once

#include "carom/geometry/hull_climb.h"
#include "carom/mesh/convex_hull.h"

#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Who is joined to whom: the neighbours of vertex i are list[first[i]] .. list[first[i + 1] - 1].
struct Neighbors {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> list;

  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t i) const {
    return std::span(list).subspan(first[i], first[i + 1] - first[i]);
  }
};

/// The vertices joined by edges, each list clockwise seen from outside. A point has no neighbour.
[[nodiscard]] Neighbors edge_neighbors(const ConvexHull& hull);

/// A hull's vertices, its edges, and artificial neighbours. Owns its numbers.
class ClimbGraph {
public:
  /// Time O(n log n). Hulls that are flat, or have fewer than 32 vertices, get no artificial neighbours.
  explicit ClimbGraph(const ConvexHull& hull);

  /// For HullClimber. Valid as long as this is. The climber's answer: no vertex of the hull has a d . v that is greater, computed or exact, by more than
  /// 4 epsilon times the greatest |coordinate| times the sum of the |components| of d.
  [[nodiscard]] HullGraph view() const { return {vertices_, neighbors_.first, neighbors_.list}; }

private:
  std::vector<Vec3> vertices_;
  Neighbors neighbors_;
};

} // namespace carom
