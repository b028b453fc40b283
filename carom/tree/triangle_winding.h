// Inside or outside of a closed surface of triangles, exactly, by a tree: only the triangles in a column beside the point are asked, along the axis and to the side where the surface ends soonest.
//
// The surface is closed (is_closed of mesh/mesh_edges.h) and its triangles are counter-clockwise seen from outside. For others the numbers mean nothing, but `is_on_surface`, which is right for any.
#pragma once

#include "carom/geometry/triangle_crossing.h"
#include "carom/tree/triangle_tree.h"

#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// How often the surface is wound around the point: 1 inside of a solid, 0 outside, -1 inside of one turned inside out, 2 where two overlap. Exact: the same as crossing_count
/// (mesh/winding_number.h). For a point on the surface, the number on one of its sides, not always the same side. 0 for a point that is not finite.
[[nodiscard]] std::int64_t winding_around(const TriangleTree& tree, const TriangleSurface& surface,
                                          const Vec3& point);

/// Whether the point is on a triangle or its border, exactly. No for a point that is not finite.
[[nodiscard]] bool is_on_surface(const TriangleTree& tree, const TriangleSurface& surface,
                                 const Vec3& point);

/// Inside: where the surface is wound around the point at least once. The same as locate of mesh/winding_number.h, in one walk. A point that is not finite is outside.
[[nodiscard]] PointPlace locate(const TriangleTree& tree, const TriangleSurface& surface,
                                const Vec3& point);

} // namespace carom
