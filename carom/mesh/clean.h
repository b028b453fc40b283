// Removing what inspect() counts, each kind on its own, each with its count. Materials and parts go along; faces keep their order.
#pragma once

#include "carom/math/result.h"
#include "carom/mesh/polygon_mesh.h"

#include <cstddef>

namespace [[gnu::visibility("default")]] carom {

/// A mesh that passes check_usable, made from any.
struct UsableMesh {
  PolygonMesh mesh;
  std::size_t dropped_faces =
      0; ///< a corner is missing, not finite or out of range, or the face's range is wrong
  std::size_t dropped_vertices = 0; ///< not finite or out of range
  std::size_t dropped_parts =
      0; ///< that begin before the part before them, or beyond the last face
  bool materials_mended = false; ///< there were more or fewer than faces: those missing are 0 now
};
/// Leaves out what cannot be used, and nothing else: what is usable stays as it is. Vertices without faces are kept.
/// Errors: out_of_range where there are too many vertices or corners for 32 bits.
[[nodiscard]] Result<UsableMesh> make_usable(const PolygonMesh& mesh);

// Each of these changes the mesh and returns how many faces or vertices it removed. Error: out_of_range where the arrays do not fit together
// (check_indices); then nothing is changed.

/// Faces with fewer than three different corners, and those whose corners lie on one line exactly. A flat face may be what joins its
/// neighbours across a T-junction: afterwards, stitch() joins them without it.
[[nodiscard]] Result<std::size_t> remove_degenerate_faces(PolygonMesh& mesh);
/// Faces that have the corners of a lower face, wound the same way.
[[nodiscard]] Result<std::size_t> remove_duplicate_faces(PolygonMesh& mesh);
/// Pairs of faces with the same corners, wound against each other: walls without thickness. Both of each pair go, so a closed surface stays
/// closed. Returns the number of faces, twice that of pairs.
[[nodiscard]] Result<std::size_t> remove_opposite_faces(PolygonMesh& mesh);
/// Vertices that are corner of no face. The others keep their order.
[[nodiscard]] Result<std::size_t> remove_unreferenced_vertices(PolygonMesh& mesh);

} // namespace carom
