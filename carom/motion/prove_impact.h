// The proof that nothing touches before a time of impact, or at all.
//
//   TimeOfImpact i = time_of_impact(a, motion_a, b, motion_b);
//   std::optional<MotionProof> proof = prove_impact(a, motion_a, b, motion_b, i);
//   verify::check_motion_proof(a, motion_a, b, motion_b, *proof, tolerance);
//
// For every pair of convex parts, one of A and one of B, a list of directions, each for a stretch of time, that together lead from t = 0 to the impact (proof.h). Found for its own sake, after the answer, by a search through other trees than those that found it.
#pragma once

#include "carom/motion/answer.h"
#include "carom/motion/motion.h"
#include "carom/motion/proof.h"

#include <optional>

namespace [[gnu::visibility("default")]] carom {

/// That A and B (their surfaces, of solids) are more than `margin` apart at all times before `until`. Nothing where that is not so, or not by enough to be sure: by at least `room`, a length; half the error that time_of_impact allows is enough.
[[nodiscard]] std::optional<MotionProof> prove_clear(const Shape& a, const Motion& motion_a,
                                                     const Shape& b, const Motion& motion_b,
                                                     double until, double margin, double room);

/// Of an answer that was found with this margin and absolute error, by the directional method: before i.t, or up to max_t where there is no hit. Nothing for an initial overlap.
[[nodiscard]] std::optional<MotionProof> prove_impact(const Shape& a, const Motion& motion_a,
                                                      const Shape& b, const Motion& motion_b,
                                                      const TimeOfImpact& i, double margin = 0,
                                                      double absolute_error = 0, double max_t = 1);

} // namespace carom
