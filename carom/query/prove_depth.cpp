#include "carom/query/prove_depth.h"

#include "carom/query/composite_penetration.h"
#include "carom/query/rounded.h"

namespace carom {

std::optional<DepthProof> prove_depth(const Shape& a, const Pose& pose_a, const Shape& b,
                                      const Pose& pose_b, const Penetration& answer) {
  if (!in_range(pose_a) || !in_range(pose_b) || !a.bounded() || !b.bounded()) return std::nullopt;
  if (a.convex() && b.convex()) return std::nullopt;
  DepthProof proof;
  const Penetration found = composite_penetration(a, pose_a, b, pose_b, {}, &proof);
  if (!(found.lower_bound >= answer.lower_bound)) return std::nullopt;
  proof.bound = answer.lower_bound;
  return proof;
}

} // namespace carom
