// The distance of two polyhedral shapes that move little from query to query: V-Clip, by tracking the nearest features.
//
//   const FeatureHull a = FeatureHull::of(rock).value();             // once a shape
//   const FeatureHull b = FeatureHull::of(crate).value();
//   FeaturePair pair;                                               // one for each pair, kept by the caller
//   Distance d = tracked_distance(a, pose_a, b, pose_b, pair);      // each step
//
// The nearest features of the last query are mostly still the nearest, or next to them. A walk goes from pair to nearer pair, and the neighbours of the features
// where it ends prove the answer. Where they do not, the walk is not believed: the pair goes to the search of distance().
#pragma once

#include "carom/query/answer.h"
#include "carom/shape/feature_hull.h"

#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// Where the last query of a pair ended. It only ever saves time: the answer is as true from any start. Given other shapes than last time, it starts afresh.
struct FeaturePair {
  /// How the last answer was found.
  enum class Found : std::uint8_t {
    by_neighbors, ///< the walk, proved by the features' neighbours
    by_supports,  ///< the walk, proved by the farthest vertices of both (parallel faces or edges)
    by_search, ///< distance()'s search: the shapes overlap or touch, or the walk did not get there
  };

  HullFeature a, b; ///< of the finest levels; an index that there is not counts as the first vertex
  std::uint64_t id_a = 0, id_b = 0; ///< of the shapes; 0: none yet
  /// The cores met last time: then the next query begins with the search.
  bool meeting = false;
  Found found = Found::by_search;
};

/// What distance() answers, for the shapes of two FeatureHulls; the same bounds hold. `iterations` counts the pairs of features looked at and the support points.
/// A pair without a past starts on the coarsest levels, where there are some, and goes on from level to level; without levels, at the vertices that lie
/// farthest toward the other shape. The same after `pair = {}`: worth it where the shapes have jumped.
/// Allocates nothing.
[[nodiscard]] Distance tracked_distance(const FeatureHull& a, const Pose& pose_a,
                                        const FeatureHull& b, const Pose& pose_b,
                                        FeaturePair& pair);

} // namespace carom
