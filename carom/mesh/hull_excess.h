// How far a convex hull reaches beyond a mesh, proven. A piece of convex_decomposition.h.
#pragma once

#include "carom/mesh/convex_hull.h"
#include "carom/mesh/winding_columns.h"

#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// Triangles, and what is inside of them.
struct MeshBody {
  std::span<const Vec3> vertices;
  std::span<const std::uint32_t> triangles; ///< three vertices each
  const WindingColumns* inside = nullptr;   ///< none: a surface without an inside
};

struct ExcessOptions {
  double absolute = 0;              ///< a length > 0: no need to know it better than this
  double relative = 0.05;           ///< nor to more than this part of itself
  std::size_t most_boxes = 1 << 15; ///< at a time; with fewer the bound is coarser
};

/// An upper bound of the distance from any point of the hull to the mesh or its inside, whichever is nearer. Proven, rounding included. Zero-dimensional hulls too.
/// It is at most `absolute`, or the true value and `relative` of it, unless that takes too many boxes.
[[nodiscard]] double hull_excess(const ConvexHull& hull, const MeshBody& body,
                                 const ExcessOptions& options);

} // namespace carom
