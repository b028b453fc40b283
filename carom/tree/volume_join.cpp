// Bottom up. The cost of joining two nodes is the area of their common box.
//
// That cost never falls by joining others first: the box of a join contains those of its parts, so it is at least as dear to join anything
// with the whole as with one of the parts. Hence the cheapest partner that a node had when it was last looked for bounds the cost of
// its cheapest partner now from below. So a queue of (cost, node, partner) gives the cheapest pair of all: where the partner on
// top has gone since, the node's partner is looked for anew and queued again; where both are there, no other pair is cheaper.
//
// A partner is looked for in a tree over the items by object medians. Each node that is not yet joined hangs at one of its leaves (that of
// its first item), and each node of that tree knows the box around all that hangs below.
#include "carom/tree/volume_join.h"

#include "carom/geometry/measure.h"
#include "carom/geometry/merge.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <tuple>

namespace carom {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

/// A lower bound of the area of the box around `a` and anything within `region`.
double least_joined_area(const Aabb& a, const Aabb& region) {
  return area(Aabb{min(a.min, region.max), max(a.max, region.min)});
}

class PartnerSearch {
public:
  explicit PartnerSearch(std::span<const Aabb> items)
      : tree_(build_topology(items, {.point = SplitPoint::object_median})),
        boxes_(tree_.nodes.size()), hanging_(tree_.nodes.size(), none), parent_(tree_.nodes.size()),
        leaf_of_(items.size()) {
    for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i) {
      const VolumeTopology::Node& node = tree_.nodes[i];
      if (node.leaf()) {
        leaf_of_[tree_.order[node.first]] = i;
      } else {
        parent_[node.child] = parent_[node.child + 1] = i;
      }
    }
  }

  [[nodiscard]] std::uint32_t leaf_of(std::uint32_t item) const { return leaf_of_[item]; }

  /// Hangs a node (or none, with the empty box) at a leaf.
  void hang(std::uint32_t leaf, std::uint32_t node, const Aabb& box) {
    hanging_[leaf] = node;
    boxes_[leaf] = box;
    for (std::uint32_t i = leaf; i != 0;) {
      i = parent_[i];
      const std::uint32_t child = tree_.nodes[i].child;
      boxes_[i] = merge(boxes_[child], boxes_[child + 1]);
    }
  }

  struct Partner {
    double cost = INFINITY;
    std::uint32_t node = none;
  };
  /// The cheapest partner of a node with this box among all others that hang; of equals, the first that is met.
  [[nodiscard]] Partner find(std::uint32_t node, const Aabb& box) {
    Partner best;
    stack_.assign(1, {0.0, 0});
    while (!stack_.empty()) {
      const auto [bound, at] = stack_.back();
      stack_.pop_back();
      if (bound >= best.cost || boxes_[at].empty()) continue;
      if (tree_.nodes[at].leaf()) {
        const std::uint32_t other = hanging_[at];
        if (other == node || other == none) continue;
        const double cost = area(merge(box, boxes_[at]));
        if (cost < best.cost) best = {cost, other};
        continue;
      }
      const std::uint32_t child = tree_.nodes[at].child;
      std::pair<double, std::uint32_t> near = {least_joined_area(box, boxes_[child]), child};
      std::pair<double, std::uint32_t> far = {least_joined_area(box, boxes_[child + 1]), child + 1};
      if (far.first < near.first) std::swap(near, far);
      stack_.push_back(far);
      stack_.push_back(near);
    }
    return best;
  }

private:
  VolumeTopology tree_;
  std::vector<Aabb> boxes_; // around all that hangs below
  std::vector<std::uint32_t> hanging_;
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> leaf_of_;
  std::vector<std::pair<double, std::uint32_t>> stack_;
};

/// The bits of x, 21 of them, spread to every third place.
std::uint64_t spread_bits(std::uint64_t x) {
  x = (x | x << 32) & 0x1f00000000ffffu;
  x = (x | x << 16) & 0x1f0000ff0000ffu;
  x = (x | x << 8) & 0x100f00f00f00f00fu;
  x = (x | x << 4) & 0x10c30c30c30c30c3u;
  return (x | x << 2) & 0x1249249249249249u;
}

