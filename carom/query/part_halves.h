// A shape taken apart into its convex parts, and these halved again and again: what a proof about all pairs goes through. Internal.
//
// A binary tree over the parts, made as it is needed, with nothing of the trees that the queries use: what proves an answer should not share the mistakes of what found it.
#pragma once

#include "carom/shape/parts.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// A convex part by its numbers, and the box around it, placed.
struct Leaf {
  PartId id;
  std::uint64_t part = 0, element = 0; ///< as PartShape counts them
  Aabb box;
};

/// A placed shape taken apart into convex parts.
class Leaves {
public:
  Leaves(const Shape& shape, const Pose& pose) : outer_(shape, pose) {
    for (std::uint64_t i = 0; i < part_numbers(shape); ++i) {
      if (!is_part(shape, i)) continue;
      outer_.take(i);
      if (outer_.shape().convex()) {
        leaves_.push_back({outer_.id(), i, 0, bounds(outer_.shape(), outer_.pose())});
        continue;
      }
      PartShape inner(outer_.shape(), outer_.pose());
      for (std::uint64_t j = 0; j < part_numbers(outer_.shape()); ++j) {
        if (!is_part(outer_.shape(), j)) continue;
        inner.take(j);
        leaves_.push_back({outer_.id(inner.id()), i, j, bounds(inner.shape(), inner.pose())});
      }
    }
    order_.resize(leaves_.size());
    std::iota(order_.begin(), order_.end(), 0U);
  }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(order_.size()); }
  [[nodiscard]] const Leaf& operator[](std::uint32_t i) const { return leaves_[order_[i]]; }
  [[nodiscard]] std::vector<PartId> ids() const {
    std::vector<PartId> result;
    for (std::uint32_t i = 0; i < size(); ++i) result.push_back((*this)[i].id);
    return result;
  }

  /// In halves by the middles of the boxes along the longest side of the box around them. The order is total.
  std::uint32_t halve(std::uint32_t first, std::uint32_t end) {
    const Aabb box = around(first, end);
    const int axis = largest_axis(box.max - box.min);
    const std::uint32_t middle = first + (end - first) / 2;
    const auto at = [&](std::uint32_t i) {
      return leaves_[i].box.min[axis] * 0.5 + leaves_[i].box.max[axis] * 0.5;
    };
    std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + end,
                     [&](std::uint32_t x, std::uint32_t y) {
                       const double at_x = at(x), at_y = at(y);
                       return at_x != at_y ? at_x < at_y : x < y;
                     });
    return middle;
  }
  [[nodiscard]] Aabb around(std::uint32_t first, std::uint32_t end) const {
    Aabb box;
    for (std::uint32_t i = first; i < end; ++i) {
      box.min = min(box.min, (*this)[i].box.min);
      box.max = max(box.max, (*this)[i].box.max);
    }
    return box;
  }

private:
  PartShape outer_;
  std::vector<Leaf> leaves_;
  std::vector<std::uint32_t> order_;
};

/// One leaf after another as a shape.
class LeafShape {
public:
  LeafShape(const Shape& shape, const Pose& pose) : outer_(shape, pose) {}

  void take(const Leaf& leaf) {
    if (!inner_ || leaf.part != part_) {
      part_ = leaf.part;
      outer_.take(part_);
      inner_.emplace(outer_.shape(), outer_.pose());
    }
    inner_->take(leaf.element);
  }
  [[nodiscard]] const Shape& shape() const { return inner_->shape(); }
  [[nodiscard]] const Pose& pose() const { return inner_->pose(); }

private:
  PartShape outer_;
  std::optional<PartShape> inner_;
  std::uint64_t part_ = 0;
};

/// The tree of halvings, made as it is needed.
class Halves {
public:
  struct Node {
    std::uint32_t first, end;
    std::uint32_t children = 0; ///< the first of two; 0: not halved yet
    Aabb box;

    [[nodiscard]] bool single() const { return end - first == 1; }
  };

  explicit Halves(Leaves& leaves) : leaves_(leaves) {
    nodes_.push_back({0, leaves.size(), 0, leaves.around(0, leaves.size())});
  }
  [[nodiscard]] const Node& operator[](std::uint32_t i) const { return nodes_[i]; }
  std::uint32_t children(std::uint32_t i) {
    if (nodes_[i].children != 0) return nodes_[i].children;
    const auto [first, end, none, box] = nodes_[i];
    const std::uint32_t middle = leaves_.halve(first, end);
    const auto at = static_cast<std::uint32_t>(nodes_.size());
    nodes_[i].children = at;
    nodes_.push_back({first, middle, 0, leaves_.around(first, middle)});
    nodes_.push_back({middle, end, 0, leaves_.around(middle, end)});
    return at;
  }

private:
  Leaves& leaves_;
  std::vector<Node> nodes_;
};

/// Goes through all pairs of groups, one of each tree, that settle(group of A, group of B) leaves open by giving nothing, the larger of the two in halves. True: settled. False: it cannot be; that ends it. What is single on both sides must be one or the other.
template<class Settle>
bool settle_pairs(Halves& tree_a, Halves& tree_b, Settle&& settle) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> waiting = {{0, 0}};
  while (!waiting.empty()) {
    const auto [i, j] = waiting.back();
    waiting.pop_back();
    const Halves::Node a = tree_a[i], b = tree_b[j];
    const std::optional<bool> settled = settle(a, b);
    if (settled == false) return false;
    if (settled) continue;
    if (b.single() ||
        (!a.single() && length(a.box.max - a.box.min) >= length(b.box.max - b.box.min))) {
      const std::uint32_t half = tree_a.children(i);
      waiting.push_back({half + 1, j});
      waiting.push_back({half, j});
    } else {
      const std::uint32_t half = tree_b.children(j);
      waiting.push_back({i, half + 1});
      waiting.push_back({i, half});
    }
  }
  return true;
}

} // namespace carom
