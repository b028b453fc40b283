// How deep two overlapping cores reach into each other: the distance of the origin from the surface of their difference, from inside. Internal to the queries.
#pragma once

#include "carom/query/core_pair.h"

namespace [[gnu::visibility("default")]] carom {

/// What is known of the depth of two cores.
struct CoreDepth {
  double upper = INFINITY; ///< moving B by this much along the axis, the cores at most touch
  double lower = 0;        ///< no shorter translation does: rounded down
  Vec3 axis{1, 0, 0};      ///< in A's frame, a unit vector from A to B
  Vec3 on_a,
      on_b; ///< points of the cores, each in its own frame: on_a - on_b is axis * upper, to within rounding
  int iterations = 0;
  bool answered = false; ///< the bounds agree
};

/// The cores overlap or touch: `nearest` and `start` are what nearest_cores found and left.
[[nodiscard]] CoreDepth core_depth(const CorePair& pair, const CoreDistance& nearest,
                                   const PairCache& start);

} // namespace carom
