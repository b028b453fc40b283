#include "carom/tree/wide_tree.h"

#include "carom/tree/wide_build.h"

namespace carom {
namespace {

/// More than the rounding of x / unit to a float, for |x| <= unit / 2.
constexpr float outward = 0x1p-24F;

std::vector<FloatBox> float_boxes(const TreeFrame& frame, std::span<const Aabb> boxes) {
  std::vector<FloatBox> result;
  result.reserve(boxes.size());
  for (const Aabb& box : boxes) result.push_back(float_box(frame, box));
  return result;
}

Aabb around(std::span<const Aabb> boxes) {
  Aabb all;
  for (const Aabb& box : boxes) all = {min(all.min, box.min), max(all.max, box.max)};
  return all;
}

} // namespace

FloatBox float_box(const TreeFrame& frame, const Aabb& box) {
  const Vec3 low = frame.to_tree(box.min), high = frame.to_tree(box.max);
  FloatBox result;
  for (std::size_t i = 0; i < 3; ++i) {
    result.min[i] = static_cast<float>(low[static_cast<int>(i)]) - outward;
    result.max[i] = static_cast<float>(high[static_cast<int>(i)]) + outward;
  }
  return result;
}

WideTree::WideTree(const TreeFrame& frame, std::span<const FloatBox> boxes,
                   const TreeBuild& options)
    : frame_(frame) {
  build_wide_tree(boxes, options, nodes_, items_);
}

WideTree::WideTree(std::span<const Aabb> boxes, const TreeBuild& options) : frame_(around(boxes)) {
  build_wide_tree(float_boxes(frame_, boxes), options, nodes_, items_);
}

void WideTree::refit(const TreeFrame& frame, std::span<const FloatBox> leaf_boxes) {
  frame_ = frame;
  std::vector<FloatBox> around_node(nodes_.size());
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    WideNode& node = nodes_[n];
    FloatBox boxes[8];
    for (int i = 0; i < node.count; ++i) {
      const ChildRef child = node.child[i];
      boxes[i] = child.is_leaf() ? leaf_boxes[child.number()] : around_node[child.number()];
      around_node[n].add(boxes[i]);
    }
    node.set_boxes(boxes, node.count);
  }
}

double WideTree::expected_cost() const {
  if (nodes_.empty()) return 0;
  const double whole = static_cast<double>(nodes_[0].box().half_area());
  if (!(whole > 0)) return 1;
  double sum = whole;
  for (const WideNode& node : nodes_)
    for (int i = 0; i < node.count; ++i) sum += static_cast<double>(node.box(i).half_area());
  return sum / whole;
}

} // namespace carom
