// The distance of two polytopes as a quadratic program: of all points of A and of B, expressed by weights of the vertices, the two with the
// least square of the distance. No support lookup, no adjacency: the vertices alone, all of them, in each step.
//
// For comparison with distance() (query/distance.h), which gives the same answer faster; and where vertices are all that is at hand.
#pragma once

#include "carom/query/answer.h"
#include "carom/query/polytope_pair.h"

namespace [[gnu::visibility("default")]] carom {

/// As distance() for two hulls, with the same proof; verify::check_distance confirms it.
[[nodiscard]] Distance distance_by_quadratic_program(const Polytope& a, const Pose& pose_a,
                                                     const Polytope& b, const Pose& pose_b,
                                                     MethodTrace* trace = nullptr);

/// The same for a pair that is made already. Internal to the queries.
[[nodiscard]] Distance distance_by_quadratic_program(const PolytopePair& pair,
                                                     MethodTrace* trace = nullptr);

} // namespace carom
