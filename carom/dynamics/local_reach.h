// How far a shape reaches near some place. Internal to the world.
#pragma once

#include "carom/math/pose.h"
#include "carom/shape/shape.h"

namespace [[gnu::visibility("default")]] carom {

/// How far the shape reaches along a direction, a unit vector, within a box about a place, that goes `around` from it to each side along the axes of the shape: the greatest dot(along, p). All in the world. Minus
/// infinity where nothing of the shape is there.
///
/// Triangles and points count as far as they are in the box. A convex shape, or a convex part of a compound, that comes into the box counts as a whole: it is one thing to run into.
[[nodiscard]] double reach_near(const Shape& shape, const Pose& pose, const Vec3& along,
                                const Vec3& place, double around);

} // namespace carom
