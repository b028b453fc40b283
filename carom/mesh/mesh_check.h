// Whether the arrays of a mesh fit together: what every function on meshes needs before it looks at them.
#pragma once

#include "carom/math/result.h"
#include "carom/math/tolerance.h"
#include "carom/mesh/polygon_mesh.h"

#include <cstddef>
#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// The faces of a surface as far as the arrays allow: face_begin may be empty.
[[nodiscard]] inline std::size_t face_count(const PolygonSurface& surface) {
  return surface.face_begin.empty() ? 0 : surface.face_begin.size() - 1;
}
/// The corners of face f of a surface whose arrays fit together.
[[nodiscard]] inline std::span<const std::uint32_t> corners_of(const PolygonSurface& surface,
                                                               std::size_t f) {
  return surface.corners.subspan(surface.face_begin[f],
                                 surface.face_begin[f + 1] - surface.face_begin[f]);
}

/// Whether all three are coordinates that the library takes (tolerance.h).
[[nodiscard]] inline bool in_range(const Vec3& p) {
  return tolerance::is_coordinate(p.x) && tolerance::is_coordinate(p.y) &&
         tolerance::is_coordinate(p.z);
}

/// Whether face f's range lies within the corners, and each of its corners is a vertex. f < face_count.
[[nodiscard]] bool face_is_usable(const PolygonSurface& surface, std::size_t f);

/// Whether the arrays fit together: face_begin ascends from 0 to the number of corners, and every corner is a vertex. An empty face_begin
/// stands for no faces. What the faces look like does not matter here: inspect() says.
/// Errors, all out_of_range: the sentence names the first face at fault; or there are 2^32 - 1 vertices or corners, or more.
[[nodiscard]] Result<void> check_indices(const PolygonSurface& surface);

/// The same, and what a mesh has beyond its surface: as many materials as faces, or none; parts by ascending first_face, none beyond the
/// last face. A mesh that passes goes through every function of carom/mesh.
[[nodiscard]] Result<void> check_indices(const PolygonMesh& mesh);

/// Whether every coordinate is a number within Carom's range (0 or 1e-30 <= |x| <= 1e30). Errors: not_finite, out_of_range; the sentence
/// names the first vertex at fault.
[[nodiscard]] Result<void> check_coordinates(const PolygonSurface& surface);

/// Both: what functions that measure need.
[[nodiscard]] Result<void> check_usable(const PolygonMesh& mesh);

} // namespace carom
