// The points of contact of a world as it stands: for pages, drawings and summaries.
#pragma once

#include "carom/dynamics/classic/classic_world.h"
#include "carom/dynamics/world.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct ContactPoint {
  BodyId a, b;
  Vec3 point{};          ///< in the world, between the surfaces
  Vec3 normal{1, 0, 0};  ///< from a toward b
  double separation = 0; ///< negative where they overlap
  double impulse = 0;    ///< along the normal, of the last step
};

/// Of all pairs with a dynamic body, sensors left out; asleep or not. By body, then as the body has them.
void contact_points(const World& world, std::vector<ContactPoint>& points);
/// Those that the solver of a classic world holds, with what their forces are worth in a step of that time.
void contact_points(const ClassicWorld& world, double time_step, std::vector<ContactPoint>& points);

} // namespace carom
