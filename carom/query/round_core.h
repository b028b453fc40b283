// What is round about a line: frustums, of which cylinders, cones, segments and points are some. Internal to the queries, a part of round_forms.h.
#pragma once

#include "carom/geometry/cone.h"
#include "carom/geometry/line.h"
#include "carom/math/pose.h"

#include <algorithm>
#include <cmath>

namespace [[gnu::visibility("default")]] carom {

/// What the nearest point of such a core lies on. (The flat ends are apart.)
enum class RoundFeature { low_rim, high_rim, side };

/// The side at a share of the way up; beyond its ends, the rims.
constexpr RoundFeature rim_beyond(double share) {
  return share <= 0   ? RoundFeature::low_rim
         : share >= 1 ? RoundFeature::high_rim
                      : RoundFeature::side;
}

/// The share of the way at which a line is nearest to p, also beyond the ends of the segment.
inline double share_nearest(const Segment& s, const Vec3& p) {
  const Vec3 along = s.direction();
  const double squared = length_squared(along);
  return squared > 0 ? dot(p - s.a, along) / squared : 0;
}

/// Where n is so near to the axis, there is no rim to speak of.
inline constexpr double nearly_axial = 1e-6;

/// What of a core is farthest along n.
struct RoundContact {
  Vec3 point;
  Vec3 outward;         ///< from the axis, a unit vector
  Vec3 around;          ///< across that and the axis
  double curvature = 0; ///< how fast the point moves around as n turns there
};

/// A frustum along the world's axes.
class RoundCore {
public:
  /// With the axis and the low end where they are in the world.
  [[gnu::always_inline]] RoundCore(const ConeFrustum& core, const Vec3& axis, const Vec3& low)
      : axis_(axis), center_{low, low + axis * core.height}, radius_{core.radius_a, core.radius_b},
        height_(core.height) {
    const double narrowing = core.radius_a - core.radius_b;
    if (narrowing == 0) return;
    const double l = std::sqrt(height_ * height_ + narrowing * narrowing);
    lean_ = narrowing / l;
    across_ = height_ / l;
  }
  RoundCore(const Vec3& low, const Vec3& high) : center_{low, high} {
    const Vec3 along = high - low;
    height_ = length(along);
    axis_ = normalized(along);
  }

  [[nodiscard]] const Vec3& low() const { return center_[0]; }
  [[nodiscard]] ConeFrustum frustum() const {
    return {center_[0], axis_, height_, radius_[0], radius_[1]};
  }
  [[nodiscard]] const Vec3& axis() const { return axis_; }
  [[nodiscard]] double height() const { return height_; }

  /// What is farthest toward the other, whose middle line is nearest to this one's at the height `up` above the low end, along v.
  [[nodiscard]] RoundFeature feature(double up, const Vec3& v) const {
    if (lean_ != 0) return rim_toward(v);
    return up <= 0         ? RoundFeature::low_rim
           : up >= height_ ? RoundFeature::high_rim
                           : RoundFeature::side;
  }

  /// The rim that is farthest along n.
  [[nodiscard]] RoundFeature rim_toward(const Vec3& n) const {
    return static_cast<RoundFeature>(above_side(n) > 0);
  }
  [[nodiscard]] bool is_axial(const Vec3& v) const {
    return length_squared(flat(v)) <= nearly_axial * nearly_axial * length_squared(v);
  }

  /// The feature where n has come to lie: where the rim is no longer farthest, the side.
  [[nodiscard]] RoundFeature followed(RoundFeature f, const Vec3& n) const {
    const double above = f == RoundFeature::side ? 0 : above_side(n);
    const bool left = f == RoundFeature::low_rim ? above > 0 : above < 0;
    return left ? RoundFeature::side : f;
  }

  /// The part of v across the axis, and its direction.
  [[nodiscard]] Vec3 flat(const Vec3& v) const {
    const Vec3 once = v - axis_ * dot(axis_, v);
    // Again: where v is nearly along the axis, what is left of it there counts.
    return once - axis_ * dot(axis_, once);
  }
  [[nodiscard]] Vec3 outward(const Vec3& n) const { return normalized(flat(n)); }
  /// Turns n to the angle of the side.
  [[nodiscard]] Vec3 onto_side(const Vec3& n) const { return side_normal(outward(n)); }
  /// Turns n around the axis.
  [[nodiscard]] Vec3 turned(const RoundContact& c, double step) const {
    return side_normal(normalized(c.outward * across_ + c.around * step));
  }

