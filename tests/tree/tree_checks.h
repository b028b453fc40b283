// Whether a wide tree is one: its structure, and that its boxes hold what is below them. Exactly, in rational numbers.
#pragma once

#include "carom/tree/wide_tree.h"

#include <gmpxx.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace carom::test {

/// The greatest number of nodes above a leaf.
inline int depth_of(const WideTree& tree) {
  std::vector<int> depth(tree.nodes().size(), 1);
  int deepest = 0;
  for (std::size_t n = 0; n < depth.size(); ++n) {
    const WideNode& node = tree.nodes()[n];
    deepest = std::max(deepest, depth[n]);
    for (int i = 0; i < node.count; ++i)
      if (!node.child[i].is_leaf()) depth[node.child[i].number()] = depth[n] + 1;
  }
  return deepest;
}

inline bool holds(const FloatBox& outer, const FloatBox& inner) {
  for (std::size_t i = 0; i < 3; ++i)
    if (!(outer.min[i] <= inner.min[i] && inner.max[i] <= outer.max[i])) return false;
  return true;
}

/// What is wrong with the structure, or nothing: every item once, every node and leaf once, nodes before their children, places in use first, boxes within
/// their node's, the depth bounded.
inline std::string fault_of(const WideTree& tree, std::size_t item_count) {
  if (tree.empty()) return item_count == 0 && tree.leaf_count() == 0 ? "" : "empty";
  std::vector<int> nodes(tree.nodes().size()), leaves(tree.leaf_count()), items(item_count);
  nodes[0] = 1;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const WideNode& node = tree.nodes()[n];
    if (node.count < 1 || node.count > 8) return "count";
    for (int i = 0; i < node.count; ++i) {
      const ChildRef child = node.child[i];
      if (child.is_leaf()) {
        if (child.number() >= leaves.size()) return "leaf number";
        ++leaves[child.number()];
        continue;
      }
      if (child.number() <= n || child.number() >= nodes.size()) return "node number";
      ++nodes[child.number()];
      const WideNode& below = tree.nodes()[child.number()];
      // The parent's grid is rounded from the true boxes, not from the child's grid: what counts is that they hold the things (fault_of_boxes).
      if (below.count < 2) return "a node for one child";
    }
  }
  const auto once = [](const std::vector<int>& counts) {
    return std::all_of(counts.begin(), counts.end(), [](int c) { return c == 1; });
  };
  if (!once(nodes)) return "a node not once";
  if (!once(leaves)) return "a leaf not once";
  for (std::uint32_t l = 0; l < leaves.size(); ++l) {
    bool ended = false;
    for (const std::uint32_t item : tree.leaf(l)) {
      if (item == WideTree::no_item) {
        ended = true;
        continue;
      }
      if (ended || item >= item_count) return "places of a leaf";
      ++items[item];
    }
    if (tree.leaf(l)[0] == WideTree::no_item) return "an empty leaf";
  }
  if (!once(items)) return "an item not once";
  return depth_of(tree) <= WideTree::max_depth ? "" : "too deep";
}

/// The boxes of each leaf's way down hold its things, as they were given.
inline std::string fault_of_boxes(const WideTree& tree, const std::vector<Aabb>& boxes) {
  // The things below each node, from the bottom up; only their bounds matter, and those are exact.
  std::vector<Aabb> below(tree.nodes().size());
  const TreeFrame& frame = tree.frame();
  const auto outside = [&](const FloatBox& outer, const Aabb& inner) {
    for (int i = 0; i < 3; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const mpq_class center(frame.center[i]), unit(frame.unit);
      if (mpq_class(inner.min[i]) - center < unit * mpq_class(static_cast<double>(outer.min[at])))
        return true;
      if (mpq_class(inner.max[i]) - center > unit * mpq_class(static_cast<double>(outer.max[at])))
        return true;
    }
    return false;
  };
  for (std::size_t n = tree.nodes().size(); n-- > 0;) {
    const WideNode& node = tree.nodes()[n];
    for (int i = 0; i < node.count; ++i) {
      Aabb inside;
      if (node.child[i].is_leaf()) {
        for (const std::uint32_t item : tree.leaf(node.child[i].number()))
          if (item != WideTree::no_item)
            inside = {min(inside.min, boxes[item].min), max(inside.max, boxes[item].max)};
      } else {
        inside = below[node.child[i].number()];
      }
      if (outside(node.box(i), inside)) return "a box does not hold its things";
      below[n] = {min(below[n].min, inside.min), max(below[n].max, inside.max)};
    }
    if (!holds({{-0.5F, -0.5F, -0.5F}, {0.5F, 0.5F, 0.5F}}, node.box()))
      return "a box is not within half a unit";
  }
  return "";
}

inline bool same(const WideTree& a, const WideTree& b) {
  if (a.nodes().size() != b.nodes().size() || a.leaf_count() != b.leaf_count()) return false;
  for (std::size_t n = 0; n < a.nodes().size(); ++n) {
    const WideNode &x = a.nodes()[n], &y = b.nodes()[n];
    if (x.count != y.count || std::memcmp(x.lower, y.lower, sizeof x.lower) != 0 ||
        std::memcmp(x.upper, y.upper, sizeof x.upper) != 0 ||
        std::memcmp(x.origin, y.origin, sizeof x.origin) != 0)
      return false;
    for (int i = 0; i < x.count; ++i)
      if (x.child[i] != y.child[i]) return false;
  }
  for (std::uint32_t l = 0; l < a.leaf_count(); ++l)
    if (!std::equal(a.leaf(l).begin(), a.leaf(l).end(), b.leaf(l).begin())) return false;
  return true;
}

} // namespace carom::test
