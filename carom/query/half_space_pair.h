// A half-space against anything: one support point decides. Internal to the queries.
#pragma once

#include "carom/query/distance.h"

namespace carom {

/// One of the shapes, or both, are half-spaces; the poses are in range.
[[nodiscard]] Distance half_space_distance(const Shape& a, const Pose& pose_a, const Shape& b,
                                           const Pose& pose_b);

} // namespace carom
