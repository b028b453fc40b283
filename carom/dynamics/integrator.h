// How bodies move in a sub-step: velocities by forces, positions by velocities. Internal to the solver.
#pragma once

#include "carom/dynamics/body_store.h"
#include "carom/dynamics/contact_lanes.h"

namespace [[gnu::visibility("default")]] carom {

/// What the integrator keeps of an active body during a step, beside its velocities (SolverBody).
struct BodyMotion {
  std::uint32_t slot = 0;
  Quat rotation{};            ///< brought forward in each sub-step
  float inverse_mass[3] = {}; ///< by the world's axes: 0 where locked, and where nothing moves it
  float inverse_inertia[6] = {}; ///< in the world when the step begins: xx yy zz xy yz zx
  // Of a sub-step.
  float push[3] = {}, twist[3] = {};  ///< changes of velocity and spin by forces
  float slow_down = 1, slow_spin = 1; ///< factors of damping
  bool gyroscopic = false;            ///< its spin changes of itself as it turns
};

/// `time` is that of a sub-step.
[[nodiscard]] BodyMotion begin_motion(const Body& body, std::uint32_t slot, const Vec3& gravity,
                                      double time);
[[nodiscard]] SolverBody begin_state(const Body& body);

void integrate_velocity(const BodyMotion& motion, SolverBody& state);
/// Brings displacement, turn and rotation forward; of a body that is not round, the spin as well, so that its angular momentum stays.
void integrate_position(const Body& body, BodyMotion& motion, SolverBody& state, double time);

/// A body that nothing touches, after a time.
struct FreeTurn {
  Quat rotation{};
  Vec3 spin{}; ///< then, in the world
  Vec3 mean{}; ///< the constant spin that leads from the one rotation to the other
};
/// Its angular momentum stays. In doubles.
[[nodiscard]] FreeTurn turn_freely(const Body& body, const Quat& rotation, const Vec3& spin,
                                   double time);

/// q turned by the rotation vector `turn` (radians, any length that is a number), of unit length where q is.
[[nodiscard]] Quat turned_by(const Quat& q, const Vec3& turn);

} // namespace carom
