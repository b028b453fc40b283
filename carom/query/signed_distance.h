// How far apart two placed shapes are, or how deep they reach into each other: one continuous function.
//
//   SignedDistance s = signed_distance(a, pose_a, b, pose_b);
//   Pose apart = pose_b;  apart.position += s.normal * -s.value;      // where s.value < 0: just touching now
#pragma once

#include "carom/query/answer.h"
#include "carom/query/pair_cache.h"
#include "carom/shape/shape.h"

namespace [[gnu::visibility("default")]] carom {

/// For every ordered pair of kinds.
[[nodiscard]] SignedDistance signed_distance(const Shape& a, const Pose& pose_a, const Shape& b,
                                             const Pose& pose_b, PairCache* cache = nullptr);

} // namespace carom
