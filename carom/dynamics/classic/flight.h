// How a body flies until the next event: planned ahead, and looked up at any time on the way.
//
// Its state is that of the textbooks: position, rotation, momentum and angular momentum. Under a constant force and torque, velocities change as they must; the path is the chord of the parabola, with the mean velocity and the mean spin, so that a
// time of impact can be asked for along it. At the end of the plan position and velocity are exact, for a body that only gravity acts on.
#pragma once

#include "carom/dynamics/body_store.h"
#include "carom/motion/motion.h"

namespace [[gnu::visibility("default")]] carom {
namespace classic {

struct Flight {
  bool moves = false;
  double start = 0, end = 0; ///< seconds since the step began
  Motion motion;             ///< from start to end, of the body
  Vec3 velocity{}, acceleration{};
  Vec3 momentum{}, torque{}; ///< angular
  // Of a body that impulses hold: its spin, instead.
  bool held = false;
  Vec3 spin{}, spin_rate{};
};

/// A body that only gravity acts on: from where it is, with its velocities, for the time from start to end.
[[nodiscard]] Flight fly_free(const Body& body, const Vec3& gravity, double start, double end);
/// A body that impulses hold: along a straight line, with the velocities they left it for the middle of its way. Before and after it has less and more of what it gains without them in half the time.
[[nodiscard]] Flight fly_held(const Body& body, const Vec3& velocity, const Vec3& spin,
                              const Vec3& gain, const Vec3& spin_gain, double start, double end);
/// A body that forces hold, which bring it from its velocities to these.
[[nodiscard]] Flight fly_forced(const Body& body, const Vec3& velocity, const Vec3& spin,
                                double start, double end);
/// A body that stands still, whatever its velocity.
[[nodiscard]] Flight no_flight(const Body& body, double end);

[[nodiscard]] Pose pose_at_time(const Flight& flight, double time);
/// What is left of the motion from then on.
[[nodiscard]] Motion motion_from(const Flight& flight, const Body& body, double time);
/// Velocity and spin at that time, of a body whose pose is that of the time.
struct Velocities {
  Vec3 velocity, spin;
};
[[nodiscard]] Velocities velocities_at(const Flight& flight, const Body& body, double time);

} // namespace classic
} // namespace carom
