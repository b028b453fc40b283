// The edges along which a mesh is concave: where convex pieces have to be cut. A piece of convex_decomposition.h.
#pragma once

#include "carom/math/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Where a mesh is concave.
struct ReflexEdges {
  std::vector<double>
      of_triangle; ///< the length of its reflex edges, each times the sine of its angle; 0: none
  std::vector<double> of_vertex; ///< the same for the edges at it
  struct Edge {
    std::uint32_t a = 0, b = 0; ///< vertices
    double weight = 0;          ///< length times sine
  };
  std::vector<Edge> edges;
};
/// Edges of exactly two triangles count. Those that differ from flat by less than 1e-6 do not.
[[nodiscard]] ReflexEdges reflex_edges(std::span<const Vec3> vertices,
                                       std::span<const std::uint32_t> triangles);

} // namespace carom
