// The nearest points of two small hulls that are apart, by a walk over their features. Internal to the queries.
#pragma once

#include "carom/query/core_pair.h"
#include "carom/query/feature_look.h"
#include "carom/query/feature_walk.h"

#include <cstdint>
#include <variant>

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

/// What nearest_cores finds of two hulls that have their features at hand (polytope.h) and are apart. It takes some 60% of the time of that search. Begins at the features that the cache has;
/// without, at the vertices farthest toward each other, if a plane at right angles to the line between the balls inside them separates the hulls. False where that is not so, the hulls met last time, or nothing is
/// proved: then `found` says nothing.
[[nodiscard]] bool walk_hulls(const CorePair& pair, PairCache* cache, CoreDistance& found);

/// The features of a hull that has them at hand; null for other shapes.
[[nodiscard]] inline const FeatureLevel* features_of(const Shape& shape) {
  const auto* hull = std::get_if<Polytope>(&shape.core());
  return hull ? &hull->features() : nullptr;
}

/// Looks at the features in the cache, of these kinds, and at their neighbours (feature_look.h). False also where the cache has none of these shapes.
template<FeatureKind kind_a, FeatureKind kind_b>
[[nodiscard, gnu::always_inline]] inline bool
find_near_features(const FormPair& pair, PairCache& cache, FormAnswer& answer, int& looks) {
  if (cache.id_a != pair.a.id() || cache.id_b != pair.b.id()) return false;
  const FeatureLevel* a = features_of(pair.a);
  const FeatureLevel* b = features_of(pair.b);
  return a && b &&
         find_near_features<kind_a, kind_b>(pair, *a, cache.feature_a, *b, cache.feature_b, answer,
                                            looks);
}

/// Leaves where a walk may begin next time in the cache, once a search has found that two hulls are apart along the axis.
void keep_features(const CorePair& pair, const Vec3& axis, PairCache& cache);

} // namespace carom
