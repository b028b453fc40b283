// T-junctions: corners of one border of a surface that lie inside an edge of another, where the two sides of a crack were divided differently.
#pragma once

#include "carom/mesh/mesh_edges.h"

#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct TJunction {
  std::uint32_t vertex = 0;    ///< an end of an open edge
  std::uint32_t half_edge = 0; ///< the side of another face, an open edge, that it lies in
  double at =
      0; ///< where the point of the edge nearest to it lies: 0 where the half-edge begins, 1 where it ends
};

/// All of them, by ascending half-edge, along each by `at`, then by vertex.
///
/// A vertex that is an end of an open edge is at a T-junction with another open edge, of a face that it is no corner of, where
///   it lies on the edge between its ends, exactly; or
///   its distance from the edge is at most `tolerance` (a length), and that from both ends is greater. (Closer to an end, welding is what
///   is needed.)
/// Tolerance 0, negative or not a number: exact ones only. Coordinates are within Carom's range; vertices that are not finite have none.
/// O(n log n + found) for edges that are short against the whole. The tolerance is meant to be small: where many long edges lie within it of each
/// other, there are as many answers as pairs.
[[nodiscard]] std::vector<TJunction>
find_t_junctions(const MeshEdges& edges, std::span<const Vec3> vertices, double tolerance = 0);

/// The vertices at open edges, ascending.
[[nodiscard]] std::vector<std::uint32_t> border_vertices(const MeshEdges& edges);

} // namespace carom
