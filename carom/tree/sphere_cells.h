// Cubes with surface in them: what sphere trees by octree and by pruning are made from.
#pragma once

#include "carom/tree/volume_tree.h"

#include <array>

namespace [[gnu::visibility("default")]] carom {

/// A grid of 2^levels cubes along each side of a cube around all triangles.
struct SphereCellGrid {
  Vec3 origin;
  double side = 0; ///< of the smallest cubes
  std::uint32_t levels = 0;

  SphereCellGrid(const Aabb& bounds, double spacing);
};

/// A box of cubes of the grid: from `low` on, before `high`. Boxes that share a face share its coordinate, to the bit.
struct SphereCellRange {
  std::array<std::uint32_t, 3> low{}, high{};

  [[nodiscard]] Aabb box(const SphereCellGrid& grid) const {
    const auto at = [&](const std::array<std::uint32_t, 3>& c) {
      return grid.origin +
             Vec3{static_cast<double>(c[0]), static_cast<double>(c[1]), static_cast<double>(c[2])} *
                 grid.side;
    };
    return {at(low), at(high)};
  }
};

/// Divided in halves again and again, x, y and z in turns: an octree with every division in three steps. Halves without triangles are left out,
/// and so are steps where only one half has any.
struct SphereCellTree {
  struct Node {
    SphereCellRange range;
    std::uint32_t child = 0;            ///< the children are child and child + 1; 0 in a leaf
    std::uint32_t first = 0, count = 0; ///< of a leaf's triangles
  };
  std::vector<Node> nodes; ///< as in VolumeTree
  std::vector<std::uint32_t> triangles;
};

/// Leaves have at most `leaf_size` triangles (0: none has, all are divided), or are smallest cubes, or cannot be divided in doubles. (Or there are 32 mentions
/// of each triangle already: then nothing is divided further.)
[[nodiscard]] SphereCellTree divide_cells(const TriangleSurface& mesh,
                                          std::span<const std::uint32_t> triangles,
                                          const SphereCellGrid& grid, std::uint32_t leaf_size);

} // namespace carom
