// Do the answers about moving shapes hold? By the definition of a motion, and the checker's own supports.
#pragma once

#include "carom/motion/answer.h"
#include "carom/motion/motion.h"
#include "carom/motion/proof.h"
#include "carom/verify/shape.h"

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// The shape as it is at time t, from the definition (motion.h).
[[nodiscard]] PlacedShape placed_at(const Shape& shape, const Motion& motion, double t);

/// A hit: the points lie in the parts named of the shapes at time t and are `distance` apart, no more than the margin and `error`, with the normal from the one to the other where they are not one; and `separating` is what their velocities say. At `samples` times before (all over [0, max_t] where
/// there is no hit), all pairs of parts are more than the margin apart: that refutes a wrong time and does not prove a right one. An initial overlap is for check_distance and check_penetration to see.
/// `tolerance`: a length, how much may be off.
[[nodiscard]] Verdict check_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                                   const Motion& motion_b, const TimeOfImpact& answer,
                                   double margin, double error, double max_t, int samples,
                                   double tolerance);

/// The proof lists each convex part of both shapes once, its claims cover all pairs, none twice, and the steps of each lead from 0 to `until`. For each step: at its beginning and at its end all parts of the claim are apart along the direction, by the bound and by what the parts' accelerations, as seen from the
/// carrier, may take away between (an eighth of the greatest, times the square of the time). Nothing begins inside of a solid. All to within `tolerance`, a length.
[[nodiscard]] Verdict check_motion_proof(const Shape& a, const Motion& motion_a, const Shape& b,
                                         const Motion& motion_b, const MotionProof& proof,
                                         double tolerance);

} // namespace verify
} // namespace carom
