// How far apart two placed shapes are, with the proof.
//
//   Distance d = distance(box, Pose::at({0, 3, 0}), rock, Pose::identity());
//
// Both bounds come with their proof (answer.h); verify::check_distance confirms it without trusting anything here.
#pragma once

#include "carom/query/answer.h"
#include "carom/query/pair_cache.h"
#include "carom/shape/shape.h"

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

struct DistanceOptions {
  /// Stop as soon as value - lower_bound <= max(absolute_error, relative_error * value). 0 and 0: as exact as doubles allow.
  double absolute_error = 0; ///< a length
  double relative_error = 0;
  /// 'Nearer than this?': stop as soon as value < threshold or lower_bound >= threshold. A length; NaN: do not ask.
  double threshold = NAN;
  /// Shapes that are farther apart than this length need not be measured: the search ends, Status::stopped, once lower_bound > limit.
  double limit = INFINITY;
};

/// For every ordered pair of kinds. Touching shapes are at distance 0. Poses may be anywhere in range; a rotation that is not a unit
/// quaternion is used as Pose::frame computes it. With a cache, a pair that moved little costs a fraction.
[[nodiscard]] Distance distance(const Shape& a, const Pose& pose_a, const Shape& b,
                                const Pose& pose_b, const DistanceOptions& options = {},
                                PairCache* cache = nullptr);

} // namespace carom
