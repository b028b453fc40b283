// How far the inside of a solid mesh reaches beyond another mesh. Internal to hausdorff.
#pragma once

#include "carom/query/surface_hausdorff.h"
#include "carom/shape/triangle_mesh.h"

namespace [[gnu::visibility("default")]] carom {

/// Looks for points inside of the solid A that are farther from B than its surface is. The surface has been searched (search_surface): its own points are left out where that helps. `b` is of the mesh b_mesh.
void search_inside(const TriangleMesh& a, const TriangleMesh& b_mesh, const SurfaceTarget& b,
                   HausdorffBounds& bounds);

} // namespace carom
