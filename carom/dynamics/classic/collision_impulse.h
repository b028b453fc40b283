// The impulse of a collision in one point.
//
// Two laws. Newton's: speeds along the normal are reversed and scaled by the restitution e; a formula, without friction. And the one of Mirtich: the collision is followed through, from the first touch
// through compression, where the points come nearer, to restitution, where they come apart; friction acts all along, against the way the points slide at that moment, and that way turns and stops. It ends
// when the springs have given back e^2 of the work they took in (Stronge's law), so energy never grows, whatever the friction.
#pragma once

#include "carom/math/mat3.h"

namespace [[gnu::visibility("default")]] carom {
namespace classic {

/// What a collision in a point is about. Impulses and velocities are those of B against A.
struct PointCollision {
  Mat3 k = Mat3::identity(); ///< impulse_matrix(): velocity by impulse
  Vec3 normal{0, 0, 1};      ///< from A toward B
  Vec3 velocity{};           ///< of B past A
  double friction = 0;
  double restitution = 0; ///< 0 .. 1
};

/// j n with j = -(1 + e) v_n / (n . K n), where n . K n = 1/m_A + 1/m_B + n . ((I_A^-1 (r_A x n)) x r_A) + n . ((I_B^-1 (r_B x n)) x r_B). Nothing where the points come apart already, or nothing can be pushed.
[[nodiscard]] Vec3 newton_impulse(const PointCollision& collision);

/// With friction, followed through compression and restitution. Afterwards the points do not come nearer, and kinetic energy is not greater. Without friction it is newton_impulse.
[[nodiscard]] Vec3 mirtich_impulse(const PointCollision& collision);

} // namespace classic
} // namespace carom
