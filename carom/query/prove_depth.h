// The proof that no short translation separates two shapes, where one of them at least is not convex.
//
//   Penetration p = penetration(statue, pose_a, statue, pose_b);
//   std::optional<DepthProof> proof = prove_depth(statue, pose_a, statue, pose_b, p);   // that nothing shorter than p.lower_bound separates them
//   verify::check_depth_proof({statue, pose_a}, {statue, pose_b}, *proof, tolerance);
//
// That p.upper_bound * p.normal does separate them is prove_apart of prove.h, with B moved there.
#pragma once

#include "carom/query/answer.h"
#include "carom/query/depth_proof.h"

#include <optional>

namespace [[gnu::visibility("default")]] carom {

/// Of an answer of `penetration`: found by the same search, so it takes as long. Nothing where both shapes are convex (the answer proves itself), one is a half-space, a pose is out of range, or the search comes to
/// less than the lower bound of the answer.
[[nodiscard]] std::optional<DepthProof> prove_depth(const Shape& a, const Pose& pose_a,
                                                    const Shape& b, const Pose& pose_b,
                                                    const Penetration& answer);

} // namespace carom
