// The farthest point of a shape that is not convex. Internal: support_point and bounds are for users (support.h).
#pragma once

#include "carom/shape/shape.h"

namespace [[gnu::visibility("default")]] carom {

/// Along d, finite and not 0, in the shape's frame; rounding included.
[[nodiscard]] Vec3 farthest_of_parts(const Shape& shape, const Vec3& d);

} // namespace carom
