// How fast two moving shapes can come nearer to each other. Internal.
#pragma once

#include "carom/motion/motion.h"

namespace [[gnu::visibility("default")]] carom {

/// A bound of how fast the points of two shapes move relative to each other between two times, per unit of t; where one is a half-space, as seen from it. Infinite for two half-spaces.
[[nodiscard]] double greatest_relative_speed(const Shape& a, const Motion& motion_a, const Shape& b,
                                             const Motion& motion_b, double from, double to);

} // namespace carom
