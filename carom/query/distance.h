// How far apart two placed shapes are, with the proof.
//
//   Distance d = distance(box, Pose::at({0, 3, 0}), rock, Pose::identity());
//
// The nearest points prove that the shapes are not farther apart than `value`; the normal proves that they are not nearer than
// `lower_bound`: between the planes at right angles to it there is a slab of that width with all of A on one side and all of B on the
// other. verify::check_distance confirms both without trusting anything here.
#pragma once

#include "carom/query/pair_cache.h"
#include "carom/query/status.h"
#include "carom/shape/shape.h"

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

struct DistanceOptions {
  /// Stop as soon as value - lower_bound <= max(absolute_error, relative_error * value). 0 and 0: as exact as doubles allow.
  double absolute_error = 0; ///< a length
  double relative_error = 0;
  /// 'Nearer than this?': stop as soon as value < threshold or lower_bound >= threshold. A length; NaN: do not ask.
  double threshold = NAN;
};

struct Distance {
  /// The distance of the nearest points: 0 where the shapes overlap or touch. An upper bound of the true one.
  double value = 0;
  /// The shapes are at least this far apart: rounded down, never more than the true distance. Without an error or threshold asked for, value -
  /// lower_bound is at most 1e-12 of the shapes' size and translation, 1e-10 where one is curved; for a custom shape it is what
  /// its support function allows.
  double lower_bound = 0;
  /// Points of A and of B, in the world, `value` apart. Where the shapes overlap, both are one common point.
  Vec3 on_a{}, on_b{};
  /// A unit vector from A toward B, at right angles to the empty slab; where the value is not 0 it is along on_b - on_a to within rounding. Where the
  /// shapes overlap it proves nothing, and is some unit vector.
  Vec3 normal{1, 0, 0};
  Status status = Status::ok;
  int iterations = 0; ///< support points looked at, for those who compare methods
};

/// For every ordered pair of kinds. Touching shapes are at distance 0. Poses may be anywhere in range; a rotation that is not a unit
/// quaternion is used as Pose::frame computes it. With a cache, a pair that moved little costs a fraction.
[[nodiscard]] Distance distance(const Shape& a, const Pose& pose_a, const Shape& b,
                                const Pose& pose_b, const DistanceOptions& options = {},
                                PairCache* cache = nullptr);

} // namespace carom
