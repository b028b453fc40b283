// Trees made by joining: what the bottom-up and the inserting builders make, before it is laid out as a topology.
#pragma once

#include "carom/tree/volume_topology.h"

namespace [[gnu::visibility("default")]] carom {

/// A tree by links. Nodes 0 .. items-1 are the items, the others join two nodes each. For one item the root is that item.
struct JoinedTree {
  struct Join {
    std::uint32_t left = 0, right = 0;
  };
  std::size_t items = 0;
  std::vector<Join> joins; ///< of node items + i
  std::uint32_t root = 0;

  [[nodiscard]] bool is_item(std::uint32_t node) const { return node < items; }
  [[nodiscard]] const Join& join(std::uint32_t node) const { return joins[node - items]; }
};

// There is at least one item.
[[nodiscard]] JoinedTree join_nearest_pairs(std::span<const Aabb> items);
[[nodiscard]] JoinedTree join_clusters(std::span<const Aabb> items, std::size_t window);
[[nodiscard]] JoinedTree insert_all(std::span<const Aabb> items, bool one_path, std::uint64_t seed);

} // namespace carom
