// The tree is laid out from the root with a stack of nodes whose children are still to be made. A top-down builder finds them by dividing the
// node's items; for the others the joined tree says which items belong together, and is only walked through.
#include "carom/tree/volume_topology.h"

#include "carom/tree/volume_join.h"
#include "carom/tree/volume_split.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace carom {
namespace {

using Node = VolumeTopology::Node;

/// From this depth on, items are divided by medians.
std::size_t depth_limit(std::size_t items) { return 2 * std::bit_width(items) + 14; }

struct Open {
  std::uint32_t node = 0;
  std::uint32_t depth = 0;
  std::uint32_t joined = 0; // the node of the joined tree that it stands for
};

std::span<std::uint32_t> items_of(VolumeTopology& tree, std::uint32_t node) {
  return std::span(tree.order).subspan(tree.nodes[node].first, tree.nodes[node].count);
}

/// The children of a node: its first `front` items, and the rest.
std::uint32_t add_children(VolumeTopology& tree, std::uint32_t node, std::size_t front) {
  const auto child = static_cast<std::uint32_t>(tree.nodes.size());
  const Node parent = tree.nodes[node];
  const auto count = static_cast<std::uint32_t>(front);
  tree.nodes[node].child = child;
  tree.nodes.push_back({parent.first, count, 0});
  tree.nodes.push_back({parent.first + count, parent.count - count, 0});
  return child;
}

VolumeTopology divide(std::span<const Aabb> items, const VolumeTreeBuild& how) {
  VolumeTopology tree;
  tree.order.resize(items.size());
  std::iota(tree.order.begin(), tree.order.end(), 0u);
  tree.nodes.push_back({0, static_cast<std::uint32_t>(items.size()), 0});
  VolumeSplitter splitter(items, how);
  std::vector<Open> open = {{}};
  while (!open.empty()) {
    const Open at = open.back();
    open.pop_back();
    const std::span<std::uint32_t> own = items_of(tree, at.node);
    if (own.size() <= std::max(how.leaf_size, 1u)) continue;
    const bool deep = at.depth >= depth_limit(items.size());
    const std::size_t front = deep ? splitter.split_at_median(own) : splitter.split(own);
    const std::uint32_t child = add_children(tree, at.node, front);
    open.push_back({child + 1, at.depth + 1, 0});
    open.push_back({child, at.depth + 1, 0});
  }
  return tree;
}

/// How many items are below each join. A join may have a greater or a smaller number than its children, so the tree is walked.
std::vector<std::uint32_t> count_items(const JoinedTree& joined) {
  std::vector<std::uint32_t> counts(joined.items + joined.joins.size(), 1);
  std::vector<std::uint32_t> from_root = {joined.root};
  for (std::size_t i = 0; i < from_root.size(); ++i) {
    const std::uint32_t node = from_root[i];
    if (joined.is_item(node)) continue;
    from_root.push_back(joined.join(node).left);
    from_root.push_back(joined.join(node).right);
  }
  for (std::size_t i = from_root.size(); i-- > 0;) {
    const std::uint32_t node = from_root[i];
    if (joined.is_item(node)) continue;
    counts[node] = counts[joined.join(node).left] + counts[joined.join(node).right];
  }
  return counts;
}

/// The items in the order in which a walk, left before right, meets them.
std::vector<std::uint32_t> order_items(const JoinedTree& joined) {
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> open = {joined.root};
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    if (joined.is_item(node)) {
      order.push_back(node);
      continue;
    }
    open.push_back(joined.join(node).right);
    open.push_back(joined.join(node).left);
  }
  return order;
}

VolumeTopology lay_out(const JoinedTree& joined, std::span<const Aabb> items,
                       const VolumeTreeBuild& how) {
  const std::vector<std::uint32_t> counts = count_items(joined);
  VolumeTopology tree;
  tree.order = order_items(joined);
  tree.nodes.push_back({0, static_cast<std::uint32_t>(items.size()), 0});
  VolumeSplitter splitter(items, how);
  std::vector<Open> open = {{0, 0, joined.root}};
  while (!open.empty()) {
    const Open at = open.back();
    open.pop_back();
    const std::span<std::uint32_t> own = items_of(tree, at.node);
    if (own.size() <= std::max(how.leaf_size, 1u)) continue;
    const bool deep = at.depth >= depth_limit(items.size());
    const JoinedTree::Join join = deep ? JoinedTree::Join{} : joined.join(at.joined);
    const std::size_t front = deep ? splitter.split_at_median(own) : counts[join.left];
    const std::uint32_t child = add_children(tree, at.node, front);
    open.push_back({child + 1, at.depth + 1, join.right});
    open.push_back({child, at.depth + 1, join.left});
  }
  return tree;
}

} // namespace

VolumeTopology build_topology(std::span<const Aabb> items, const VolumeTreeBuild& how) {
  if (items.empty()) return {};
  switch (how.method) {
  case TreeMethod::top_down:
    break;
  case TreeMethod::nearest_pair:
    return lay_out(join_nearest_pairs(items), items, how);
  case TreeMethod::clusters:
    return lay_out(join_clusters(items, std::max(how.cluster_window, 1u)), items, how);
  case TreeMethod::insertion:
    return lay_out(insert_all(items, false, how.seed), items, how);
  case TreeMethod::one_path:
    return lay_out(insert_all(items, true, how.seed), items, how);
  }
  return divide(items, how);
}

std::size_t depth(const VolumeTopology& topology) {
  std::vector<std::size_t> depths(topology.nodes.size(), 0);
  std::size_t deepest = 0;
  for (std::size_t i = 0; i < topology.nodes.size(); ++i) {
    deepest = std::max(deepest, depths[i]);
    if (topology.nodes[i].leaf()) continue;
    depths[topology.nodes[i].child] = depths[i] + 1;
    depths[topology.nodes[i].child + 1] = depths[i] + 1;
  }
  return deepest;
}

} // namespace carom
