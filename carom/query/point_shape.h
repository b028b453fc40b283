// A point as a shape, placed by its pose. Internal to the queries.
#pragma once

#include "carom/shape/shape.h"

namespace [[gnu::visibility("default")]] carom {

/// The point at its origin: built once, so that asking about a point builds nothing.
[[nodiscard]] const Shape& point_shape();

} // namespace carom
