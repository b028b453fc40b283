// All that a ray meets of a placed shape.
//
//   std::vector<RayHit> hits;
//   ray_cast_all(wall, pose, Ray{eye, look}, hits);                  // first one first
#pragma once

#include "carom/query/ray_cast.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Fills `hits` with one for each part that is met: each triangle of a mesh, each part of a compound (each triangle of its meshes), each ball of a cloud; a convex shape is met once. By t, then by number. Where the ray starts inside of a solid mesh, that
/// comes first, without a triangle. A ray through an edge meets both triangles there, through a vertex all around it. `any` does not matter. For numbers out of range (ray_cast.h): one that is no hit, whose status says so.
void ray_cast_all(const Shape& shape, const Pose& pose, const Ray& ray, std::vector<RayHit>& hits,
                  const RayCastOptions& options = {});

} // namespace carom
