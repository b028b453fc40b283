// Triangles of a surface that are near a body. Internal to the world.
#pragma once

#include "carom/dynamics/triangle_eights.h"
#include "carom/geometry/box.h"
#include "carom/math/vec3.h"

#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Triangles near a body, kept while it stays in a box: it only ever saves time. Little is kept of each, since many bodies have their own, and memory is what that costs: the few that are looked at are read from the surface again.
struct NearTriangles {
  struct Sides {
    /// Bit k: the surface falls off from side k, seen from the normal's side and from the other; or ends there. Only across such a side a direction other than the normal may lead out.
    std::uint8_t falls_off[2] = {0, 0};
    /// Bit k, seen from both sides as well: beyond side k others go on without falling off, and nothing of the triangle is nearest to what is there.
    std::uint8_t closed[2] = {0, 0};
    /// Beyond each side: an item, and which side of it that is; or `none`.
    static constexpr std::uint32_t none = 0xffffffffU;
    std::uint32_t next[3] = {none, none, none};
    std::uint8_t next_side[3] = {0, 0, 0};
  };
  Aabb box{};                        ///< all triangles with an area whose boxes meet it are here
  std::uint64_t surface = 0;         ///< the shape's id; 0: nothing is known
  std::vector<std::uint32_t> items;  ///< numbers of triangles, in order
  std::vector<Sides> sides;          ///< of the items
  std::vector<TriangleEight> eights; ///< the items, about the middle of the box
  bool all = true;                   ///< none without area was left out
  double slack = 0;                  ///< by which what is measured of those may be off
};

[[nodiscard]] inline bool holds(const Aabb& outer, const Aabb& inner) {
  return outer.min.x <= inner.min.x && outer.min.y <= inner.min.y && outer.min.z <= inner.min.z &&
         outer.max.x >= inner.max.x && outer.max.y >= inner.max.y && outer.max.z >= inner.max.z;
}

} // namespace carom
