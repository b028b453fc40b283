// Convex pieces of meshes that are not convex: what physics needs of a concave body.
//
//   approximate_convex_pieces   at most n convex hulls around any mesh, closed or not. Every piece of the mesh is in one of them, with an error
//                               that is proven: nothing of the hulls is farther than that from the mesh.
//   exact_convex_pieces         a closed polyhedron cut along its reflex edges (exact_pieces.h).
//
// Decompositions are known for leaving parts of the mesh outside. Here that is excluded by construction, and the result carries its proof: the tree of
// cutting planes that it was made with. carom/verify/check_decomposition.h confirms it without trusting any of the code here.
#pragma once

#include "carom/math/result.h"
#include "carom/math/vec3.h"
#include "carom/mesh/convex_hull.h"
#include "carom/mesh/polygon_mesh.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct DecompositionOptions {
  /// At most this many pieces, 1 to 1024. One piece is the convex hull.
  std::uint32_t max_pieces = 16;
  /// A length >= 0. A part whose hull is proven to be no farther than this from the mesh is not cut any more. 0: cut as long as it makes the hulls
  /// smaller. Small values may need more pieces than allowed; `error` says what was reached.
  double tolerance = 0;
  /// At most this many vertices a hull, 0 for no limit, else at least 4 (ConvexHullOptions): the hulls are grown around the exact ones.
  std::uint32_t vertex_limit = 0;
  /// Close the holes of an open mesh, each by a fan of triangles from one corner of its border, and take what is then inside as part of the mesh. (If the mesh is closed
  /// after that. Else, and without this, an open mesh is a surface without an inside.)
  bool fill_holes = true;
};

/// A node of the tree of cutting planes, or one of its leaves.
struct CutNode {
  static constexpr std::uint32_t none = 0xffffffff;

  Vec3 normal;       ///< of unit length to within rounding
  double offset = 0; ///< the cutting plane is normal . x = offset
  /// What is below the plane (normal . x <= offset), and what is above. none: a leaf.
  std::array<std::uint32_t, 2> child{none, none};
  /// Of a leaf: the piece that covers the mesh there; none where there is nothing of the mesh.
  std::uint32_t piece = none;

  [[nodiscard]] bool is_leaf() const { return child[0] == none; }
};

/// Convex pieces that enclose a mesh. Lengths are in the units of the mesh.
///
/// What is enclosed. Let M be the triangles of `triangulated(mesh)` and of `patches`; faces of fewer than three corners are left out. Vertices in exactly the same place count as
/// one, so that a soup of separate triangles may be closed.
///   - Every point of M is in one of the pieces, exactly. (The hulls are those of the clipped triangles, with every rounded point replaced by a box around the
///     true one.)
///   - Where `solid`: every point around which M is wound is in one of the pieces, or within `gap` of one. Up to three pieces the gap is 0: three convex
///     sets that cover a surface cover its inside.
/// What is added. No point of any piece is farther than `error` from M and, where `solid`, from the inside of M.
struct ConvexDecomposition {
  std::vector<ConvexHull> pieces;
  /// The proof of the inside, root first: the mesh within a leaf is in that leaf's piece, but for what is within `plane_band` of a cutting plane.
  std::vector<CutNode> cuts;
  /// Triangles that close the holes: three vertices of the mesh each.
  std::vector<std::uint32_t> patches;
  bool solid = false; ///< M is closed: it has an inside
  /// Checked, by exact signs, when all was done: every corner of every clipped triangle, or of the box around it where it was rounded, is in the piece of its leaf. With
  /// what is said above that is the proof of enclosure. Never false but for a fault of this library.
  bool encloses = false;
  double error = 0;      ///< a proven upper bound
  double gap = 0;        ///< a proven upper bound
  double plane_band = 0; ///< see `cuts`
  double growth =
      0; ///< how far a vertex of a piece is from M or its inside for rounding, and for the vertex limit
  double piece_volume = 0; ///< of all pieces, added up
  double mesh_volume = 0; ///< where solid, else 0; where M is wound around twice, that counts twice
};

/// At most `max_pieces` convex pieces around the mesh. Any mesh with a face goes: open, flat, one triangle, passing through itself, any winding.
/// A convex mesh gives one piece, a solid made of few boxes those boxes, if the cuts needed lie along its faces.
///
/// The method: the part whose cut gains most is cut, by the best of some two hundred planes (coordinate axes, principal axes, planes of faces at reflex
/// edges), up to a few times more parts than wanted; then those whose common hull adds least are merged.
///
/// Errors: those of check_usable; too_few where there is no face of three corners; out_of_range where an option is not in its range.
[[nodiscard]] Result<ConvexDecomposition>
approximate_convex_pieces(const PolygonMesh& mesh, const DecompositionOptions& options = {});

} // namespace carom
