// Triangles of a surface that are near a body. Internal to the world.
#pragma once

#include "carom/dynamics/triangle_eights.h"
#include "carom/geometry/box.h"
#include "carom/math/vec3.h"

#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Triangles near a body, kept while it stays in a box: it only ever saves time.
struct NearTriangles {
  /// In the surface's frame.
  struct Item {
    std::uint32_t number = 0;
    Triangle corners;
    Vec3 normal; ///< a unit vector
  };
  /// The sides of an item, apart from it: they are looked at of all that are in reach.
  struct Sides {
    /// Bit k: the surface falls off from side k, seen from the normal's side and from the other; or ends there. Only across such a side a direction other than the normal may lead out.
    std::uint8_t falls_off[2] = {0, 0};
    /// Beyond each side: an item, and which side of it that is; or `none`.
    static constexpr std::uint32_t none = 0xffffffffU;
    std::uint32_t next[3] = {none, none, none};
    std::uint8_t next_side[3] = {0, 0, 0};
  };
  Aabb box{};                        ///< all triangles with an area whose boxes meet it are here
  std::uint64_t surface = 0;         ///< the shape's id; 0: nothing is known
  std::vector<Item> items;           ///< by number
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
