// What the bodies of a run come to, whichever world they are in. Internal.
#pragma once

#include "carom/record/scene_run.h"

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

/// RunState, but for contacts.
template<class AnyWorld>
[[nodiscard]] RunState state_of_bodies(const AnyWorld& world) {
  RunState state;
  const BodyStore& bodies = world.bodies();
  for (std::uint32_t slot = 0; slot < bodies.slots(); ++slot) {
    if (!bodies[slot].exists) continue;
    const BodyInfo b = *world.body(bodies.id_of(slot));
    ++state.bodies;
    state.finite = state.finite && is_finite(b.pose.position) &&
                   std::isfinite(length_squared(b.pose.rotation)) && is_finite(b.velocity) &&
                   is_finite(b.angular_velocity) && !b.frozen;
    if (b.kind != BodyKind::dynamic) continue;
    if (b.awake) ++state.moving;
    state.kinetic += 0.5 * b.mass * length_squared(b.velocity) +
                     0.5 * dot(b.angular_velocity, b.inertia * b.angular_velocity);
    state.potential -= b.mass * bodies[slot].gravity_scale * dot(world.options().gravity, b.center);
  }
  return state;
}

} // namespace carom
