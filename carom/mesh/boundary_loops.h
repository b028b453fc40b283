// The borders of a surface: chains of open edges, around each hole and around the outside.
#pragma once

#include "carom/mesh/mesh_components.h"
#include "carom/mesh/mesh_edges.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Every open edge is in exactly one loop. Loops are numbered by their lowest open half-edge, begin with it, and run in its direction: where
/// the faces are wound consistently, the surface is always on the left. (A chain that is not closed begins at one of its ends.)
///
/// A loop passes through a vertex from one border of a fan to the other border of the same fan. So two pieces that touch at a vertex have
/// loops of their own, while two holes that do are one loop, which passes there twice: the borders of the surface cut apart there. At a vertex with edges of three or more faces a fan may have other than two borders;
/// they are then paired in the order of their edges, and an odd one ends the chain there: that loop is not closed.
struct BoundaryLoops {
  std::vector<std::uint32_t> loop_begin = {0}; ///< per loop: its first half-edge; then their number
  std::vector<std::uint32_t> half_edges;       ///< the open half-edges along the loops
  std::vector<bool> closed;                    ///< per loop: whether it returns to where it began

  [[nodiscard]] std::size_t count() const { return loop_begin.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> loop(std::size_t i) const {
    return std::span(half_edges).subspan(loop_begin[i], loop_begin[i + 1] - loop_begin[i]);
  }
};

[[nodiscard]] BoundaryLoops boundary_loops(const MeshEdges& edges, const MeshFans& fans);

/// The vertices along a loop, in order, each once for each time that it is passed; the last vertex of a chain that is not closed too.
[[nodiscard]] std::vector<std::uint32_t> loop_vertices(const MeshEdges& edges,
                                                       const BoundaryLoops& loops, std::size_t i);

} // namespace carom
