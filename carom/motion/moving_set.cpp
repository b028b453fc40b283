#include "carom/motion/moving_set.h"

#include "carom/math/tolerance.h"

#include <algorithm>

namespace carom {

MotionTerms::MotionTerms(const Motion& motion)
    : frame(motion.start.frame()), pivot(motion.pivot), arm(frame.origin - pivot),
      translation(motion.translation),
      axis(motion.angle == 0 ? Vec3{} : normalized_or(motion.axis, {})),
      angle(axis == Vec3{} ? 0 : motion.angle), order(motion.order) {}

Vec3 MotionTerms::turn(const Vec3& v, double by) const {
  if (by == 0) return v;
  const SinCos s = sin_cos(by);
  return v * s.cos + cross(axis, v) * s.sin + axis * (dot(axis, v) * (1 - s.cos));
}

double MovingSet::reach_at(const Vec3& n, double t) const {
  const Vec3 m = motion.turn(n, -motion.turned(t));
  return dot(m, motion.arm) + reach(motion.frame.direction_to_local(m));
}

double reach_of(const Shape& shape, const Vec3& direction) {
  return dot(direction, shape.core_support()(direction)) + shape.rounding() * length(direction);
}

double reach_of(const Aabb& box, const Vec3& direction) {
  return dot(direction, box.center()) + dot(abs(direction), box.half());
}

double radius_about_pivot(const MotionTerms& motion, const Aabb& box) {
  const double most = length(motion.arm + motion.frame.basis * box.center()) + length(box.half());
  return most * (1 + 16 * tolerance::epsilon);
}

} // namespace carom
