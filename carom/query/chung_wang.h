// Whether two polytopes overlap, by the search for a separating vector of Chung and Wang (1996): a few reflections where they are apart, and a proof where
// they are not.
//
// For comparison with overlap() (query/overlap.h), which gives the same answer.
#pragma once

#include "carom/query/answer.h"
#include "carom/query/polytope_pair.h"

namespace [[gnu::visibility("default")]] carom {

/// As overlap() for two hulls, with the same proof; verify::check_overlap confirms it. `start` is tried first unless it is zero: a vector from A toward B in the
/// world, of any length. That which separated the pair last time mostly does so again.
[[nodiscard]] ShapeOverlap overlap_by_separating_vector(const Polytope& a, const Pose& pose_a,
                                                        const Polytope& b, const Pose& pose_b,
                                                        const Vec3& start = {},
                                                        MethodTrace* trace = nullptr);

} // namespace carom
