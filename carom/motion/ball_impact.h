// Two balls whose centres go straight: the pair whose time of impact has a formula. Internal.
#pragma once

#include "carom/motion/moving_set.h"
#include "carom/shape/shape.h"

#include <cmath>
#include <optional>

namespace [[gnu::visibility("default")]] carom {

/// A point that goes straight.
struct StraightPath {
  Vec3 start, velocity;
};

/// The way of a ball's centre, or of a point's; nothing for other shapes, and where it turns about something else than its centre.
[[nodiscard]] inline std::optional<StraightPath> straight_center(const Shape& shape,
                                                                 const MotionTerms& motion) {
  const auto* center = std::get_if<Vec3>(&shape.core());
  if (!center || motion.order != MotionOrder::together) return {};
  const Vec3 from_pivot = motion.arm + motion.frame.direction_to_world(*center);
  if (motion.angle != 0 && !(motion.axis == Vec3{}) && !(from_pivot == Vec3{})) return {};
  return StraightPath{motion.pivot + from_pivot, motion.translation};
}

/// The first time, from 0 on, at which two points come to be a distance `apart` from each other, which they exceed at the start; infinite where they never do. At that time they are so far apart to within some roundings of the coordinates, grazing or not:
/// the half chord is taken from the least distance, not from the coefficients of a quadratic.
[[nodiscard]] inline double first_time_within(const StraightPath& a, const StraightPath& b,
                                              double apart) {
  const Vec3 p = b.start - a.start, v = b.velocity - a.velocity;
  const double speed = length(v);
  if (!(speed > 0)) return INFINITY;
  const Vec3 way = v / speed;
  const double ahead = -dot(p, way); // how far it is to where they are nearest
  const double least = length(p + way * ahead);
  if (!(ahead > 0) || !(least < apart)) return INFINITY;
  return (ahead - std::sqrt((apart - least) * (apart + least))) / speed;
}

} // namespace carom
