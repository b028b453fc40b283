// The edges of a polygon mesh, and what meets where: faces at an edge, faces and edges at a vertex. Any mesh: edges may have one face, two
// or many, wound as they please.
//
// Half-edge h is the side of a face that begins at corner h (an index into PolygonSurface::corners) and leads to the face's next corner. So
// half-edges need no numbering of their own, and a corner and the half-edge that leaves it are the same number.
//
// An edge is a pair of different vertices that some face has as neighbouring corners; all half-edges between the two, in either
// direction, are its own. A half-edge from a vertex to itself (a face with the same corner twice in a row) belongs to no edge.
#pragma once

#include "carom/math/result.h"
#include "carom/mesh/polygon_mesh.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct MeshEdges {
  /// What edge_of holds for a half-edge that belongs to no edge.
  static constexpr std::uint32_t none = 0xffffffff;

  /// An edge's vertices, low < high.
  struct Ends {
    std::uint32_t low = 0, high = 0;
    bool operator==(const Ends&) const = default;
  };

  std::vector<std::uint32_t> face_begin; ///< as the mesh has it
  std::vector<std::uint32_t> corners; ///< as the mesh has it: per half-edge, the vertex it leaves
  std::vector<std::uint32_t> face_of; ///< per half-edge: its face
  std::vector<std::uint32_t> edge_of; ///< per half-edge: its edge, or none

  std::vector<Ends> ends; ///< per edge, ascending by low, then high
  std::vector<std::uint32_t>
      edge_begin; ///< per edge: where its half-edges begin; then their number
  std::vector<std::uint32_t> edge_half_edges; ///< the half-edges by edge; ascending within one

  std::vector<std::uint32_t>
      vertex_begin; ///< per vertex: where its corners begin; then their number
  std::vector<std::uint32_t> vertex_corners; ///< the corners by vertex; ascending within one

  std::vector<std::uint32_t>
      vertex_edge_begin;                   ///< per vertex: where its edges begin; then their number
  std::vector<std::uint32_t> vertex_edges; ///< the edges by vertex; ascending within one

  [[nodiscard]] std::size_t vertex_count() const { return vertex_begin.size() - 1; }
  [[nodiscard]] std::size_t face_count() const { return face_begin.size() - 1; }
  [[nodiscard]] std::size_t edge_count() const { return ends.size(); }

  /// The half-edge after h around its face, and the one before.
  [[nodiscard]] std::uint32_t next(std::uint32_t h) const {
    const std::uint32_t f = face_of[h];
    return h + 1 == face_begin[f + 1] ? face_begin[f] : h + 1;
  }
  [[nodiscard]] std::uint32_t previous(std::uint32_t h) const {
    const std::uint32_t f = face_of[h];
    return h == face_begin[f] ? face_begin[f + 1] - 1 : h - 1;
  }
  [[nodiscard]] std::uint32_t from(std::uint32_t h) const { return corners[h]; }
  [[nodiscard]] std::uint32_t to(std::uint32_t h) const { return corners[next(h)]; }
  /// Whether h leads from the edge's low vertex to its high one. Half-edges of an edge that agree run the same way.
  [[nodiscard]] bool ascends(std::uint32_t h) const { return from(h) < to(h); }

  [[nodiscard]] std::span<const std::uint32_t> half_edges(std::size_t edge) const {
    return std::span(edge_half_edges)
        .subspan(edge_begin[edge], edge_begin[edge + 1] - edge_begin[edge]);
  }
  /// The corners at a vertex: its faces are face_of these, one listed twice where it has the vertex twice.
  [[nodiscard]] std::span<const std::uint32_t> corners_at(std::size_t vertex) const {
    return std::span(vertex_corners)
        .subspan(vertex_begin[vertex], vertex_begin[vertex + 1] - vertex_begin[vertex]);
  }
  [[nodiscard]] std::span<const std::uint32_t> edges_at(std::size_t vertex) const {
    return std::span(vertex_edges)
        .subspan(vertex_edge_begin[vertex],
                 vertex_edge_begin[vertex + 1] - vertex_edge_begin[vertex]);
  }
  /// The number of the edge between two vertices, or none. O(log of the edges at a).
  [[nodiscard]] std::uint32_t find(std::uint32_t a, std::uint32_t b) const;

  /// A side of one face only: the surface ends there.
  [[nodiscard]] bool is_open(std::size_t edge) const {
    return edge_begin[edge + 1] - edge_begin[edge] == 1;
  }
  /// A side of exactly two faces (or twice of one).
  [[nodiscard]] bool is_manifold(std::size_t edge) const {
    return edge_begin[edge + 1] - edge_begin[edge] == 2;
  }
  /// How many more half-edges ascend than descend. 0 along all edges: the surface is closed.
  [[nodiscard]] std::int64_t excess(std::size_t edge) const;
};

/// The edges of a surface. By counting sort, and sorting the edges at each vertex: O(n log d) for n corners and at most d edges at a vertex.
/// Errors: out_of_range where the arrays do not fit together (check_indices).
[[nodiscard]] Result<MeshEdges> mesh_edges(const PolygonSurface& surface);

/// Whether there are faces, and along every edge as many run one way as the other: then the surface has no border, each point of space is wound
/// around a whole number of times, and volume and mass are defined. Edges of four or more faces may be closed too.
[[nodiscard]] bool is_closed(const MeshEdges& edges);

} // namespace carom
