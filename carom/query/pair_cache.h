// What a caller keeps between queries of one pair, so that the next one starts where the last ended.
#pragma once

#include "carom/math/vec3.h"
#include "carom/shape/feature_level.h"

#include <array>
#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// Owned by the caller, one for each pair, empty at first; the queries fill it and use it. It only ever saves time: the answer is as true as without it, also
/// where the shapes have jumped. Given other shapes than last time, it starts afresh.
struct PairCache {
  /// Points of A and B, each in its shape's own frame, that carried the last answer.
  struct Corner {
    Vec3 on_a, on_b;
  };
  std::array<Corner, 4> corners{};
  int count = 0;
  /// Features of two small hulls where a walk ended (hull_walk.h), or where the next may begin.
  HullFeature feature_a, feature_b;
  bool has_features = false; ///< it is the features that the last answer left, not the points
  std::uint64_t id_a = 0, id_b = 0; ///< of the shapes; 0: none yet
  /// Of shapes that are not convex: the parts that were nearest.
  std::uint32_t part_a = 0, part_b = 0;
};

} // namespace carom
