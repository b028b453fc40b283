// How far apart two placed surfaces of triangles are, one moved by a translation. Internal to penetration.
#pragma once

#include "carom/query/solid_penetration.h"
#include "carom/tree/triangle_pairs.h"

#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// A surface of triangles; where it is solid, with one vertex of each of its components (mesh_components.h).
struct PlacedMesh {
  TriangleSet triangles;
  std::span<const Vec3> component_points;
  bool solid = false;
  Pose pose;
  double size = 0; ///< at least the greatest |coordinate| of a vertex
};

/// Where B, moved by t in the world, is in A's frame.
[[nodiscard]] Frame relative_frame(const PlacedMesh& a, const PlacedMesh& b, const Vec3& t);

/// As SeparationAt asks. Two solids whose surfaces are apart overlap where one has a component inside of the other.
[[nodiscard]] Separation separation(const PlacedMesh& a, const PlacedMesh& b, const Vec3& t,
                                    double relative_error);

} // namespace carom
