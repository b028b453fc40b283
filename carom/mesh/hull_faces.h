// From the triangles of a convex surface to the faces of its hull. A part of convex_hull.h.
#pragma once

#include "carom/mesh/convex_hull.h"
#include "carom/mesh/hull_surface.h"

namespace [[gnu::visibility("default")]] carom {

/// Coplanar triangles become one face; vertices inside a face or an edge are left out; numbered as convex_hull.h promises.
[[nodiscard]] ConvexHull hull_faces(const hull_surface::Surface& surface);

/// The hull of dimension 2 with these corners, given in order around the face whose normal points to the side called positive.
[[nodiscard]] ConvexHull flat_hull(std::vector<Vec3> corners, std::vector<std::uint32_t> source);

/// The lowest half-edge that leaves each vertex, into `outgoing`.
void link_vertices(ConvexHull& hull);

} // namespace carom
