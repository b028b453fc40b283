// One piece of a screw, as polynomials in time. Internal.
//
// With u the time within the piece, z the axis, T the tangent of half its angle and W(u) = 1 + T^2 u^2, cos = (1 - T^2 u^2) / W and sin = 2 T u / W. So W times the place of a point, W times a direction, and W times the moment
// of a line are polynomials of degree 3, 2 and 3. The place of the axis, which is at infinity for a translation, does not appear: with D the translation across z of the point c that all places are relative to, the radius
// from the axis to c is w = -D / 2 - z x D / (2 T), and T w is all that is needed.
#pragma once

#include "carom/motion/screw.h"

#include <array>
#include <cmath>

namespace [[gnu::visibility("default")]] carom {

struct VectorCubic {
  std::array<Vec3, 4> c{};

  [[nodiscard]] Vec3 at(double u) const { return c[0] + (c[1] + (c[2] + c[3] * u) * u) * u; }
};

class ScrewPath {
public:
  /// Of piece 0 or 1 of the screw. All places are relative to where the origin of the body's frame is when the piece begins, all directions in the world.
  ScrewPath(const ScrewMotion& screw, int piece);

  [[nodiscard]] double weight(double u) const { return 1 + tangent_ * tangent_ * (u * u); }
  /// W times where the point is that is at p when u = 0.
  [[nodiscard]] VectorCubic point(const Vec3& p) const;
  /// W times where a point at rest at q is, seen from the body: at u = 0 it is at q.
  [[nodiscard]] VectorCubic point_seen(const Vec3& q) const;
  /// W times the direction, turned.
  [[nodiscard]] VectorCubic direction(const Vec3& e) const;
  /// W times the moment p x e of the line through p along e, moved.
  [[nodiscard]] VectorCubic moment(const Vec3& p, const Vec3& e) const;

  [[nodiscard]] Vec3 point_at(const Vec3& p, double u) const { return point(p).at(u) / weight(u); }
  [[nodiscard]] Vec3 turned(const Vec3& e, double u) const {
    return direction(e).at(u) / weight(u);
  }
  /// By the same angle back.
  [[nodiscard]] Vec3 turned_back(const Vec3& e, double u) const {
    const VectorCubic d = direction(e);
    return (d.c[0] - d.c[1] * u + d.c[2] * (u * u)) / weight(u);
  }
  /// Of the point that is at p when u = 0.
  [[nodiscard]] Vec3 velocity(const Vec3& p, double u) const;
  /// The greatest speed of points within `radius` of that one. It falls with u.
  [[nodiscard]] double speed(const Vec3& p, double radius, double u) const;
  /// From u to u + step, that point is never farther than this from the straight line between both places: an eighth of its greatest acceleration times the square of the step.
  [[nodiscard]] double bulge(const Vec3& p, double step) const {
    return tangent_ * swing(p) * (step * step) / 4;
  }
  /// How fast directions along e turn, at most, in radians.
  [[nodiscard]] double turning(const Vec3& e) const;

  [[nodiscard]] double tangent() const { return tangent_; }
  /// Of c, until u.
  [[nodiscard]] Vec3 translation(double u) const { return point_at({}, u); }

private:
  /// Twice T times the distance from the axis: the speed across it when u = 0.
  [[nodiscard]] double swing(const Vec3& p) const {
    if (tangent_ == 0) return length(first_);
    return length(twice_arm_ + (p - axis_ * dot(axis_, p)) * (2 * tangent_));
  }
  /// p, mirrored in the plane through c across the axis, times T^2: what W R p grows by with u^2.
  [[nodiscard]] Vec3 squared(const Vec3& p) const {
    return (axis_ * (2 * dot(axis_, p)) - p) * (tangent_ * tangent_);
  }

  Vec3 axis_;
  double tangent_;
  double along_;   ///< translation along the axis
  Vec3 first_;     ///< D - T z x D: c's velocity across the axis when u = 0
  Vec3 twice_arm_; ///< -T D - z x D = 2 T w
};

} // namespace carom