  /// The contact on a rim. False where n is along the axis.
  [[nodiscard]] bool rim_contact(RoundFeature f, const Vec3& n, RoundContact& c) const {
    const Vec3 v = flat(n);
    const double across = length(v);
    const double radius = this->radius(f);
    if (!(across > nearly_axial)) {
      c = {center(f), {}, perpendicular(n), 0};
      return radius == 0; // a corner is as good from there
    }
    const double per_across = 1 / across;
    c.outward = v * per_across;
    c.around = cross(axis_, c.outward);
    c.point = center(f) + c.outward * radius;
    c.curvature = radius * per_across;
    return true;
  }

  /// The contact on the side that is nearest to p. Beyond its ends it is on a rim, and the feature is that.
  void side_contact(const Vec3& n, const Vec3& p, RoundFeature& f, RoundContact& c) const {
    c.outward = outward(n);
    c.around = cross(axis_, c.outward);
    const Segment line = side_line(c.outward);
    const double t = share_nearest(line, p);
    f = rim_beyond(t);
    const double share = std::clamp(t, 0.0, 1.0);
    c.point = line.at(share);
    c.curvature = (radius_[0] + (radius_[1] - radius_[0]) * share) / across_;
  }
  /// From rim to rim.
  [[nodiscard]] Segment side_line(const Vec3& outward) const {
    return {center_[0] + outward * radius_[0], center_[1] + outward * radius_[1]};
  }
  /// The component along the axis of normals of the side, and that across.
  [[nodiscard]] double lean() const { return lean_; }
  /// The disc of a rim; for the side, the low one.
  [[nodiscard]] const Vec3& center(RoundFeature f) const {
    return center_[f == RoundFeature::high_rim];
  }
  [[nodiscard]] double radius(RoundFeature f) const { return radius_[f == RoundFeature::high_rim]; }

  /// How much farther along n the core reaches than p.
  [[nodiscard]] double slack(const Vec3& p, const Vec3& n) const {
    return slack(p, n, length(flat(n)));
  }
  /// The same, of an n whose part across the axis is so long.
  [[nodiscard]] double slack(const Vec3& p, const Vec3& n, double across) const {
    return dot(center_[0] - p, n) +
           std::max(radius_[0] * across, radius_[1] * across + height_ * dot(axis_, n));
  }

  /// The flat end along n.
  struct End {
    Vec3 normal, center;
    double radius;
  };
  [[nodiscard]] End end_toward(const Vec3& n) const {
    if (dot(axis_, n) > 0) return {axis_, center_[1], radius_[1]};
    return {-axis_, center_[0], radius_[0]};
  }

  /// Of the points farthest along n, the one nearest to p where that is a flat end or a line of the side; else the one on the rim.
  [[nodiscard]] Vec3 farthest(const Vec3& n, const Vec3& p) const {
    constexpr double level = 1e-12;
    const double above = above_side(n);
    const bool high = above > 0;
    const Vec3& center = center_[high];
    const double radius = radius_[high];
    const Vec3 v = flat(n);
    const double across = length(v);
    if (!(across > level)) {
      const Vec3 aside = flat(p - center);
      const double l = length(aside);
      return center + aside * (l > radius ? radius / l : 1);
    }
    if (std::fabs(above) <= level * height_) {
      const Segment line = side_line(v * (1 / across));
      return line.at(std::clamp(share_nearest(line, p), 0.0, 1.0));
    }
    return center + v * (radius / across);
  }

private:
  [[nodiscard]] Vec3 side_normal(const Vec3& outward) const {
    return axis_ * lean_ + outward * across_;
  }
  /// By how much the high rim is farther along n than the low one.
  [[nodiscard]] double above_side(const Vec3& n) const {
    const double along = height_ * dot(axis_, n);
    return lean_ == 0 ? along : along + (radius_[1] - radius_[0]) * length(flat(n));
  }

  Vec3 axis_;
  // Of the low rim and the high one. Arrays, because which it is would be a coin's toss for a branch.
  Vec3 center_[2];
  double radius_[2] = {0, 0};
  double height_ = 0;
  double lean_ = 0, across_ = 1; ///< of the side's normal, along the axis and across
};

} // namespace carom
