// Contacts of round shapes, carried along while these roll. Internal to the world.
//
// A ball or a capsule is a core, a point or a segment, with a radius around it. Where it touches changes as it rolls, but which point of the core does that does not: so the points of the cores are carried along by the bodies, as those of flat faces are, and those of
// the surfaces are put at the radius from them along the normal. The normal stands on the shape without a radius, and turns with it; between two round ones it leads from core to core.
//
// What that may be off by: where a core meets an edge or a corner, the normal turns as the one passes the other. At a distance g of the cores, after a way d along the surface, the normal is off by d / g radians, and the separation by d^2 / 2g. On a face both are exact.
#pragma once

#include "carom/dynamics/contact_store.h"

namespace [[gnu::visibility("default")]] carom {

/// How far, in parts of both radii together, a round shape may go until its contacts are to be made anew: 0.01 rad, and 5e-5 of the radii.
inline constexpr double most_round_way = 0.01;

/// Of two bodies' frames: B's rotation in A's when the points were put where they are.
struct RoundContact {
  const Frame &a, &b;
  Mat3 b_in_a;
  double radius_a = 0, radius_b = 0; ///< not both 0
};
/// Puts the points where the bodies are now. Impulses stay with them.
void place_round_points(const RoundContact& at, Manifold& m);

} // namespace carom
