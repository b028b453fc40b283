// Penalty springs: what overlaps is pushed apart by a damped spring at each point of contact.
//
// Nothing is solved, and several contacts are no more difficult than one; what is paid is stiffness. A stiff spring needs a short step: with c points on the two bodies of a contact, springs of angular frequency w for the mass they feel, and
// damping ratio z, the rule used here (velocities first, then positions with them) is stable while
//   w h < 2 (sqrt(z^2 + 1/c) - z).
// Why: each spring's stiffness is w^2 over the trace of its impulse matrix, so that the springs of c points together are at most as stiff as c w^2 (a matrix of blocks is no greater than the greatest sum of the blocks' norms in a row); damping
// is 2 z / w times stiffness. A mode of stiffness s, with the damping 2 z s / w, then follows z^2 - (2 - h 2 z s/w - h^2 s) z + (1 - h 2 z s/w) = 0, whose roots stay within the unit circle while h^2 s + 4 h z s/w < 4.
#pragma once

#include "carom/dynamics/classic/response_body.h"

namespace [[gnu::visibility("default")]] carom {

struct PenaltyOptions {
  double frequency = 60; ///< of the springs, in oscillations a second, for the mass they feel
  /// Damping of a contact without restitution, over critical damping. With restitution e, what leaves a linear spring at e of the speed.
  double damping = 0.5;
  double safety = 0.7; ///< of the step that is just stable
};

namespace classic {

/// The longest stable step, in seconds, with so many points on the two bodies of any contact.
[[nodiscard]] double stable_step(const PenaltyOptions& options, std::size_t points);
/// The damping ratio at which a linear spring gives back e of the speed: -ln e / sqrt(pi^2 + ln^2 e), at most `most`.
[[nodiscard]] double damping_of(double restitution, double most);

/// Where a contact sticks, from sub-step to sub-step.
struct PenaltyAnchor {
  std::uint32_t shape_a = 0, shape_b = 0;
  std::uint64_t id = 0;
  Vec3 stretch{}; ///< how far B's point has been drawn past A's, in the world
};

struct PenaltyForce {
  ContactPoint contact;
  Vec3 force{}; ///< on B
};

/// Forces at contacts that overlap, from velocities and anchors; the anchors are replaced by those of the contacts. `time` is the sub-step.
void penalty_forces(const ResponseBodies& bodies, std::span<const ContactPoint> contacts,
                    const PenaltyOptions& options, double time, std::vector<PenaltyAnchor>& anchors,
                    std::vector<PenaltyForce>& forces);
/// The most points on the two bodies of any of the contacts.
[[nodiscard]] std::size_t most_points(const ResponseBodies& bodies,
                                      std::span<const ContactPoint> contacts);

} // namespace classic
} // namespace carom
