#include "carom/motion/moving_set.h"

#include "carom/math/tolerance.h"
#include "carom/shape/support.h"

#include <cmath>

namespace carom {

MotionTerms::MotionTerms(const Motion& motion)
    : frame(motion.start.frame()), pivot(motion.pivot), arm(frame.origin - pivot),
      translation(motion.translation),
      axis(motion.angle == 0 ? Vec3{} : normalized_or(motion.axis, {})),
      angle(axis == Vec3{} ? 0 : motion.angle), order(motion.order) {}

Vec3 MotionTerms::velocity(double t, const Vec3& x) const {
  const Vec3 circling = cross(axis, x - (pivot + translation * along(t))) * angle;
  if (order == MotionOrder::together) return translation + circling;
  return t < 0.5 ? translation * 2 : circling * 2;
}

double MovingSet::reach_at(const Vec3& n, double t) const {
  const Vec3 m = motion.turn_back(n, t);
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

double radius_about_pivot(const MotionTerms& motion, const Shape& shape) {
  if (!shape.bounded()) return INFINITY;
  // Their boxes take time, and say little more than this, unless they are far from the origin of their own frame.
  if (shape.kind() == ShapeKind::hull || shape.kind() == ShapeKind::brush)
    return (length(motion.arm) + std::sqrt(3.0) * shape.size()) * (1 + 16 * tolerance::epsilon);
  return radius_about_pivot(motion, bounds(shape));
}

} // namespace carom
