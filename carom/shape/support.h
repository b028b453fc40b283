// How far a shape reaches: the farthest point in a direction, and the box around it in any pose.
#pragma once

#include "carom/geometry/box.h"
#include "carom/math/pose.h"
#include "carom/shape/shape.h"

namespace [[gnu::visibility("default")]] carom {

/// A point of the shape that lies farthest in the direction d, of any length but 0, in the shape's frame, to within rounding; one of them where there are several,
/// always the same one. Where d is zero or not finite: some point of the shape. A half-space reaches to infinity in every direction but its
/// normal's: it gives the point of its border that is nearest to the origin.
[[nodiscard]] Vec3 support_point(const Shape& shape, const Vec3& d);

/// The box along the world's axes around the placed shape: tight to within a few epsilon of its greatest coordinate, and rounded outward, so that the shape is
/// inside. A custom shape is as large as its support function says in the six directions. Infinite for a half-space, except along an
/// axis at right angles to its border.
[[nodiscard]] Aabb bounds(const Shape& shape, const Pose& pose = {});

} // namespace carom
