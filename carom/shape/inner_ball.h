// A ball inside a core, as large as is cheaply found. Two shapes whose inner balls meet overlap: most overlaps are decided so, or by one corner more.
#pragma once

#include "carom/geometry/swept_sphere.h"
#include "carom/shape/core.h"

namespace [[gnu::visibility("default")]] carom {

/// The ball is part of the core, rounding errors of the core's own coordinates aside. The greatest one for boxes, cylinders, cones,
/// ellipsoids and tapered capsules; for a hull of points it is near to that; for sums, hulls of two and scaled shapes, what follows from their parts. Its radius is 0 for flat cores
/// and for custom ones, of which one point is known to be inside. For a half-space: the border's point nearest to the origin.
[[nodiscard]] Sphere inner_ball(const ShapeCore& core);

} // namespace carom
