// Volumes that turn with the thing they bound: placed by a frame they are the same volume again.
//
// Exact up to the rounding of centres, ends and axes (a few epsilon of the size and of the translation); radii and half extents stay as they
// are. So always from the volume at rest: a hundred moves one after the other add up a hundred roundings. AABBs and k-DOPs do not turn: see
// fit_aabb.h and fit_kdop.h. Shells: spherical_shell.h.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/swept_sphere.h"
#include "carom/math/pose.h"

namespace [[gnu::visibility("default")]] carom {

[[nodiscard]] constexpr Sphere moved(const Sphere& s, const Frame& frame) {
  return {frame.to_world(s.center), s.radius};
}
[[nodiscard]] constexpr Obb moved(const Obb& b, const Frame& frame) {
  return {frame.to_world(b.center), frame.basis * b.axes, b.half};
}
/// A box along the axes of the thing's own frame is an oriented one in the world.
[[nodiscard]] constexpr Obb moved(const Aabb& b, const Frame& frame) {
  return moved(to_obb(b), frame);
}
[[nodiscard]] constexpr Capsule moved(const Capsule& c, const Frame& frame) {
  return {frame.to_world(c.a), frame.to_world(c.b), c.radius};
}
[[nodiscard]] constexpr Rectangle moved(const Rectangle& r, const Frame& frame) {
  return {frame.to_world(r.center), frame.direction_to_world(r.u), frame.direction_to_world(r.v),
          r.half_u, r.half_v};
}
[[nodiscard]] constexpr Lozenge moved(const Lozenge& l, const Frame& frame) {
  return {moved(l.core, frame), l.radius};
}

} // namespace carom
