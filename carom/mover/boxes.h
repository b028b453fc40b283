// Boxes made larger. Internal to the mover.
#pragma once

#include "carom/geometry/box.h"

namespace [[gnu::visibility("default")]] carom {

/// By so much on each side.
[[nodiscard]] constexpr Aabb grown(const Aabb& box, double by) {
  const Vec3 r{by, by, by};
  return {box.min - r, box.max + r};
}
/// All that it passes.
[[nodiscard]] constexpr Aabb swept(const Aabb& box, const Vec3& by) {
  return {min(box.min, box.min + by), max(box.max, box.max + by)};
}
[[nodiscard]] constexpr bool contains(const Aabb& outer, const Aabb& inner) {
  return min(outer.min, inner.min) == outer.min && max(outer.max, inner.max) == outer.max;
}

} // namespace carom
