// From one pose to another along a screw, at a pace that makes times of contact roots of cubics (Redon, Kheddar and Coquillart 2000).
//
//   ScrewMotion s = screw_between(before, after);       // two frames of a simulation: how it went between them is ours to choose
//   TimeOfImpact i = screw_impact(body, s, wall, wall_pose);
//
// By Chasles' theorem, any two poses differ by a rotation about some line and a translation along it. Here the translation goes linearly with t, and the angle as 2 atan(t tan(angle / 2)): then sine and cosine are rational
// in t, and no place of the body needs trigonometry. The rotation goes the shorter way. Where it is more than a quarter turn the whole is done in two halves, each half of the angle and half of the translation in half
// of the time, with tan(angle / 4): at half a turn tan(angle / 2) is infinite, and short of it the body would turn almost at once.
//
// In exact terms, where it is of one piece: with the frame of `start` (Pose::frame, its doubles taken as exact), c its origin, z the axis and T the tangent, the point that is at c + p when t = 0 is, at time t, at
//   c + t (translation along z) + ((t + T^2 t^2) D - T t (1 - t) z x D) / (1 + T^2 t^2) + R p,
// where D is the translation across z, and R the rotation about z by 2 atan(T t). That is a circle about the axis of the screw, written so that the axis may be far away, or nowhere: a translation has T = 0.
#pragma once

#include "carom/geometry/swept_sphere.h"
#include "carom/math/pose.h"

namespace [[gnu::visibility("default")]] carom {

struct ScrewMotion {
  Pose start;         ///< at t = 0
  Vec3 translation{}; ///< of the origin of the body's frame, from t = 0 to 1
  Vec3 axis{};        ///< in the world, a unit vector; zero: it does not turn
  double tangent = 0; ///< of half the angle of one piece: 0 to 1
  int pieces = 1;     ///< 1, or 2 where the angle is more than a quarter turn

  /// About the line through `point` along `axis` (any length; zero: no rotation) by `angle` radians, counter-clockwise seen from its tip, at most half a turn either way (else it is out of range), and along it by
  /// `pitch`, a length.
  [[nodiscard]] static ScrewMotion about(const Pose& start, const Vec3& point, const Vec3& axis,
                                         double angle, double pitch);

  /// How far it turns in all, in radians, 0 to pi.
  [[nodiscard]] double angle() const;
  bool operator==(const ScrewMotion&) const = default;
};

/// The screw that leads from one pose to the other, by the shorter way round; half a turn goes one of both ways. Where the rotations are the same it is a translation; where the poses are, rest.
[[nodiscard]] ScrewMotion screw_between(const Pose& from, const Pose& to);

/// Whether queries take it: the pose in range, all numbers finite, the translation at most 1e30, the axis a unit vector or zero, the tangent and the pieces as above.
[[nodiscard]] bool in_range(const ScrewMotion& screw);

/// Where the body is at time t, to within a few roundings of its coordinates; t is clamped to [0, 1]. At t = 0 it is `start`, to the bit. Coordinates that come out below 1e-30 are 0, so that queries take the pose.
[[nodiscard]] Pose pose_at(const ScrewMotion& screw, double t);

/// The velocity at time t of the body's point that is at x then, in the world, in lengths per unit of t. Between two halves: that of the second.
[[nodiscard]] Vec3 velocity_at(const ScrewMotion& screw, double t, const Vec3& x);

/// The greatest speed of any point of the ball, in the body's frame, between two times, 0 <= from <= to <= 1: exact but for being rounded up. (Within a piece the body turns ever slower.)
[[nodiscard]] double greatest_speed(const ScrewMotion& screw, const Sphere& ball, double from,
                                    double to);

} // namespace carom
