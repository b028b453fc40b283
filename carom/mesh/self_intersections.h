// Faces of a mesh that cut into each other, or touch where they should not.
#pragma once

#include "carom/mesh/polygon_mesh.h"

namespace [[gnu::visibility("default")]] carom {

/// Two faces by their numbers, a < b.
struct FacePair {
  std::uint32_t a = 0, b = 0;

  bool operator==(const FacePair&) const = default;
  bool operator<(const FacePair& other) const { return a != other.a ? a < other.a : b < other.b; }
};

struct SelfIntersections {
  std::vector<FacePair> pairs; ///< in ascending order
  bool complete = true;        ///< false where the search ended at a limit: there may be more
};

/// The pairs of faces that meet beyond the corners or the edge that they share; exactly, for triangles. Corners with the same coordinates are shared, so a soup
/// whose triangles lie edge to edge has none. A face folded onto its neighbour counts, and so do two copies of a face, and a T-junction, where a corner touches another face's edge.
/// Larger faces are triangulated (triangulate.h), and count where their triangles do; a face is not compared with itself. Faces without area, with corners that do not exist or are out of range take no part.
///
/// O(n log n), and what there is to find, and n^2 for n triangles around one vertex. The search ends when it has found `most` pairs of triangles, or tried some 20 million and 256 for each triangle (seconds). What it
/// has found by then is always the same.
[[nodiscard]] SelfIntersections self_intersections(const PolygonSurface& surface,
                                                   std::size_t most = 1'000'000);

} // namespace carom
