#pragma once
#include "carom/geometry/plane.h"
#include "carom/mesh/convex_hull.h"
namespace [[gnu::visibility("default")]] carom {
struct HalfSpaceIntersection {
  ConvexHull hull;
  std::vector<std::uint32_t> face_of;
};
[[nodiscard]] Result<HalfSpaceIntersection> intersect_half_spaces(std::span<const HalfSpace> faces);
}
