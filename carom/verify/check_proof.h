// Does a proof that nothing touches hold? Claim by claim, and that they leave no pair out.
#pragma once

#include "carom/query/proof.h"
#include "carom/verify/parts.h"

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// The proof lists each convex part of both shapes once. Its claims cover all pairs, none twice. Along each claim's direction, a unit vector, the farthest point of each part of A and the nearest of each of B, found one by one, are `bound`
/// apart at the start and after A's translation, to within `tolerance`, a length. No part of the one shape begins inside of a solid of the other: one point of each part is tried, and may be as deep as the tolerance.
///
/// Time: the parts of all claims added up, and for solids the triangles of the one times the parts of the other.
[[nodiscard]] Verdict check_proof(const PlacedShape& a, const PlacedShape& b, const Proof& proof,
                                  double tolerance);

} // namespace verify
} // namespace carom
