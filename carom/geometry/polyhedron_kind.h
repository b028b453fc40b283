// Whether a list of faces is the surface of a convex solid.
#pragma once

#include "carom/math/vec3.h"

#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// What a list of faces bounds.
enum class PolyhedronKind {
  convex,
  not_convex, ///< a vertex is in front of a face, a face is not convex, or the surface covers itself (or faces inward)
  bad_face, ///< fewer than three corners, an index out of range, or twice the same index in a face
  open,     ///< an edge has a face on one side only, or its two faces run along it the same way
  not_manifold, ///< an edge has more than two faces, or a vertex is where several surfaces touch
  disconnected, ///< several surfaces, each closed; or no face at all
  flat, ///< all vertices on one plane, exactly; or so thin that no double lies inside a face's projection
};

/// Corners of a face as indices into the vertices, counter-clockwise seen from outside.
using FaceIndices = std::span<const std::uint32_t>;

/// Closed, manifold, connected; every face convex; all vertices on or behind the plane of every face; and covered once. Straight corners and
/// coplanar neighbours are legal. Vertices that no face uses are left out.
///
/// tolerance is a length: how far a vertex may be in front of a face's plane. With 0 the signs are exact, which is right for triangles; faces
/// of more corners are seldom flat to the bit, and want a few epsilon times the greatest |coordinate|. A corner that is straight
/// to within the tolerance is then passed over. O(faces * vertices).
[[nodiscard]] PolyhedronKind polyhedron_kind(std::span<const Vec3> vertices,
                                             std::span<const FaceIndices> faces,
                                             double tolerance = 0);

} // namespace gnu::visibility("default")]]carom
