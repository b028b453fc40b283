// Which polygons of a body are near a box. Internal to exact polyhedral motion.
#pragma once

#include "carom/motion/polyhedral_motion.h"

#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// The polygons whose boxes have a point in common with `box`, in the body's frame: ascending, each once, the same for all ways to find them (but `none`, which gives all).
void find_polygons(const Polyhedron& body, const Aabb& box, PolyhedralOptions::Culling culling,
                   std::vector<std::uint32_t>& found);

} // namespace carom
