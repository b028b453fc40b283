// A closed polyhedron cut into convex pieces along its reflex edges, exactly.
#pragma once

#include "carom/math/result.h"
#include "carom/mesh/convex_hull.h"
#include "carom/mesh/polygon_mesh.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct ExactPiecesOptions {
  std::size_t max_pieces = 10'000; ///< more are an error
};

/// The points x with side * orient3d(a, b, c, x) <= 0, for three vertices of the mesh that are corners of one of its triangles.
struct ExactHalfSpace {
  std::array<std::uint32_t, 3> corner{};
  int side = 1; ///< 1: behind the triangle, -1: in front of it
};

struct ExactPiece {
  /// The piece itself, exactly: what is in all of them. Some may be redundant.
  std::vector<ExactHalfSpace> bounds;
  /// The hull of its corners, of which every coordinate is rounded: to the double nearest to the true one, or one next to that; to the true one where it is a double. It has fewer than three
  /// dimensions where the piece is thinner than that.
  ConvexHull hull;
};

/// Convex pieces of a solid. As sets given by `bounds`, without any tolerance:
///   - their union is the solid;
///   - no two of them have an inner point in common.
/// The hulls are the pieces to within rounding, and their volumes add up to `volume` to within that.
struct ExactDecomposition {
  std::vector<ExactPiece> pieces;
  double volume = 0; ///< of the mesh
};

/// Cuts a solid by planes of its faces at reflex edges, until no reflex edge is left. A convex solid is one piece. r reflex edges may make O(r^2) pieces, and do for the worst
/// solids (Chazelle 1984); curved surfaces of many triangles have thousands: for those there is approximate_convex_pieces. Edges that are reflex by a last bit count as well. Even a convex solid takes O(n^2) for n faces: this is for thousands, not for millions.
///
/// Faces are taken as the triangles of triangulated(). Cavities, handles, several parts, parts that touch at vertices and edges are legal.
///
/// Errors: those of check_usable; too_few without faces; degenerate where the surface is not closed (is_closed), its volume is not positive (orient() turns it), or it passes through
/// itself (found by the volumes not adding up); out_of_range where there are more pieces than allowed, or coordinates other than 0 are below 2^-66 of the greatest with
/// digits beyond 2^-119 of it.
[[nodiscard]] Result<ExactDecomposition>
exact_convex_pieces(const PolygonMesh& mesh, const ExactPiecesOptions& options = {});

} // namespace carom
