// Whether a point is in a convex hull, exactly, by a scan over its faces.
#pragma once

#include "carom/mesh/convex_hull.h"

namespace [[gnu::visibility("default")]] carom {

/// Inside or on the boundary. Flat hulls, segments and points too: then the point is in the plane, on the line, or equal.
[[nodiscard]] bool hull_contains(const ConvexHull& hull, const Vec3& p);

} // namespace carom
