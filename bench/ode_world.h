// The scenes in ODE 0.16 as Debian has it (doubles, without libccd): its quick step, 10 iterations as Bullet has.
//
// Left out: meshes. Without libccd ODE ends with a fault where a convex hull meets a triangle mesh.
#pragma once

#include "bench/world_scene.h"

#include <memory>

namespace carom::bench {

[[nodiscard]] bool ode_can_build(const Scene& scene);
[[nodiscard]] std::unique_ptr<Simulation> ode_simulation(const Scene& scene);

} // namespace carom::bench
