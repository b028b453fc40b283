// The faces and edges of a small hull, laid out for looking at all of them at once.
//
// On the Gauss map, the sphere of directions, a face is its outward normal, and an edge the arc between the normals of its two faces: the directions
// in which that edge is farthest.
#pragma once

#include "carom/geometry/plane.h"
#include "carom/mesh/convex_hull.h"

#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Eight planes; the last block may have fewer, and repeats its last one.
struct alignas(64) PlaneBlock {
  double x[8], y[8], z[8]; ///< unit normals
  double offset[8];
};

/// Eight arcs by the planes at their ends; the last block may have fewer, and repeats its last one.
struct alignas(64) ArcBlock {
  PlaneBlock left, right;
  double stretch
      [8]; ///< 1 over the cosine of half the angle between the normals: how much longer a mixture of them may have to be made
};

/// Of a hull that is a solid. Empty, or all of it.
struct GaussArcs {
  struct Arc {
    Vec3 along;       ///< the edge's direction, a unit vector
    Vec3 left, right; ///< the normals of its faces
    Vec3 from;        ///< where it begins
    double length;
    std::uint32_t left_face, right_face;
  };
  std::vector<Arc> arcs; ///< one per edge
  std::vector<ArcBlock> arc_blocks;
  std::vector<PlaneBlock> face_blocks;

  GaussArcs() = default;
  /// The planes are those of the hull's faces.
  GaussArcs(const ConvexHull& hull, std::span<const HalfSpace> planes);
};

} // namespace carom
