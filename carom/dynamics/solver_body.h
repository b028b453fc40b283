// A body as the solver sees it during a step: rows of four floats, of which lanes read eight bodies' at once. Internal to the solver.
#pragma once

#include "carom/math/quat.h"

#include <cstddef>
#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// How many bodies, contacts or joints are dealt with at once, whatever the machine has.
inline constexpr std::size_t lane_count = 8;

/// What a step changes of a body. The fourth numbers are not used, but for moved[3]: in the end, the impulses that its contacts carried in the last sub-step.
struct alignas(64) SolverBody {
  float velocity[4] = {};
  float spin[4] = {};
  float moved[4] = {};  ///< since the step began
  float turned[4] = {}; ///< the same, as a rotation vector
};

/// What else is known of an active body during a step. Fourth numbers that are not named are not used.
struct alignas(64) BodyMotion {
  // Of a sub-step: changes of velocity and spin by forces.
  float push[4] = {}, twist[4] = {};
  /// What velocity and spin would be without the impulses of contacts in this sub-step: the rest is what the next one begins with.
  float base_velocity[4] = {}, base_spin[4] = {};
  float turn[4] = {0, 0, 0, 1}; ///< since the step began, as a quaternion: x y z w
  /// By the world's axes: 0 where locked, and where nothing moves it. The last number: the body's burden (burden.h), or 0.
  float inverse_mass[4] = {};
  // In the world when the step begins: xx yy zz, and xy yz zx.
  float inverse_inertia[4] = {}, inverse_products[4] = {};
  // The inertia itself, of gyroscopic bodies. The last numbers: the square of the spin up to which the plain rule does; 1 where gyroscopic.
  float inertia[4] = {}, products[4] = {};
  float slow_down = 1, slow_spin = 1; ///< factors of damping
  std::uint32_t slot = 0;
  bool gyroscopic = false; ///< its spin changes of itself as it turns
  Quat rotation{};         ///< after the step
};

} // namespace carom
