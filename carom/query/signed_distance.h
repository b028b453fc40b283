// How far apart two placed shapes are, or how deep they reach into each other: one continuous function.
//
//   SignedDistance s = signed_distance(a, pose_a, b, pose_b);
//   Pose apart = pose_b;  apart.position += s.normal * -s.value;      // where s.value < 0: just touching now
#pragma once

#include "carom/query/answer.h"
#include "carom/query/pair_cache.h"
#include "carom/shape/shape.h"

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

struct SignedDistanceOptions {
  /// Shapes that are farther apart than this length need not be measured. For them the search ends, Status::stopped, at the first direction that proves it: value and upper_bound
  /// are then the distance of the points, which are not the nearest.
  double limit = INFINITY;
};

/// For every ordered pair of kinds.
[[nodiscard]] SignedDistance signed_distance(const Shape& a, const Pose& pose_a, const Shape& b,
                                             const Pose& pose_b,
                                             const SignedDistanceOptions& options = {},
                                             PairCache* cache = nullptr);

} // namespace carom
