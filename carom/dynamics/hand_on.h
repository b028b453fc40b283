// What a manifold that is made anew takes over from those before: impulses, so that nothing begins from nothing. Internal to the world.
#pragma once

#include "carom/dynamics/contact_store.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Of the same points: those of the same name, or at the same place of either body, to within `near`. True where there was any. Names of points change as they slide from triangle to triangle.
bool hand_on(const Manifold& old, Manifold& m, double near);
/// Of the patch.
void hand_on_friction(const Manifold& old, Manifold& m);
/// To all manifolds made, from those that were.
void hand_on_all(const std::vector<Manifold>& olds, std::vector<Manifold>& made, double near);

} // namespace carom
