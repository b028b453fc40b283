// The moments of a convex hull rounded by a radius: all points within that distance of it.
#pragma once

#include "carom/geometry/moments.h"
#include "carom/mesh/convex_hull.h"

namespace [[gnu::visibility("default")]] carom {

/// Moments, and how far the volume may be off as a part of itself. 0 where the volume is exactly 0.
struct BoundedMoments {
  Moments moments;
  double relative_error = 0;
};

/// Closed forms, right to rounding: a solid, flat, a segment or a point; the radius is >= 0. Without radius what is flat has volume 0
/// and the centroid of its area (or length).
[[nodiscard]] BoundedMoments rounded_hull_moments(const ConvexHull& hull, double radius);

} // namespace carom
