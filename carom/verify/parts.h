// The convex parts that a placed shape is made of, each as a placed shape of its own: the checker's way through meshes and compounds.
#pragma once

#include "carom/shape/part_id.h"
#include "carom/verify/shape.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {
namespace verify {

struct PlacedPart {
  PartId id;
  PlacedShape placed;
};

/// All of them, in the order of their numbers. A convex shape is its own only part. A compound's parts are placed by pose of the compound * pose of the part. What is inside of a solid mesh is in no part.
[[nodiscard]] std::vector<PlacedPart> convex_parts(const PlacedShape& placed);

/// Whether the point, in the world, is inside of the solid meshes of the shape, or on their triangles: exactly, for the point as it is rounded to the mesh's frame. All triangles are looked at.
[[nodiscard]] bool inside_solid(const PlacedShape& placed, const Vec3& point);

} // namespace verify
} // namespace carom
