// Two round cores for which one jump (axis_jump.h) was not enough. Internal to the queries, a part of round_forms.h.
#pragma once

#include "carom/query/axis_jump.h"

namespace [[gnu::visibility("default")]] carom {

/// The features to start from, and the axis.
struct RoundStart {
  RoundFeature on_a, on_b;
  Vec3 n; ///< a unit vector
};

/// From there on uphill, `first` being the jump from the start, unproved. True where that proves the distance.
[[nodiscard]] bool ascend(const FormPair& pair, const RoundCore& a, const RoundCore& b,
                          const RoundStart& start, const Jump& first, FormAnswer& answer);

} // namespace carom
