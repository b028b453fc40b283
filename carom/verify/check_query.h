// Do the proofs of the queries hold? For any two sets, by their supports and by distances of points alone.
#pragma once

#include "carom/query/answer.h"
#include "carom/verify/check.h"

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// The points lie in the sets, `value` apart; the normal is a unit vector, and the slab at right angles to it is at least lower_bound wide; the bounds
/// are not the wrong way round. `tolerance` is a length: how far the points may be off and the slab too narrow.
[[nodiscard]] Verdict check_distance(const SetView& a, const SetView& b, const Distance& answer,
                                     double tolerance);

/// The points lie in the sets and are value * normal apart (to within `points_tolerance`); along the normal the sets are apart by value, and so by lower_bound at least. Apart: the points
/// prove the upper bound. Overlapping: no direction is better than upper_bound, of `directions` spread over the sphere, each improved by a
/// search. That refutes a wrong depth and does not prove a right one.
[[nodiscard]] Verdict check_signed_distance(const SetView& a, const SetView& b,
                                            const SignedDistance& answer, double tolerance,
                                            double points_tolerance, int directions = 64);

/// The normal is a unit vector, along which B moved by the depth is beyond A. Where the depth is not 0: as check_signed_distance.
[[nodiscard]] Verdict check_penetration(const SetView& a, const SetView& b,
                                        const Penetration& answer, double tolerance,
                                        double points_tolerance, int directions = 64);

/// The greatest gap(a, b, d) that a search from many directions finds: at most the signed distance, and near to it where the
/// search was lucky.
[[nodiscard]] double greatest_gap(const SetView& a, const SetView& b, int directions);

} // namespace verify
} // namespace carom
