// The nearest points of two cores. Internal to the world.
#pragma once

#include "carom/dynamics/convex_meeting.h"

namespace [[gnu::visibility("default")]] carom {

struct Nearness {
  bool overlap =
      false;           ///< or nearer than was asked for: the axis is not that of the nearest points
  bool beyond = false; ///< farther apart than `limit`, which the axis proves
};

/// Begins with `axis.normal`, any unit vector. Afterwards the axis is that of the nearest points. Nearer than `touching`, which is a length above 0, counts as overlap.
[[nodiscard]] Nearness search_nearest(const ConvexForm& a, const PlacedForm& b, double limit,
                                      double touching, MeetingAxis& axis);
[[nodiscard]] Nearness search_nearest(const ConvexForm& a, const PlacedTriangle& b, double limit,
                                      double touching, MeetingAxis& axis);

} // namespace carom
