// Walking through one tree, or through two at once: which nodes come next, and in which order.
//
// A walk knows nothing of what is looked for. It is given
//   bound(node) or bound(a, b)   a number: what is below cannot be better than this. Infinity: nothing is there
//   limit()                      a number: what is not at or below it does not matter any more. It may fall during the walk
//   leaf(node) or leaf(a, b)     does the work; true ends the walk
// and never looks below a node, or a pair, whose bound is above the limit. There is no recursion: what is still to be seen stands in a vector.
#pragma once

#include "carom/tree/volume_tree.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Which of two trees is descended at a pair of nodes. A leaf is never descended: then it is the other's turn.
enum class TreeDescent {
  larger, ///< the node with the larger volume (the larger ball around it): takes most away from what has to be tested next
  a_first,   ///< A down to its leaves, then B
  b_first,   ///< B down to its leaves, then A
  both,      ///< both at once: up to four pairs
  alternate, ///< in turns, A first: always the node that lies less deep
};

/// In which order nodes are seen.
enum class TreeSearch {
  depth_first,   ///< children as they are stored
  nearest_first, ///< depth first, of the children the one with the smallest bound first
  best_first, ///< always the smallest bound of all that are still to be seen: fewest nodes, at the price of a queue
};

struct VolumeTraversal {
  TreeDescent descent = TreeDescent::larger;
  TreeSearch search = TreeSearch::depth_first;
};

/// What a walk cost. Counts are added to what is there.
struct VolumeTreeStats {
  std::uint64_t volumes = 0;   ///< tests of a volume, or of a pair of volumes
  std::uint64_t triangles = 0; ///< tests of a triangle, or of a pair of triangles
};

/// What is still to be seen: a stack, or a queue by bound (of equals, the latest comes first).
template<class Item>
class VolumeTreeQueue {
public:
  explicit VolumeTreeQueue(TreeSearch search) : search_(search) {}

  [[nodiscard]] bool empty() const { return items_.empty(); }

  /// Adds the children of one node or pair; the first is to be seen first.
  void push(std::span<std::pair<double, Item>> children) {
    if (search_ != TreeSearch::depth_first) {
      std::stable_sort(children.begin(), children.end(),
                       [](const auto& x, const auto& y) { return x.first < y.first; });
    }
    for (std::size_t i = children.size(); i-- > 0;) {
      items_.push_back({children[i].first, ++sequence_, children[i].second});
      if (search_ == TreeSearch::best_first) std::push_heap(items_.begin(), items_.end());
    }
  }
  [[nodiscard]] std::pair<double, Item> pop() {
    if (search_ == TreeSearch::best_first) std::pop_heap(items_.begin(), items_.end());
    const Entry top = items_.back();
    items_.pop_back();
    return {top.bound, top.item};
  }

private:
  struct Entry {
    double bound = 0;
    std::uint64_t sequence = 0;
    Item item;
    [[nodiscard]] bool operator<(const Entry& e) const { // the best is the greatest
      return bound != e.bound ? bound > e.bound : sequence < e.sequence;
    }
  };
  TreeSearch search_;
  std::uint64_t sequence_ = 0;
  std::vector<Entry> items_;
};

template<class V, class Bound, class Limit, class Leaf>
void traverse(const VolumeTree<V>& tree, TreeSearch search, Bound&& bound, Limit&& limit,
              Leaf&& leaf) {
  if (tree.empty()) return;
  using Child = std::pair<double, std::uint32_t>;
  VolumeTreeQueue<std::uint32_t> queue(search);
  Child children[2] = {{bound(tree.nodes[0]), 0}, {}};
  queue.push(std::span(children, 1));
  while (!queue.empty()) {
    const auto [value, at] = queue.pop();
    if (!(value <= limit())) continue;
    const auto& node = tree.nodes[at];
    if (node.leaf()) {
      if (leaf(node)) return;
      continue;
    }
    std::size_t count = 0;
    for (const std::uint32_t child : {node.first, node.first + 1}) {
      const double b = bound(tree.nodes[child]);
      if (b <= limit()) children[count++] = {b, child};
    }
    queue.push(std::span(children, count));
  }
}

/// A pair of nodes, and how deep each lies.
struct VolumeNodePair {
  std::uint32_t a = 0, b = 0;
  std::uint32_t depth_a = 0, depth_b = 0;
};

/// Which of the two are to be descended: neither where both are leaves.
struct VolumeTreeStep {
  bool a = false, b = false;
};

template<class V>
[[nodiscard]] VolumeTreeStep descent_step(TreeDescent rule, const typename VolumeTree<V>::Node& a,
                                          const typename VolumeTree<V>::Node& b,
                                          const VolumeNodePair& pair) {
  if (a.leaf() || b.leaf()) return {!a.leaf(), !b.leaf()};
  switch (rule) {
  case TreeDescent::a_first:
    return {true, false};
  case TreeDescent::b_first:
    return {false, true};
  case TreeDescent::both:
    return {true, true};
  case TreeDescent::alternate: {
    const bool a_turn = pair.depth_a <= pair.depth_b;
    return {a_turn, !a_turn};
  }
  case TreeDescent::larger:
    break;
  }
  const bool larger = VolumeKind<V>::ball(a.volume).radius >= VolumeKind<V>::ball(b.volume).radius;
  return {larger, !larger};
}

/// Calls visit(child) for the two or four pairs below one, whose nodes' children begin at these numbers.
template<class Visit>
void for_each_child(const VolumeNodePair& pair, const VolumeTreeStep& step, std::uint32_t first_a,
                    std::uint32_t first_b, Visit&& visit) {
  for (std::uint32_t i = 0; i < (step.a ? 2u : 1u); ++i) {
    for (std::uint32_t j = 0; j < (step.b ? 2u : 1u); ++j) {
      visit(VolumeNodePair{step.a ? first_a + i : pair.a, step.b ? first_b + j : pair.b,
                           pair.depth_a + (step.a ? 1u : 0u), pair.depth_b + (step.b ? 1u : 0u)});
    }
  }
}

template<class V, class Bound, class Limit, class Leaf>
void traverse(const VolumeTree<V>& tree_a, const VolumeTree<V>& tree_b,
              const VolumeTraversal& options, Bound&& bound, Limit&& limit, Leaf&& leaf) {
  if (tree_a.empty() || tree_b.empty()) return;
  using Child = std::pair<double, VolumeNodePair>;
  VolumeTreeQueue<VolumeNodePair> queue(options.search);
  Child children[4] = {{bound(tree_a.nodes[0], tree_b.nodes[0]), {}}, {}, {}, {}};
  queue.push(std::span(children, 1));
  while (!queue.empty()) {
    const auto [value, pair] = queue.pop();
    if (!(value <= limit())) continue;
    const auto& a = tree_a.nodes[pair.a];
    const auto& b = tree_b.nodes[pair.b];
    const VolumeTreeStep step = descent_step<V>(options.descent, a, b, pair);
    if (!step.a && !step.b) {
      if (leaf(a, b)) return;
      continue;
    }
    std::size_t count = 0;
    for_each_child(pair, step, a.first, b.first, [&](const VolumeNodePair& child) {
      const double x = bound(tree_a.nodes[child.a], tree_b.nodes[child.b]);
      if (x <= limit()) children[count++] = {x, child};
    });
    queue.push(std::span(children, count));
  }
}

} // namespace carom
