// Is x a solution of a linear complementarity problem (math/complementarity.h)? Multiplied out, in twice the precision.
#pragma once

#include "carom/math/complementarity.h"
#include "carom/verify/check.h"

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// x is within its bounds; where it is not at the lower one, w = A x + b is not above the tolerance, and where it is not at the upper one, not below its negative. The tolerance is relative: to the greatest sum of |b_i| and |A_ij x_j|.
[[nodiscard]] Verdict check_complementarity(const ComplementarityProblem& problem,
                                            std::span<const double> x, double tolerance);

} // namespace verify
} // namespace carom
