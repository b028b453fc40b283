// Each split is at a side of one of the boxes: the one that leaves the least to do, counted as the boxes on the larger side plus what is cut. Where no plane gains anything,
// the cell is a leaf. So the tree has no more than a few cells a box, whatever the boxes.
#include "carom/motion/polyhedral_bsp.h"

#include <algorithm>
#include <array>

namespace carom {

struct AxialBspBuild {
  std::span<const Aabb> boxes;
  AxialBsp& tree;
  static constexpr std::size_t leaf_size = 6;
  /// Sides that are tried on an axis: evenly spread ones of those there are.
  static constexpr std::size_t tries = 15;

  struct Split {
    int axis = -1;
    double at = 0;
    std::size_t cost = 0;
  };

  [[nodiscard]] Split best_split(std::span<const std::uint32_t> items) const {
    Split best;
    best.cost = items.size();
    std::vector<double> ends;
    for (int axis = 0; axis < 3; ++axis) {
      ends.clear();
      for (const std::uint32_t i : items) {
        ends.push_back(boxes[i].min[axis]);
        ends.push_back(boxes[i].max[axis]);
      }
      std::sort(ends.begin(), ends.end());
      for (std::size_t k = 1; k <= tries; ++k) {
        const double at = ends[k * ends.size() / (tries + 1)];
        std::size_t below = 0, above = 0;
        for (const std::uint32_t i : items) {
          below += boxes[i].min[axis] < at || boxes[i].max[axis] <= at ? 1 : 0;
          above += boxes[i].max[axis] > at ? 1 : 0;
        }
        // A box cut is a box twice: it counts against the plane.
        const std::size_t cut = below + above - items.size();
        const std::size_t cost = std::max(below, above) + cut;
        if (cost < best.cost) best = {axis, at, cost};
      }
    }
    return best;
  }

  void build(std::uint32_t node, std::vector<std::uint32_t> items, int depth) {
    Split split;
    if (items.size() > leaf_size && depth < AxialBsp::max_depth) split = best_split(items);
    if (split.axis < 0) {
      tree.nodes_[node].first = static_cast<std::uint32_t>(tree.items_.size());
      tree.nodes_[node].count = static_cast<std::uint32_t>(items.size());
      tree.items_.insert(tree.items_.end(), items.begin(), items.end());
      return;
    }
    std::vector<std::uint32_t> below, above;
    for (const std::uint32_t i : items) {
      if (boxes[i].min[split.axis] < split.at || boxes[i].max[split.axis] <= split.at)
        below.push_back(i);
      if (boxes[i].max[split.axis] > split.at) above.push_back(i);
    }
    const auto first = static_cast<std::uint32_t>(tree.nodes_.size());
    tree.nodes_[node] = {split.at, first, 0, split.axis};
    tree.nodes_.resize(tree.nodes_.size() + 2);
    items = {};
    build(first, std::move(below), depth + 1);
    build(first + 1, std::move(above), depth + 1);
  }
};

AxialBsp::AxialBsp(std::span<const Aabb> boxes) {
  if (boxes.empty()) return;
  std::vector<std::uint32_t> all(boxes.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  nodes_.resize(1);
  AxialBspBuild{boxes, *this}.build(0, std::move(all), 0);
}

void AxialBsp::overlapping(const Aabb& box, FunctionRef<void(std::uint32_t)> found) const {
  if (nodes_.empty()) return;
  std::array<std::uint32_t, max_depth + 1> waiting{};
  int count = 0;
  for (std::uint32_t at = 0;;) {
    const Node& node = nodes_[at];
    if (node.axis < 0) {
      for (std::uint32_t i = 0; i < node.count; ++i) found(items_[node.first + i]);
      if (count == 0) return;
      at = waiting[static_cast<std::size_t>(--count)];
      continue;
    }
    const bool below = box.min[node.axis] <= node.at;
    const bool above = box.max[node.axis] >= node.at;
    if (below && above) waiting[static_cast<std::size_t>(count++)] = node.first + 1;
    at = below ? node.first : node.first + 1;
  }
}

} // namespace carom
