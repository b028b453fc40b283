// Meshes between two frames: where they first touch, themselves or each other, their vertices moving along straight lines.
//
// Surfaces touch first at a vertex and a face, or at two edges. Each such pair whose swept boxes come near is asked exactly (vertex_face.h, edge_edge.h); so no contact is missed, however thin and fast. Each
// pair is reported once, though vertices and edges belong to several triangles. Within one mesh, features that share a vertex are no pairs: they touch all the time.
//
// A mesh that cuts through itself at time 0 may do so without any of its vertices and edges touching then (a face through which an edge reaches): that is no impact, until a border moves across. See
// self_meetings (tree/triangle_self.h) for what overlaps at one time.
//
//   SweptTree tree = SweptTree::build({triangles, before, after}).value();   // then tree.refit(...) for each step
//   if (auto hit = first_impact({triangles, before, after}, tree)) advance_to(hit->impact.t);
#pragma once

#include "carom/motion/swept_tree.h"
#include "carom/tree/function_ref.h"

#include <optional>

namespace [[gnu::visibility("default")]] carom {

struct MeshImpact {
  enum class Kind : std::uint8_t {
    vertex_face, ///< a vertex of A (or of the one mesh), then the corners of a face of B
    face_vertex, ///< a vertex of B, then the corners of a face of A; only between two meshes
    edge_edge,   ///< the ends of an edge of A, then of an edge of B
  };
  Kind kind = Kind::vertex_face;
  std::uint32_t triangle_a =
      0; ///< that have the features; for edges and vertices the first that does
  std::uint32_t triangle_b = 0;
  std::array<std::uint32_t, 4> vertex{}; ///< the four, as in LinearImpact::weight
  LinearImpact impact;
};

/// All impacts between two meshes or within one, in an order that means nothing, always the same. `found` returns false to end the search. The trees are those of the meshes as they are given; the proof of
/// the options is not filled. Nothing is found where a tree has another number of triangles than its mesh.
void all_impacts(const MovingMesh& mesh, const SweptTree& tree, const LinearOptions& options,
                 FunctionRef<bool(const MeshImpact&)> found);
void all_impacts(const MovingMesh& a, const SweptTree& tree_a, const MovingMesh& b,
                 const SweptTree& tree_b, const LinearOptions& options,
                 FunctionRef<bool(const MeshImpact&)> found);

/// The impact with the least t; of several, the first by kind, then by the numbers of the vertices. None where nothing touches.
[[nodiscard]] std::optional<MeshImpact> first_impact(const MovingMesh& mesh, const SweptTree& tree,
                                                     const LinearOptions& options = {});
[[nodiscard]] std::optional<MeshImpact> first_impact(const MovingMesh& a, const SweptTree& tree_a,
                                                     const MovingMesh& b, const SweptTree& tree_b,
                                                     const LinearOptions& options = {});

/// All impacts in order of time, from the arrays alone: builds the tree. Fails as SweptTree::build does.
[[nodiscard]] Result<std::vector<MeshImpact>>
mesh_impacts(std::span<const std::array<std::uint32_t, 3>> triangles, std::span<const Vec3> from,
             std::span<const Vec3> to, const LinearOptions& options = {});
[[nodiscard]] Result<std::vector<MeshImpact>> mesh_impacts(const MovingMesh& a, const MovingMesh& b,
                                                           const LinearOptions& options = {});

} // namespace carom
