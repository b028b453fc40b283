// A half-space against anything: one support point decides. Internal to the queries.
#pragma once

#include "carom/query/signed_distance.h"

namespace [[gnu::visibility("default")]] carom {

struct HalfSpaceAnswer {
  SignedDistance distance;
  Vec3 common_point; ///< where the shapes overlap or touch
};

/// One of the shapes, or both, are half-spaces; the poses are in range.
[[nodiscard]] HalfSpaceAnswer half_space_pair(const Shape& a, const Pose& pose_a, const Shape& b,
                                              const Pose& pose_b);

} // namespace carom
