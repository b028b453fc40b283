// Triangles of a surface that are near a body. Internal to the world.
#pragma once

#include "carom/dynamics/surface_form.h"
#include "carom/geometry/box.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// By which what is measured of groups of triangles from the middle of a box may be off, of points in it.
[[nodiscard]] inline double
measuring_slack(const SurfaceForm& form, std::span<const std::uint32_t> groups, const Aabb& box) {
  const Vec3 middle = box.center();
  double farthest = 0;
  for (const std::uint32_t g : groups) {
    const SurfaceGroup& group = form.groups()[g];
    farthest = std::max(farthest, max_abs(group.center - middle) + max_abs(group.bounds.half()));
  }
  return 1e-6 * (length(box.max - box.min) + farthest);
}

/// Groups of triangles near a body, kept while it stays in a box: it only ever saves time.
struct NearTriangles {
  Aabb box{};                ///< all triangles with an area whose boxes meet it are here
  std::uint64_t surface = 0; ///< the shape's id; 0: nothing is known
  const SurfaceForm* known =
      nullptr; ///< the surface's; null: it has none, and what is near is in `own`
  SurfaceForm own;
  std::vector<std::uint32_t> groups; ///< of that form, in order
  double slack = 0;                  ///< by which what is measured of them may be off

  [[nodiscard]] const SurfaceForm& form() const { return known != nullptr ? *known : own; }
};

[[nodiscard]] inline bool holds(const Aabb& outer, const Aabb& inner) {
  return outer.min.x <= inner.min.x && outer.min.y <= inner.min.y && outer.min.z <= inner.min.z &&
         outer.max.x >= inner.max.x && outer.max.y >= inner.max.y && outer.max.z >= inner.max.z;
}

} // namespace carom
