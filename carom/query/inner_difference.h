// The balls inside two shapes, and what they say at once of an overlap. Internal to the queries.
#pragma once

#include "carom/query/core_pair.h"

#include <algorithm>
#include <cmath>

namespace [[gnu::visibility("default")]] carom {

/// The ball inside A - B that the balls inside A and B make, grown by the distance that is near enough. Together with a corner of A - B, grown as much, it makes a tapered capsule: where that holds
/// the origin, there are points near enough.
class InnerDifference {
public:
  using Corner = CorePair::Corner;

  InnerDifference(const CorePair& pair, double near_enough)
      : pair_(pair), near_enough_(near_enough), center_(pair.inner_difference()),
        // Smaller by what the coordinates may be off.
        narrowing_(std::max(0.0, pair.inner_a().radius + pair.inner_b().radius - pair.rounding())),
        radius_(narrowing_ + near_enough), outside_(length_squared(center_) - radius_ * radius_) {}

  [[nodiscard]] const Vec3& center() const { return center_; }
  [[nodiscard]] bool contains_origin() const { return outside_ <= 0; }

  /// Whether the origin is in the tapered capsule up to w. At the share s of the way its radius is radius_ - s narrowing_; the origin is inside where a quadratic in s is
  /// not positive for some s, and its least value tells.
  [[nodiscard]] bool contains_origin_toward(const Vec3& w) const {
    const Vec3 e = w - center_;
    const double a = length_squared(e) - narrowing_ * narrowing_;
    const double b = dot(center_, e) + radius_ * narrowing_;
    return b < 0 && -b < a && b * b >= a * outside_;
  }

  /// Points of the cores at most near_enough apart: at the share of the way from the ball's centre to w. False where it was rounding that
  /// made it seem so.
  [[gnu::noinline]] bool take_points(const Corner* w, CoreDistance& result) const {
    double share = 0;
    Vec3 p = center_;
    result.on_a = pair_.inner_a().center;
    result.on_b = pair_.inner_b().center;
    if (w) {
      const Vec3 e = w->difference - center_;
      share =
          -(dot(center_, e) + radius_ * narrowing_) / (length_squared(e) - narrowing_ * narrowing_);
      p += e * share;
      result.on_a = lerp(result.on_a, w->on_a, share);
      result.on_b = lerp(result.on_b, w->on_b, share);
    }
    // Both balls reach toward each other, as far as is needed: mostly all of the way.
    const double reach = (1 - share) * narrowing_;
    const double apart_squared = length_squared(p);
    double used = 1; // of the way
    result.upper = 0;
    result.between = {};
    if (!(apart_squared <= reach * reach)) {
      const double apart = std::sqrt(apart_squared);
      used = reach / apart;
      result.upper = apart - reach;
      result.between = p * (used - 1);
    }
    if (reach > 0) {
      const Vec3 step = p * (used / (pair_.inner_a().radius + pair_.inner_b().radius));
      result.on_a -= step * pair_.inner_a().radius;
      result.on_b += pair_.b_in_a().direction_to_local(step) * pair_.inner_b().radius;
    }
    // Near w the ball is hardly smaller than it might be.
    result.sure = used == 1 && narrowing_ > 0 && share <= 0.5;
    return result.upper <= near_enough_;
  }

private:
  const CorePair& pair_;
  double near_enough_;
  Vec3 center_;
  double narrowing_; ///< by how much the radius is smaller at the far end
  double radius_;
  double outside_; ///< the power of the origin: not positive inside
};

} // namespace carom
