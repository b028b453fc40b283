// Insertion. A new item is put beside a node that is there, under a new common parent. What the tree's sum of areas grows by is the area of
// the new parent's box, and the growth of all boxes above it. The second part is inherited by everything below; the first is never less than the
// area of the item alone. So a branch whose inherited part and that area are not below the best found is left out, and the branch
// with the smallest inherited part is looked at first. (Where boxes overlap heavily, say all items are the same, nothing is left out:
// the search then ends after a fixed number of nodes, with the best so far.)
//
// Along one path: always into the child whose box grows less, and then the best of the places that were passed.
#include "carom/tree/volume_join.h"

#include "carom/geometry/measure.h"
#include "carom/geometry/merge.h"
#include "carom/math/random_order.h"

#include <queue>
#include <utility>

namespace carom {
namespace {

constexpr std::uint32_t none = UINT32_MAX;
/// Nodes looked at for one item, at most. On meshes it takes some dozens.
constexpr int most_steps = 1024;

class Inserter {
public:
  Inserter(std::span<const Aabb> items, bool one_path)
      : one_path_(one_path), tree_{items.size(), {}, 0}, boxes_(items.begin(), items.end()),
        parent_(items.size(), none) {}

  void start(std::uint32_t item) { tree_.root = item; }

  void insert(std::uint32_t item) {
    const std::uint32_t sibling = one_path_ ? find_on_path(boxes_[item]) : find_best(boxes_[item]);
    const auto joined = static_cast<std::uint32_t>(boxes_.size());
    const std::uint32_t above = parent_[sibling];
    tree_.joins.push_back({sibling, item});
    boxes_.push_back(merge(boxes_[sibling], boxes_[item]));
    parent_.push_back(above);
    parent_[sibling] = parent_[item] = joined;
    if (above == none) {
      tree_.root = joined;
    } else {
      JoinedTree::Join& join = tree_.joins[above - tree_.items];
      (join.left == sibling ? join.left : join.right) = joined;
    }
    for (std::uint32_t i = above; i != none; i = parent_[i]) {
      boxes_[i] = merge(boxes_[i], boxes_[item]);
    }
  }

  [[nodiscard]] JoinedTree take() { return std::move(tree_); }

private:
  struct Branch {
    double inherited = 0; // what the boxes above the node grow by
    std::uint32_t node = 0;
    [[nodiscard]] bool operator<(const Branch& b) const { // the least is on top
      return b.inherited != inherited ? b.inherited < inherited : b.node < node;
    }
  };

  std::uint32_t find_best(const Aabb& item) const {
    const double own = area(item);
    double best = INFINITY;
    std::uint32_t place = tree_.root;
    std::priority_queue<Branch> queue;
    queue.push({0, tree_.root});
    for (int step = 0; step < most_steps && !queue.empty(); ++step) {
      const Branch at = queue.top();
      queue.pop();
      if (at.inherited + own >= best) break;
      const double together = area(merge(boxes_[at.node], item));
      if (at.inherited + together < best) {
        best = at.inherited + together;
        place = at.node;
      }
      if (tree_.is_item(at.node)) continue;
      const double inherited = at.inherited + (together - area(boxes_[at.node]));
      if (inherited + own >= best) continue;
      queue.push({inherited, tree_.join(at.node).left});
      queue.push({inherited, tree_.join(at.node).right});
    }
    return place;
  }

  std::uint32_t find_on_path(const Aabb& item) const {
    double best = INFINITY;
    double inherited = 0;
    std::uint32_t place = tree_.root;
    std::uint32_t node = tree_.root;
    for (int step = 0; step < most_steps; ++step) {
      const double together = area(merge(boxes_[node], item));
      if (inherited + together < best) {
        best = inherited + together;
        place = node;
      }
      if (tree_.is_item(node)) break;
      inherited += together - area(boxes_[node]);
      const auto [left, right] = tree_.join(node);
      node = prefers_right(item, boxes_[left], boxes_[right]) ? right : left;
    }
    return place;
  }

  /// Which box grows less; of equals, the one with the nearer centre.
  static bool prefers_right(const Aabb& item, const Aabb& left, const Aabb& right) {
    const double growth_left = area(merge(left, item)) - area(left);
    const double growth_right = area(merge(right, item)) - area(right);
    if (growth_left != growth_right) return growth_right < growth_left;
    return distance_squared(right.center(), item.center()) <
           distance_squared(left.center(), item.center());
  }

  bool one_path_;
  JoinedTree tree_;
  std::vector<Aabb> boxes_;
  std::vector<std::uint32_t> parent_;
};

} // namespace

JoinedTree insert_all(std::span<const Aabb> items, bool one_path, std::uint64_t seed) {
  Inserter inserter(items, one_path);
  const RandomOrder order(items.size(), seed);
  inserter.start(static_cast<std::uint32_t>(order[0]));
  for (std::size_t i = 1; i < items.size(); ++i) {
    inserter.insert(static_cast<std::uint32_t>(order[i]));
  }
  return inserter.take();
}

} // namespace carom
