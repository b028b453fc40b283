// Is an impact of linearly moving vertices what it says? Exactly, claim by claim.
#pragma once

#include "carom/motion/linear_answer.h"
#include "carom/verify/check.h"

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// The four points of a query: a vertex and the corners of a face (first_part 1), or the ends of two edges (2).
struct LinearQuery {
  std::array<MovingPoint, 4> points;
  int first_part = 1;
  double separation = 0;
  double input_error = 0;
};

[[nodiscard]] LinearQuery linear_query(const MovingPoint& vertex, const MovingFace& face);
[[nodiscard]] LinearQuery linear_query(const MovingEdge& a, const MovingEdge& b);

/// Each claim of the proof holds, and where it is complete they cover all of [0, t), or [0, 1] of a miss. All in exact arithmetic.
[[nodiscard]] Verdict check_linear_proof(const LinearQuery& query, const LinearImpact& impact,
                                         const LinearImpactProof& proof);

/// A hit has times in order, weights that are those of points of the parts, and these are at t within the separation and `tolerance` of each other, and of `point`; the normal is a unit vector. (A miss is a matter
/// of the proof.)
[[nodiscard]] Verdict check_linear_contact(const LinearQuery& query, const LinearImpact& impact,
                                           double tolerance);

} // namespace verify
} // namespace carom
