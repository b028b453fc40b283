// Whether two polytopes overlap, by linear programming in three unknowns (Seidel): expected time linear in the number of vertices and faces,
// with no start, no search and no support lookup.
//
// For comparison with overlap() (query/overlap.h), which gives the same answer faster.
#pragma once

#include "carom/query/answer.h"
#include "carom/query/polytope_pair.h"

namespace [[gnu::visibility("default")]] carom {

/// As overlap() for two hulls, with the same proof; verify::check_overlap confirms it. Its `iterations` are the programs solved: 1 or 2 unless
/// rounding has a say.
[[nodiscard]] ShapeOverlap overlap_by_linear_program(const Polytope& a, const Pose& pose_a,
                                                     const Polytope& b, const Pose& pose_b,
                                                     MethodTrace* trace = nullptr);

} // namespace carom
