// One large convex piece inside a closed surface of triangles, grown around a point. A part of inner_pieces.h, and of queries that need a piece at a place of their own.
//
// What is proved of a piece. It is the hull of some points, all of them behind the planes n . x <= d of a few half-spaces; every triangle of the surface has all three corners beyond one of these
// planes, or on it; and one point strictly inside of the piece is inside of the solid. So no triangle enters the inside of the piece, and all of it is inside of the solid. Each sign is computed with a
// bound of its rounding error.
#pragma once

#include "carom/mesh/convex_hull.h"
#include "carom/tree/triangle_tree.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// The triangles in groups, each in a ball: what the growth of every piece of a surface looks at first. Built once for a surface; refers to the tree and the arrays.
class InnerSpace {
public:
  InnerSpace(const TriangleTree& tree, const TriangleSurface& surface);

  /// A ball around triangles.
  struct Group {
    Vec3 center;
    double radius = 0;
  };
  static constexpr std::uint32_t leaves_a_block = 16;

  [[nodiscard]] const TriangleTree& tree() const { return *tree_; }
  [[nodiscard]] const TriangleSurface& surface() const { return surface_; }
  /// Around the triangles of each leaf of the tree.
  [[nodiscard]] std::span<const Group> leaves() const { return leaves_; }
  /// Around so many leaves that follow each other, and so are close together.
  [[nodiscard]] std::span<const Group> blocks() const { return blocks_; }
  /// The greatest |coordinate| of a corner, by axis.
  [[nodiscard]] const Vec3& reach() const { return reach_; }
  /// The length of the diagonal of the box around all.
  [[nodiscard]] double diagonal() const { return diagonal_; }

private:
  const TriangleTree* tree_;
  TriangleSurface surface_;
  std::vector<Group> leaves_, blocks_;
  Vec3 reach_;
  double diagonal_ = 0;
};

struct GrowthOptions {
  /// A piece has at most this many faces, or is not grown.
  std::uint32_t most_faces = 40;
  /// How often it is grown anew, in the shape of the one before.
  int rounds = 3;
};

/// A piece around the point, which is inside or the piece is none. None where it would have no inside to speak of: the point is too close to the surface, or is not
/// inside.
[[nodiscard]] std::optional<ConvexHull> grow_inside(const InnerSpace& space, const Vec3& point,
                                                    const GrowthOptions& options = {});

} // namespace carom
