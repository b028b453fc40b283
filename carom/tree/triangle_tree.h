// The fast tree over triangles: a wide tree, and for each leaf its triangles in lanes.
//
// The corners of a leaf's triangles stand on a grid of 2^16 cells around them, which takes 18 bytes a triangle instead of 72, and is
// as exact as floats would be: a leaf is small. That is for looking only: the few triangles of a leaf that may matter are then computed from their
// vertices in doubles. So every answer is that of the triangles as they were given.
#pragma once

#include "carom/tree/triangle_surface.h"
#include "carom/tree/wide_tree.h"

namespace [[gnu::visibility("default")]] carom {

/// Up to eight triangles. Coordinate k of a corner is origin[k] + q * step, off by at most half a step of what it is in the tree's frame.
struct alignas(64) TriangleBlock {
  float origin[3];
  std::uint8_t exponent[3]; ///< of the steps, as a float stores them
  std::uint8_t count;       ///< the first lanes; the others repeat the last of them
  std::uint16_t row[9][8];  ///< x, y, z of the first corners, then of the second, of the third
  std::array<std::uint32_t, 3> corners[8]; ///< of each, as the surface numbers its vertices

  [[nodiscard]] GridAxis grid(int axis) const { return {origin[axis], exponent[axis]}; }
  [[nodiscard]] unsigned lanes() const { return (1U << count) - 1; }
};
static_assert(sizeof(TriangleBlock) == 256);

/// Like a shape it is not changed by being asked, and refers to no mesh: whoever asks passes the surface it was built from.
class TriangleTree {
public:
  TriangleTree() = default;
  explicit TriangleTree(const TriangleSurface& surface, const TreeBuild& options = {});

  [[nodiscard]] const WideTree& tree() const { return tree_; }
  [[nodiscard]] const TreeFrame& frame() const { return tree_.frame(); }
  /// One for each leaf of the tree; lane i is the leaf's thing i.
  [[nodiscard]] std::span<const TriangleBlock> blocks() const { return blocks_; }

  /// For the same triangles whose vertices have moved. WideTree::expected_cost says what it is worth still.
  void refit(const TriangleSurface& surface);

  /// All there is beside vertices and triangles.
  [[nodiscard]] std::size_t bytes() const {
    return tree_.bytes() + blocks_.size() * sizeof(TriangleBlock);
  }

private:
  /// From the triangles of leaf `number`; their box.
  FloatBox set_block(const TriangleSurface& surface, const TreeFrame& frame, std::uint32_t number);

  WideTree tree_;
  std::vector<TriangleBlock> blocks_;
};

} // namespace carom
