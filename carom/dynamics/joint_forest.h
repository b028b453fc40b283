// Which joints form trees, and in which order these are solved. Internal to the solver.
//
// Joints are edges between bodies. Each connected part gets a spanning tree: its root is the body of its first joint to what cannot be moved, or, where there is none, its heaviest body. Further joints to what cannot be moved
// become anchors, and joints that close loops between bodies are cut. Every body has an entry, which stands for the joint to its parent. Entries are solved in rounds: each after all that hang on its body, and no two with the
// same parent in one round.
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

class JointForest {
public:
  /// `masses`: of bodies by their places. What was built last is kept where nothing has changed.
  void build(std::span<const ForestEdge> edges, std::span<const float> masses);

  [[nodiscard]] std::span<const ForestEntry> entries() const { return entries_; }
  [[nodiscard]] std::span<const ForestBlock> blocks() const { return blocks_; }
  /// Edges that are in no tree, in order.
  [[nodiscard]] std::span<const std::uint32_t> cut() const { return cut_; }

private:
  void list_neighbours();
  void grow(std::uint32_t from);
  void find_part(std::uint32_t from);
  void order();

  std::vector<ForestEdge> edges_;
  std::vector<float> masses_;
  std::vector<std::uint32_t> begin_, neighbours_; ///< edges of each body
  std::vector<std::uint32_t> part_;               ///< bodies of one connected part
  std::vector<std::uint8_t> seen_, used_;         ///< bodies: 1 found, 2 in a tree; edges
  std::vector<std::uint32_t> round_;              ///< of bodies: the first one that is free
  std::vector<ForestEntry> found_, entries_;
  std::vector<std::uint64_t> keys_;
  std::vector<ForestBlock> blocks_;
  std::vector<std::uint32_t> cut_;
};

} // namespace carom
