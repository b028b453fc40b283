// Which joints form trees, and in which order these are solved. Internal to the solver.
//
// Joints are edges between bodies. Each connected part gets a spanning tree: its root is the body of its first joint to what cannot be moved, or, where there is none, its heaviest body. Further joints to what cannot be moved
// become anchors, and joints that close loops between bodies are cut. Every body has an entry, which stands for the joint to its parent. Entries are solved in rounds: each after all that hang on its body, and no two with the
// same parent in one round. Trees of the same form, as ragdolls are, go eight side by side: entry k of each in one block, so that what a tree hands on stays in its lane; and each eight of them are a batch of their own, small enough for the cache.
#pragma once

#include "carom/dynamics/constraint_graph.h"

#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

inline constexpr std::uint32_t no_edge = 0xffffffffU;

struct ForestEdge {
  std::uint32_t a = 0, b = 0; ///< places of bodies; 0: cannot be moved. Not both
  std::uint32_t kind = 0;     ///< edges of one kind go together

  bool operator==(const ForestEdge&) const = default;
};

struct ForestEntry {
  std::uint32_t edge = no_edge; ///< none: the root of a tree that hangs on nothing
  std::uint32_t child = 0;      ///< place; 0: an anchor
  std::uint32_t parent = 0;     ///< place; 0: cannot be moved
  bool leaf = true;             ///< nothing hangs on the child
};

/// Up to eight entries that are solved at once: a stretch.
struct ForestBlock {
  std::uint32_t first = 0, count = 0;
};

/// A stretch of blocks that have whole trees.
struct ForestBatch {
  std::uint32_t first = 0, count = 0;
};

class JointForest {
public:
  /// `masses`: of bodies by their places. What was built last is kept where nothing has changed.
  void build(std::span<const ForestEdge> edges, std::span<const float> masses);

  [[nodiscard]] std::span<const ForestEntry> entries() const { return entries_; }
  [[nodiscard]] std::span<const ForestBlock> blocks() const { return blocks_; }
  [[nodiscard]] std::span<const ForestBatch> batches() const { return batches_; }
  /// Edges that are in no tree, in order.
  [[nodiscard]] std::span<const std::uint32_t> cut() const { return cut_; }

private:
  void list_neighbours();
  void grow(std::uint32_t from);
  void find_part(std::uint32_t from);
  [[nodiscard]] int compare_forms(const ForestBatch& a, const ForestBatch& b) const;
  void order();
  void put_side_by_side(std::span<const ForestBatch> trees);
  void put_in_rounds();

  std::vector<ForestEdge> edges_;
  std::vector<float> masses_;
  std::vector<std::uint32_t> begin_, neighbours_; ///< edges of each body
  std::vector<std::uint32_t> part_;               ///< bodies of one connected part
  std::vector<std::uint8_t> seen_, used_;         ///< bodies: 1 found, 2 in a tree; edges
  std::vector<std::uint32_t> round_;              ///< of bodies: the first one that is free
  std::vector<ForestEntry> found_, entries_;
  std::vector<std::uint32_t> above_; ///< by entry found: where its parent's entry is in the tree
  std::vector<ForestBatch> trees_;   ///< entries found
  std::vector<std::uint8_t> placed_; ///< by entry found
  std::vector<std::uint64_t> keys_;
  std::vector<ForestBlock> blocks_;
  std::vector<ForestBatch> batches_;
  std::vector<std::uint32_t> cut_;
};

} // namespace carom
