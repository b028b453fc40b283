// A set that moves, by how far it reaches along a direction. Internal.
#pragma once

#include "carom/math/trig.h"
#include "carom/motion/motion.h"
#include "carom/tree/function_ref.h"

namespace [[gnu::visibility("default")]] carom {

/// How much of the translation, and of the rotation, is behind at time t.
[[nodiscard]] inline double share_moved(MotionOrder order, double t) {
  return order == MotionOrder::together ? t : t < 0.5 ? 2 * t : 1;
}
[[nodiscard]] inline double share_turned(MotionOrder order, double t) {
  return order == MotionOrder::together ? t : t > 0.5 ? 2 * t - 1 : 0;
}

/// A motion, ready to be asked many times.
struct MotionTerms {
  explicit MotionTerms(const Motion& motion);

  /// The share of the translation that is behind at time t.
  [[nodiscard]] double along(double t) const { return share_moved(order, t); }
  /// The angle turned by time t.
  [[nodiscard]] double turned(double t) const { return angle * share_turned(order, t); }
  /// From `from` on, the motion is of one piece up to here: 1, or 1/2 where the order makes it change there.
  [[nodiscard]] double piece_end(double from) const {
    return order == MotionOrder::together || from >= 0.5 ? 1 : 0.5;
  }
  /// v, turned as the body is at time t, or by the same angle back. The last angle's sine and cosine are kept: not for several threads.
  [[nodiscard]] Vec3 turn(const Vec3& v, double t) const { return turn_by(v, look_up(t)); }
  [[nodiscard]] Vec3 turn_back(const Vec3& v, double t) const {
    const SinCos s = look_up(t);
    return turn_by(v, {-s.sin, s.cos});
  }
  /// Of the point of the body that is at x.
  [[nodiscard]] Vec3 velocity(double t, const Vec3& x) const;

  Frame frame; ///< of the start
  Vec3 pivot;
  Vec3 arm; ///< from the pivot to the origin of the frame
  Vec3 translation;
  Vec3 axis; ///< a unit vector; zero where it does not turn
  double angle;
  MotionOrder order;

private:
  [[nodiscard]] SinCos look_up(double t) const {
    const double now = turned(t);
    if (now != kept_angle_) {
      kept_angle_ = now;
      kept_ = sin_cos(now);
    }
    return kept_;
  }
  [[nodiscard]] Vec3 turn_by(const Vec3& v, const SinCos& s) const {
    return v * s.cos + cross(axis, v) * s.sin + axis * (dot(axis, v) * (1 - s.cos));
  }
  mutable double kept_angle_ = 0;
  mutable SinCos kept_{0, 1};
};

/// How far a set reaches beyond the origin of its own frame along a direction of about unit length there.
using Reach = FunctionRef<double(const Vec3& direction)>;

struct MovingSet {
  const MotionTerms& motion;
  Reach reach;
  double radius; ///< no point is farther from the pivot; infinite for a half-space

  /// The greatest n . (x - pivot) over the set at time t, the pivot as it is then.
  [[nodiscard]] double reach_at(const Vec3& n, double t) const;
};

/// How far a convex shape reaches: a half-space along its own normal only.
[[nodiscard]] double reach_of(const Shape& shape, const Vec3& direction);
[[nodiscard]] double reach_of(const Aabb& box, const Vec3& direction);

/// No point of the box, in the frame that moves, is farther from the pivot.
[[nodiscard]] double radius_about_pivot(const MotionTerms& motion, const Aabb& box);
/// The same of a shape; infinite for a half-space.
[[nodiscard]] double radius_about_pivot(const MotionTerms& motion, const Shape& shape);

} // namespace carom
