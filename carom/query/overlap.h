// Whether two placed shapes have a point in common, with the proof.
#pragma once

#include "carom/query/answer.h"
#include "carom/query/pair_cache.h"
#include "carom/shape/shape.h"

namespace [[gnu::visibility("default")]] carom {

/// For every ordered pair of kinds. Faster than the distance: it stops at the first separating direction or common point.
[[nodiscard]] ShapeOverlap overlap(const Shape& a, const Pose& pose_a, const Shape& b,
                                   const Pose& pose_b, PairCache* cache = nullptr);

} // namespace carom
