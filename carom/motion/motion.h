// How a rigid body moves from t = 0 to t = 1.
//
//   Motion m = Motion::velocity(pose, {0, -10, 0}, {0, 0, 30}, 1.0 / 60);   // one step of a spinning, falling body
//   Pose half_way = pose_at(m, 0.5);
//
// All motions are one: a point, the pivot, moves along a straight line at constant speed, and the body turns about it at a constant rate around an axis that does not change. A translation does not turn; a rotation about a fixed line has its
// pivot on the line and at rest; of a screw, the pivot moves along the axis. Only the oldest form, first all of the translation and then all of the rotation, is another: see `order`.
//
// In exact terms: with the frame of `start` (Pose::frame, its doubles taken as exact), the point that is at x when t = 0 is, at time t, at
//   pivot + along(t) translation + R (x - pivot),    R: the rotation by turned(t) angle about axis / |axis|, counter-clockwise seen from its tip,
// where along(t) = turned(t) = t, or, translation first, along(t) = min(2 t, 1) and turned(t) = max(2 t - 1, 0). What is said of a moving shape is said of that.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/swept_sphere.h"
#include "carom/math/pose.h"
#include "carom/shape/shape.h"

#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

enum class MotionOrder : std::uint8_t {
  together,          ///< translation and rotation at the same time
  translation_first, ///< the translation until t = 1/2, the rotation from there on
};

struct Motion {
  Pose start;         ///< at t = 0
  Vec3 pivot{};       ///< in the world, at t = 0
  Vec3 translation{}; ///< of the pivot, from t = 0 to 1
  Vec3 axis{0, 0, 1}; ///< in the world; any length; zero: it does not turn
  double angle = 0;   ///< radians from t = 0 to 1; any number of turns
  MotionOrder order = MotionOrder::together;

  [[nodiscard]] static Motion rest(const Pose& start);
  [[nodiscard]] static Motion translation_by(const Pose& start, const Vec3& translation);
  /// About the line through `point` along `axis`.
  [[nodiscard]] static Motion rotation_about(const Pose& start, const Vec3& point, const Vec3& axis,
                                             double angle);
  /// First the translation; then, about the line that went along with it, the rotation.
  [[nodiscard]] static Motion translation_then_rotation(const Pose& start, const Vec3& translation,
                                                        const Vec3& point, const Vec3& axis,
                                                        double angle);
  /// About the line as above, and along it by `pitch`, a length, in all.
  [[nodiscard]] static Motion screw(const Pose& start, const Vec3& point, const Vec3& axis,
                                    double angle, double pitch);
  /// For `seconds` with constant velocities: that of the point `center` of the body, in its own frame (its centre of mass), and the angular velocity, in radians a second, both in the world.
  [[nodiscard]] static Motion velocity(const Pose& start, const Vec3& linear, const Vec3& angular,
                                       double seconds, const Vec3& center = {});
  /// From one pose to another: the point `center`, in the body's frame, moves straight, the rotation goes the shorter way.
  [[nodiscard]] static Motion between(const Pose& start, const Pose& end, const Vec3& center = {});

  bool operator==(const Motion&) const = default;
};

/// Whether queries take it: the pose in range, all numbers finite, the pivot and the translation at most 1e30, at most a million radians.
[[nodiscard]] bool in_range(const Motion& motion);

/// Where the body is at time t, to within a few roundings of its coordinates; t is clamped to [0, 1]. At t = 0 it is `start`, to the bit. Coordinates that come out below 1e-30 are 0, so that queries take the pose.
[[nodiscard]] Pose pose_at(const Motion& motion, double t);

/// The velocity at time t of the body's point that is at x then, in the world, in lengths per unit of t. Where the translation ends and the rotation begins: that of the rotation.
[[nodiscard]] Vec3 velocity_at(const Motion& motion, double t, const Vec3& x);

// Bounds of what the points of a ball or a box, in the body's frame, do between two times, 0 <= from <= to <= 1. Rounded up.

/// The greatest speed of any of them, exact to within rounding: of a ball, the point farthest out on the side that gets ahead; of a box, one of its corners.
[[nodiscard]] double greatest_speed(const Motion& motion, const Sphere& ball, double from,
                                    double to);
[[nodiscard]] double greatest_speed(const Motion& motion, const Aabb& box, double from, double to);

/// No point is, at any time from `from` to `to`, farther than this from where it was at `from`. Exact where the body only translates, only turns, or moves along a screw by no more than half a turn; else no more than that of the translation across the axis
/// and that of the rotation added up.
[[nodiscard]] double greatest_displacement(const Motion& motion, const Sphere& ball, double from,
                                           double to);
[[nodiscard]] double greatest_displacement(const Motion& motion, const Aabb& box, double from,
                                           double to);

/// A box in the world around all that the shape passes from one time to the other; infinite for a half-space. Too large by at most 1% of the greatest distance from the pivot on a side; where it does not turn, exact for convex shapes. Where it turns more than a hundred times, also by what it goes in a turn.
[[nodiscard]] Aabb swept_bounds(const Shape& shape, const Motion& motion, double from = 0,
                                double to = 1);

} // namespace carom
