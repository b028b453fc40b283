// The connected pieces of a mesh, and the fans of faces around its vertices. By union and find: no recursion, whatever the size.
#pragma once

#include "carom/mesh/mesh_edges.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// What joins two faces.
enum class Connection {
  vertex,   ///< a common vertex
  edge,     ///< a common edge, of however many faces
  manifold, ///< a common edge that has no third face: the pieces are what can be walked on without a choice, and wound consistently
};

struct MeshComponents {
  std::vector<std::uint32_t>
      of_face; ///< per face: its component; numbered in the order of their first faces
  std::size_t count = 0;
};

[[nodiscard]] MeshComponents mesh_components(const MeshEdges& edges, Connection by);

/// The fans of faces around vertices. Two corners at the same vertex are in the same fan where a chain of faces joins them, each sharing an edge at that
/// vertex with the next. A vertex of a manifold surface has one fan; the vertex where two cubes touch has two.
struct MeshFans {
  std::vector<std::uint32_t>
      of_corner; ///< per corner: its fan; the fans of lower vertices come first
  std::vector<std::uint32_t>
      fan_begin; ///< per vertex: the number of its first fan; then the number of fans

  [[nodiscard]] std::uint32_t fans_at(std::size_t vertex) const {
    return fan_begin[vertex + 1] - fan_begin[vertex];
  }
};

[[nodiscard]] MeshFans mesh_fans(const MeshEdges& edges);

} // namespace carom
