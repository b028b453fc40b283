// Vertices and faces that are there twice, exactly.
#pragma once

#include "carom/mesh/polygon_mesh.h"

#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Per vertex: the lowest vertex with the same coordinates (itself, where it is the first). 0 and -0 are the same; a vertex with a coordinate that is not
/// a number is like no other. By sorting: O(n log n).
[[nodiscard]] std::vector<std::uint32_t> first_equal_vertices(std::span<const Vec3> vertices);

/// The lowest face with the same corners in the same cyclic order, or in the opposite one.
struct EqualFace {
  std::uint32_t first = 0; ///< itself, where there is none before
  bool opposite = false;   ///< wound against `first`; false where it reads the same both ways
  bool repeated = false;   ///< wound like `first` or another lower face with these corners

  bool operator==(const EqualFace&) const = default;
};

/// Per face of a surface whose arrays fit together. Corners are compared by number: faces at vertices that are equal but have different numbers are
/// found after welding. O(n log n) comparisons of faces.
[[nodiscard]] std::vector<EqualFace> first_equal_faces(const PolygonSurface& surface);

} // namespace carom
