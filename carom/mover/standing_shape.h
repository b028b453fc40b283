// A convex shape where it stands, asked again and again how far it reaches. Internal to the mover.
//
// Most movers are balls and capsules: two ends in the world and a radius tell it without turning directions into the shape's frame and back.
#pragma once

#include "carom/math/pose.h"
#include "carom/shape/shape.h"
#include "carom/shape/support.h"

namespace [[gnu::visibility("default")]] carom {

class StandingShape {
public:
  /// Refers to the shape.
  StandingShape(const Shape& shape, const Pose& pose) : shape_(&shape), frame_(pose.frame()) {
    if (const auto* point = std::get_if<Vec3>(&shape.core())) {
      is_round_ = true;
      a_ = b_ = frame_.to_world(*point);
    } else if (const auto* segment = std::get_if<Segment>(&shape.core())) {
      is_round_ = true;
      a_ = frame_.to_world(segment->a);
      b_ = frame_.to_world(segment->b);
    }
  }

  [[nodiscard]] const Vec3& origin() const { return frame_.origin; }
  [[nodiscard]] double rounding() const { return shape_->rounding(); }

  /// The point that lies farthest along the unit vector d.
  [[nodiscard]] Vec3 farthest(const Vec3& d) const {
    if (!is_round_) return frame_.to_world(support_point(*shape_, frame_.direction_to_local(d)));
    return (dot(d, b_) > dot(d, a_) ? b_ : a_) + d * shape_->rounding();
  }

private:
  const Shape* shape_;
  Frame frame_;
  bool is_round_ = false;
  Vec3 a_{}, b_{}; ///< of a round one: the ends of its core
};

} // namespace carom
