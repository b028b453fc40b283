// The depth where at least one shape is not convex: what the public functions pass on. Internal.
#pragma once

#include "carom/query/penetration.h"
#include "carom/query/signed_distance.h"
#include "carom/query/solid_penetration.h"

namespace [[gnu::visibility("default")]] carom {

/// At least one shape is not convex, neither is a half-space; the poses are in range.
[[nodiscard]] Penetration composite_penetration(const Shape& a, const Pose& pose_a, const Shape& b,
                                                const Pose& pose_b,
                                                const SolidPenetrationOptions& options = {},
                                                DepthProof* proof = nullptr);
[[nodiscard]] SignedDistance composite_signed_distance(const Shape& a, const Pose& pose_a,
                                                       const Shape& b, const Pose& pose_b,
                                                       const SignedDistanceOptions& options,
                                                       PairCache* cache);

} // namespace carom