/// Items along Morton's curve through the box of their centres; of one place, by number.
std::vector<std::uint32_t> curve_order(std::span<const Aabb> items) {
  Aabb range;
  for (const Aabb& box : items) range = merge(range, {box.center(), box.center()});
  std::vector<std::uint64_t> codes;
  for (const Aabb& box : items) {
    std::uint64_t code = 0;
    for (int i = 0; i < 3; ++i) {
      const double width = range.max[i] - range.min[i];
      const double part = width > 0 ? (box.center()[i] - range.min[i]) / width : 0;
      code |= spread_bits(static_cast<std::uint64_t>(part * 0x1fffff)) << i;
    }
    codes.push_back(code);
  }
  std::vector<std::uint32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    return codes[i] != codes[j] ? codes[i] < codes[j] : i < j;
  });
  return order;
}

} // namespace

JoinedTree join_nearest_pairs(std::span<const Aabb> items) {
  struct Pair {
    double cost = 0;
    std::uint32_t node = none, partner = none;
    [[nodiscard]] bool operator<(const Pair& p) const { // the cheapest is on top
      return std::tie(p.cost, p.node, p.partner) < std::tie(cost, node, partner);
    }
  };
  JoinedTree tree{items.size(), {}, 0};
  PartnerSearch search(items);
  std::vector<Aabb> boxes(items.begin(), items.end());
  std::vector<std::uint32_t> leaf; // where a node hangs; none once it is joined
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    leaf.push_back(search.leaf_of(i));
    search.hang(leaf[i], i, boxes[i]);
  }
  std::priority_queue<Pair> queue;
  const auto look = [&](std::uint32_t node) {
    const PartnerSearch::Partner found = search.find(node, boxes[node]);
    if (found.node != none) queue.push({found.cost, node, found.node});
  };
  for (std::uint32_t i = 0; i < items.size(); ++i) look(i);
  while (!queue.empty()) {
    const Pair pair = queue.top();
    queue.pop();
    if (leaf[pair.node] == none) continue;
    if (leaf[pair.partner] == none) {
      look(pair.node);
      continue;
    }
    const auto joined = static_cast<std::uint32_t>(boxes.size());
    tree.joins.push_back({std::min(pair.node, pair.partner), std::max(pair.node, pair.partner)});
    boxes.push_back(merge(boxes[pair.node], boxes[pair.partner]));
    leaf.push_back(leaf[pair.node]);
    search.hang(leaf[pair.partner], none, {});
    search.hang(leaf[pair.node], joined, boxes[joined]);
    leaf[pair.node] = leaf[pair.partner] = none;
    look(joined);
  }
  tree.root = static_cast<std::uint32_t>(boxes.size() - 1);
  return tree;
}

// Rounds: each cluster looks for its cheapest partner among its neighbours on the curve; two that choose each other are joined, at the place of the
// first. All compare pairs by one order: by cost, of equals the nearer on the curve, of those the ones that begin at an even place.
// So the first of all pairs in that order chose each other: no round is in vain; and where all costs are equal, every one finds a partner.
JoinedTree join_clusters(std::span<const Aabb> items, std::size_t window) {
  struct Cluster {
    Aabb box;
    std::uint32_t node = 0;
  };
  JoinedTree tree{items.size(), {}, 0};
  std::vector<Cluster> clusters;
  for (const std::uint32_t i : curve_order(items)) clusters.push_back({items[i], i});
  std::vector<std::size_t> choice;
  std::vector<Cluster> next;
  const auto order_of = [&](std::size_t i, std::size_t j) {
    const std::size_t first = std::min(i, j);
    return std::tuple(area(merge(clusters[i].box, clusters[j].box)), std::max(i, j) - first,
                      first % 2, first);
  };
  while (clusters.size() > 1) {
    choice.assign(clusters.size(), 0);
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      const std::size_t first = i > window ? i - window : 0;
      const std::size_t last = std::min(i + window, clusters.size() - 1);
      choice[i] = i == 0 ? 1 : i - 1;
      auto best = order_of(i, choice[i]);
      for (std::size_t j = first; j <= last; ++j) {
        if (j == i) continue;
        const auto pair = order_of(i, j);
        if (pair < best) {
          best = pair;
          choice[i] = j;
        }
      }
    }
    next.clear();
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      const std::size_t j = choice[i];
      if (choice[j] != i) {
        next.push_back(clusters[i]);
      } else if (i < j) {
        tree.joins.push_back({clusters[i].node, clusters[j].node});
        next.push_back({merge(clusters[i].box, clusters[j].box),
                        static_cast<std::uint32_t>(tree.items + tree.joins.size() - 1)});
      }
    }
    clusters.swap(next);
  }
  tree.root = clusters.front().node;
  return tree;
}

} // namespace carom
