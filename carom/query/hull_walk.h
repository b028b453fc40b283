// The nearest points of two small hulls that are apart, by a walk over their features. Internal to the queries.
#pragma once

#include "carom/query/core_pair.h"
#include "carom/query/feature_walk.h"

#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

enum class WalkProof : std::uint8_t {
  none,
  by_neighbors, ///< of the features where the walk ended
  by_supports,  ///< the farthest vertices of both, where the neighbours leave it open
};

/// Proves the lower bound of what a walk found, once it ended at the nearest pair: how far the hulls are apart along the axis. `none` where that does not agree with the
/// distance of the points, and is not to be believed.
[[nodiscard]] WalkProof prove_walk(const CorePair& pair, const FeatureWalk& walk,
                                   CoreDistance& found);

/// What nearest_cores finds of two hulls that have their features at hand, where the line between the balls inside them is at right angles to a plane that separates them. It
/// takes two thirds of the time of that search. False where they are not such, or nothing is proved; then `found` is as it was, or says nothing.
[[nodiscard]] bool walk_hulls(const CorePair& pair, CoreDistance& found);

} // namespace carom
