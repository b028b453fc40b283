// How bodies move in a sub-step: velocities by forces, positions by velocities. Internal to the solver.
//
// Turns count from where the step began, as quaternions of floats: their error is relative to the turn, not to the body's place. In the frame that the body had then its inertia rests, and so does all that
// follows from it. Bodies that turn slowly for a sub-step, nearly all, are moved eight at a time (integrator_lanes.cpp); fast ones eight at a time in doubles (integrator_swift.cpp), or on their own.
#pragma once

#include "carom/dynamics/body_store.h"
#include "carom/dynamics/solver_body.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// `time` is that of a sub-step.
[[nodiscard]] BodyMotion begin_motion(const Body& body, std::uint32_t slot, const Vec3& gravity,
                                      double time);
[[nodiscard]] SolverBody begin_state(const Body& body);
/// Where the turn has brought the body by now.
[[nodiscard]] Quat rotation_now(const Body& body, const BodyMotion& motion);

/// By forces, and by what contacts did in the last sub-step, unless this is the first.
void integrate_velocities(std::span<BodyMotion> motions, std::span<SolverBody> states, bool first);
/// Brings displacements and turns forward; of bodies that are not round, the spin as well, so that their angular momentum stays. Bodies are counted by blocks of eight, of which [begin, end) are done; place 0 is nobody's. Bit i of a
/// block's `fast` says that its body i turns too fast, and has been left as it was.
void integrate_positions(std::span<BodyMotion> motions, std::span<SolverBody> states, float time,
                         std::span<std::uint8_t> fast, std::size_t begin, std::size_t end);
/// Whether integrate_swift() does for the body: it is gyroscopic, and does not turn by more than 0.3 radians.
[[nodiscard]] bool is_swift(const Body& body, const BodyMotion& motion, const SolverBody& state,
                            double time);
/// The same for eight of these. Place 0 is nobody's.
void integrate_swift(const BodyStore& bodies, std::span<BodyMotion> motions,
                     std::span<SolverBody> states, const std::uint32_t* places, double time);
/// The same for one body that turns at any rate.
void integrate_fast(const Body& body, BodyMotion& motion, SolverBody& state, double time);

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
