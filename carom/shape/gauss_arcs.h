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

/// The planes of eight faces; the last block may have fewer, and repeats its last one.
struct alignas(64) PlaneBlock {
  double x[8], y[8], z[8]; ///< unit normals
  double offset[8];
  /// 1 over the cosine of half the greatest angle between the normals of the face and a neighbour: how much longer a mixture of them may have to be made.
  double stretch[8];
};

/// Of a hull that is a solid. Empty, or all of it.
struct GaussArcs {
  struct Arc {
    Vec3 along;       ///< the edge's direction, a unit vector
    Vec3 left, right; ///< the normals of its faces
    Vec3 from;        ///< where it begins
    double length;
  };
  std::vector<Arc> arcs;             ///< one per edge
  std::vector<std::uint32_t> arc_of; ///< per half-edge of the hull
  std::vector<PlaneBlock> face_blocks;

  GaussArcs() = default;
  /// The planes are those of the hull's faces.
  GaussArcs(const ConvexHull& hull, std::span<const HalfSpace> planes);
};

} // namespace carom
