// Whether two placed shapes have a point in common, with the proof.
#pragma once

#include "carom/geometry/answer.h"
#include "carom/query/pair_cache.h"
#include "carom/query/status.h"
#include "carom/shape/shape.h"

namespace [[gnu::visibility("default")]] carom {

/// Touching counts. It may go either way only where the signed distance is within 1e-14 of the shapes' size and translation.
struct ShapeOverlap : Overlap {
  Status status = Status::ok;
  int iterations = 0; ///< support points looked at, for those who compare methods
};

/// For every ordered pair of kinds. Faster than the distance: it stops at the first separating direction or common point.
[[nodiscard]] ShapeOverlap overlap(const Shape& a, const Pose& pose_a, const Shape& b,
                                   const Pose& pose_b, PairCache* cache = nullptr);

} // namespace carom
