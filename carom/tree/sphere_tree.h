// Sphere trees whose leaves are not balls around whole triangles: small balls cover the surface, wherever the triangles end.
//
//   octree    cubes, divided where there is surface, each with the ball around it. Simple, and loose.
//   surface   every triangle under a regular grid of balls with centres in its plane (Quinlan). Follows long triangles closely.
//   pruned    a ball at every small cube with surface in it, then only as many of them as are needed to cover all (generate and prune).
//
// Each leaf lists the triangles that its ball covers a part of. A triangle may stand in several leaves, whose balls cover it together, and
// the balls above a leaf contain its ball (octree: its cube). So every point of the surface lies in all balls from the root to some leaf that
// lists its triangle, and the queries of volume_queries.h give the same answers as for other trees; they test a pair of triangles more than
// once.
#pragma once

#include "carom/tree/volume_tree.h"

namespace [[gnu::visibility("default")]] carom {

enum class SphereCover { octree, surface, pruned };

struct SphereTreeBuild {
  SphereCover cover = SphereCover::octree;
  /// The side of the smallest cubes, and the grid's spacing: a length. 0: the side of a square with the area of an average triangle.
  /// Made larger where there would be very many: more than 16 balls a triangle (octree and pruned: 2^20 cubes along a side).
  double spacing = 0;
  /// Octree: a cube with no more triangles is not divided further; 0 counts as 1.
  std::uint32_t leaf_size = 2;
  /// Pruned: the radius of the balls, in half diagonals of the smallest cubes: 1 to 8. The larger, the fewer balls, and the farther they
  /// reach beyond the surface.
  double overshoot = 2.5;
  /// Surface and pruned: how the tree over the balls is built. Leaves hold one ball each.
  VolumeTreeBuild tree{.axis = SplitAxis::longest_side, .point = SplitPoint::spatial_median};
};

/// A tree over all usable triangles. The same bits in, the same tree out.
[[nodiscard]] VolumeTree<Sphere> build_sphere_tree(const TriangleSurface& mesh,
                                                   const SphereTreeBuild& how = {});

} // namespace carom
