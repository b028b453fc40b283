#include "carom/tree/triangle_tree.h"

#include <algorithm>

namespace carom {
namespace {

TreeFrame frame_around(const TriangleSurface& surface) {
  Aabb all;
  for (const auto& corners : surface.triangles)
    for (const std::uint32_t v : corners) {
      all.min = min(all.min, surface.vertices[v]);
      all.max = max(all.max, surface.vertices[v]);
    }
  return TreeFrame(all);
}

} // namespace

TriangleTree::TriangleTree(const TriangleSurface& surface, const TreeBuild& options) {
  const TreeFrame frame = frame_around(surface);
  std::vector<FloatBox> boxes;
  boxes.reserve(surface.size());
  for (std::size_t i = 0; i < surface.size(); ++i)
    boxes.push_back(float_box(frame, bounds(surface[i])));
  tree_ = WideTree(frame, boxes, options);
  blocks_.resize(tree_.leaf_count());
  for (std::uint32_t leaf = 0; leaf < blocks_.size(); ++leaf) set_block(surface, frame, leaf);
}

void TriangleTree::refit(const TriangleSurface& surface) {
  const TreeFrame frame = frame_around(surface);
  std::vector<FloatBox> boxes;
  boxes.reserve(blocks_.size());
  for (std::uint32_t leaf = 0; leaf < blocks_.size(); ++leaf)
    boxes.push_back(set_block(surface, frame, leaf));
  tree_.refit(frame, boxes);
}

FloatBox TriangleTree::set_block(const TriangleSurface& surface, const TreeFrame& frame,
                                 std::uint32_t number) {
  TriangleBlock& block = blocks_[number];
  const auto items = tree_.leaf(number);
  Vec3 corner[3][8];
  FloatBox box;
  block.count = 0;
  for (std::size_t lane = 0; lane < 8; ++lane) {
    if (items[lane] != WideTree::no_item) {
      ++block.count;
      block.corners[lane] = surface.triangles[items[lane]];
      const Triangle t = surface[items[lane]];
      box.add(float_box(frame, bounds(t)));
      for (int c = 0; c < 3; ++c) corner[c][lane] = frame.to_tree(t[c]);
    } else {
      block.corners[lane] = block.corners[lane - 1];
      for (auto& lanes : corner) lanes[lane] = lanes[lane - 1];
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    const GridAxis grid = GridAxis::around(box.min[at], box.max[at], 65535);
    block.origin[axis] = grid.origin;
    block.exponent[axis] = grid.exponent;
    const double per_step = 1 / static_cast<double>(grid.step());
    for (int c = 0; c < 3; ++c)
      for (int lane = 0; lane < 8; ++lane)
        block.row[3 * c + axis][lane] =
            static_cast<std::uint16_t>((corner[c][lane][axis] - grid.origin) * per_step + 0.5);
  }
  return box;
}

} // namespace carom
