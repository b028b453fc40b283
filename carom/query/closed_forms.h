// Nearest points of two cores without a search, for the kinds where a formula or a short walk finds them. Internal to the queries.
//
// A form proposes: a point of each core, and an axis. What decides is the proof: the supports along the axis are as far apart as the points are. So a form may
// cut corners. Where it fails (shapes that touch, axes that are not quite at right angles, walks that get lost) the search answers as it would have without.
#pragma once

#include "carom/query/core_pair.h"

namespace [[gnu::visibility("default")]] carom {

/// The distance of the cores of two bounded shapes, where there is a form for their kinds and it proves its answer: `pair` is of a and b. False, and nothing said, where not; so for all
/// that overlap or touch.
[[nodiscard]] bool closed_form(const Shape& a, const Shape& b, const CorePair& pair,
                               CoreDistance& result);

/// What a form proposes.
struct Proposal {
  Vec3 on_a, on_b; ///< points of the cores, each in its own frame
  Vec3 between;    ///< from the one to the other, in A's frame
  double distance; ///< its length
  Vec3 axis;       ///< in A's frame, a unit vector from A to B
};

/// Whether that is the answer to what nearest_cores promises: then it is taken.
[[nodiscard]] bool take_if_proved(const CorePair& pair, const Proposal& proposal,
                                  CoreDistance& result);

} // namespace carom
