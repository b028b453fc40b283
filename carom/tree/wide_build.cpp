// From two children a node to eight: which of the many ways there are, is found by dynamic programming.
//
// A node with eight children stands for a subtree of the binary tree, cut off at up to eight nodes below. Its cost is its surface, since that is how often a ray meets it. Let
// cost(n, k) be the least for what is under n, as the children of some node that has k places for them. One place: n is a leaf, or a node of its own, whose children have eight
// places. More: they are shared between the two halves of n in the best way, or some stay empty. The binary tree is gone through once, from its leaves up.
// (The method is Ylitie, Karras and Laine's, 2017.)
#include "carom/tree/wide_build.h"

#include "carom/tree/split_things.h"

#include <array>

namespace carom {
namespace {

constexpr int width = 8;
/// Where splitting goes on by count. A tree that deep is rare; most have a third of this.
constexpr int sorted_depth = 48;

class Collapse {
public:
  Collapse(const SplitThings& things, std::vector<WideNode>& nodes,
           std::vector<std::uint32_t>& items)
      : things_(things), best_(things.nodes.size()), nodes_(nodes), items_(items) {
    for (std::size_t n = best_.size(); n-- > 0;) weigh(n);
  }

  /// The depth of what was built.
  int build() {
    nodes_.reserve(things_.nodes.size() / 10 + 1);
    items_.reserve(things_.nodes.size() * 4 + 8);
    return add_node(0);
  }

private:
  /// What to do with a node of the binary tree, given one to eight places.
  struct Best {
    std::array<float, width + 1> cost; ///< by the number of places; 0 is not used
    /// How many of the places are for the first half: 0 where one is left empty. With one place, that of a node's own eight.
    std::array<std::uint8_t, width + 1> first;
  };

  void weigh(std::size_t n) {
    const BinaryNode& node = things_.nodes[n];
    Best& best = best_[n];
    const float area = node.box.half_area();
    if (node.is_leaf()) {
      best.cost.fill(area);
      best.first.fill(0);
      return;
    }
    const Best &left = best_[n + 1], &right = best_[node.right];
    for (int places = 2; places <= width; ++places) {
      float least = INFINITY;
      std::uint8_t share = 0;
      for (int k = 1; k < places; ++k) {
        const float cost = left.cost[at(k)] + right.cost[at(places - k)];
        if (cost < least) {
          least = cost;
          share = static_cast<std::uint8_t>(k);
        }
      }
      best.cost[at(places)] = least;
      best.first[at(places)] = share;
    }
    best.cost[1] = best.cost[width] + area;
    best.first[1] = best.first[width];
    for (int places = 2; places <= width; ++places)
      if (!(best.cost[at(places)] < best.cost[at(places - 1)])) {
        best.cost[at(places)] = best.cost[at(places - 1)];
        best.first[at(places)] = 0;
      }
  }

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  struct Children {
    std::uint32_t node[width];
    int count = 0;
  };
  /// What stands in the places that n has.
  void collect(std::uint32_t n, int places, Children& children) const {
    const BinaryNode& node = things_.nodes[n];
    while (places > 1 && best_[n].first[at(places)] == 0) --places;
    if (places == 1 || node.is_leaf()) {
      children.node[children.count++] = n;
      return;
    }
    const int share = best_[n].first[at(places)];
    collect(n + 1, share, children);
    collect(node.right, places - share, children);
  }

  int add_node(std::uint32_t n) {
    Children children;
    const BinaryNode& binary = things_.nodes[n];
    if (binary.is_leaf()) { // the only one there is
      children.node[children.count++] = n;
    } else {
      const int share = best_[n].first[1];
      collect(n + 1, share, children);
      collect(binary.right, width - share, children);
    }
    const std::size_t at = nodes_.size();
    nodes_.emplace_back();
    FloatBox boxes[width];
    for (int i = 0; i < children.count; ++i) boxes[i] = things_.nodes[children.node[i]].box;
    nodes_[at].set_boxes(boxes, children.count);
    int depth = 0;
    for (int i = 0; i < children.count; ++i) {
      if (things_.nodes[children.node[i]].is_leaf()) {
        nodes_[at].child[i] = add_leaf(things_.nodes[children.node[i]]);
      } else {
        nodes_[at].child[i] = ChildRef::node(static_cast<std::uint32_t>(nodes_.size()));
        depth = std::max(depth, add_node(children.node[i]));
      }
    }
    return depth + 1;
  }

  ChildRef add_leaf(const BinaryNode& leaf) {
    const std::size_t first = items_.size();
    for (std::uint32_t i = leaf.begin; i < leaf.end; ++i) items_.push_back(things_.order[i]);
    items_.resize(first + WideTree::leaf_size, WideTree::no_item);
    return ChildRef::leaf(static_cast<std::uint32_t>(first / WideTree::leaf_size));
  }

  const SplitThings& things_;
  std::vector<Best> best_;
  std::vector<WideNode>& nodes_;
  std::vector<std::uint32_t>& items_;
};

} // namespace

void build_wide_tree(std::span<const FloatBox> boxes, const TreeBuild& options,
                     std::vector<WideNode>& nodes, std::vector<std::uint32_t>& items) {
  nodes.clear();
  items.clear();
  if (boxes.empty()) return;
  SplitRule rule{sorted_depth, options.threads};
  const bool fast = options.quality == TreeBuild::Quality::fast;
  const SplitThings things = fast ? split_along_curve(boxes) : split_things(boxes, rule);
  if (Collapse(things, nodes, items).build() <= WideTree::max_depth) return;
  // Halved all the way, 2^30 things are 27 levels deep even if no two levels become one.
  nodes.clear();
  items.clear();
  rule.sorted_depth = 0;
  Collapse(split_things(boxes, rule), nodes, items).build();
}

} // namespace carom
