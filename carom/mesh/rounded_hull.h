// The moments of a convex hull, and of one rounded by a radius: all points within that distance of it.
#pragma once

#include "carom/geometry/moments.h"
#include "carom/mesh/convex_hull.h"

namespace [[gnu::visibility("default")]] carom {

/// Of the solid itself. Right to rounding, however thin it is: the bound is 64 epsilon. What is flat has volume 0, exactly, and the centroid of its area or length. The centroid is given from `origin`: near
/// the hull, it is as accurate as the hull is small.
[[nodiscard]] BoundedMoments hull_moments(const ConvexHull& hull, const Vec3& origin = {});

/// Of the hull rounded by a radius >= 0; a solid, flat, a segment or a point. Closed forms. The bound of the error is 64 epsilon, and a
/// little more for hulls with thousands of edges.
[[nodiscard]] BoundedMoments rounded_hull_moments(const ConvexHull& hull, double radius);

} // namespace carom
