// How far apart two placed shapes are, or how deep they reach into each other: one continuous function.
//
//   SignedDistance s = signed_distance(a, pose_a, b, pose_b);
//   Pose apart = pose_b;  apart.position += s.normal * -s.value;      // where s.value < 0: just touching now
//
// Along the unit vector n the shapes are apart by gap(n) = min over B of n . b - max over A of n . a, negative where they overlap along it.
// The signed distance is the greatest gap of any direction: the distance of shapes that are apart; of shapes that overlap, minus the
// length of the least translation that separates them. `normal` is the direction that attains it, so it proves that the true value is
// not less. That it is not more is proved by the nearest points of shapes that are apart, and for shapes that overlap, by points of
// A - B whose hull holds a ball of radius -upper_bound around the origin.
#pragma once

#include "carom/query/pair_cache.h"
#include "carom/query/status.h"
#include "carom/shape/shape.h"

namespace [[gnu::visibility("default")]] carom {

struct SignedDistance {
  /// Positive apart, 0 at touch, negative where they overlap. Minus infinity for two half-spaces that no translation separates.
  double value = 0;
  /// The true value is between these: rounded outward. At most 1e-12 of the shapes' size and translation apart for polyhedral shapes, also
  /// rounded ones; for curved ones that are apart, 1e-10; for curved ones that overlap, as near as the search came.
  double lower_bound = 0, upper_bound = 0;
  /// Apart: the nearest points of A and B. Overlapping: the points that will touch once B has moved by -value * normal; so on_a lies inside B
  /// and on_b inside A. In both cases on_b - on_a = value * normal, to within rounding.
  Vec3 on_a{}, on_b{};
  /// From A toward B, a unit vector: moving B along it by -value (where that is positive) separates the shapes. Where several directions are as good
  /// (two concentric balls), it is one of them, always the same.
  Vec3 normal{1, 0, 0};
  Status status = Status::ok;
  int iterations = 0; ///< support points looked at, for those who compare methods
};

/// For every ordered pair of kinds.
[[nodiscard]] SignedDistance signed_distance(const Shape& a, const Pose& pose_a, const Shape& b,
                                             const Pose& pose_b, PairCache* cache = nullptr);

} // namespace carom
