#include "carom/motion/relative_speed.h"

#include "carom/math/tolerance.h"
#include "carom/motion/moving_set.h"
#include "carom/shape/support.h"

#include <cmath>

namespace carom {

double greatest_relative_speed(const Shape& a, const Motion& motion_a, const Shape& b,
                               const Motion& motion_b, double from, double to) {
  if (!a.bounded() && !b.bounded()) return INFINITY;
  if (!a.bounded()) return greatest_relative_speed(b, motion_b, a, motion_a, from, to);
  if (b.bounded()) {
    return greatest_speed(motion_a, bounds(a), from, to) +
           greatest_speed(motion_b, bounds(b), from, to);
  }
  // Seen from the half-space: both drifts, the shape's own turning, and all of the shape turning about the half-space's pivot.
  const MotionTerms m(motion_a), half_space(motion_b);
  const double radius = radius_about_pivot(m, bounds(a));
  const double drift = length(m.translation) + length(half_space.translation);
  const double away = length(m.pivot - half_space.pivot) + drift + radius;
  const bool together =
      m.order == MotionOrder::together && half_space.order == MotionOrder::together;
  return (drift + std::fabs(m.angle) * radius + std::fabs(half_space.angle) * away) *
         (together ? 1 : 2) * (1 + 64 * tolerance::epsilon);
}

} // namespace carom
