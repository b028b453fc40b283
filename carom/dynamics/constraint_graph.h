// Which contacts may be solved at once: groups of eight, no two of which move the same body. Internal to the solver.
//
// Contacts are edges between bodies. A colour is a set of edges that share no movable body; each gets the first colour that both its bodies have free. Contacts with what cannot be moved have
// colours of their own, which come last: what happens last is kept best, and nothing should sink into the ground. What finds no free colour is solved on its own.
// The colours depend on nothing but the list.
#pragma once

#include "carom/dynamics/solver_body.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// An edge. Bodies are places in the solver's list; 0: one that cannot be moved, or is not there.
struct GraphEdge {
  std::uint32_t a = 0;      ///< movable
  std::uint32_t b = 0;      ///< movable, or 0
  std::uint32_t points = 1; ///< 1 to 4: contacts of as many points go together
};

/// Up to eight edges that are solved at once.
struct GraphBlock {
  std::uint32_t first = 0, count = 0; ///< in the order of the graph
  std::uint32_t points = 1;           ///< the most of its edges
  bool fixed = false;                 ///< the second bodies cannot be moved
};

/// Blocks that may be solved at the same time, in any order; or one after the other, where they have no colour.
struct GraphColor {
  std::uint32_t first = 0, count = 0; ///< blocks
  bool at_once = true;
};

class ConstraintGraph {
public:
  static constexpr std::uint32_t colors = 64;

  /// `bodies`: the greatest place, and one.
  void build(std::span<const GraphEdge> edges, std::size_t bodies);

  [[nodiscard]] std::span<const GraphBlock> blocks() const { return blocks_; }
  /// Stretches of the blocks; none is empty.
  [[nodiscard]] std::span<const GraphColor> stretches() const { return stretches_; }
  /// Numbers of edges; blocks are stretches of it.
  [[nodiscard]] std::span<const std::uint32_t> order() const { return order_; }

private:
  struct Used {
    std::uint64_t moving = 0, fixed = 0;
  };
  std::vector<Used> used_;
  std::vector<std::uint32_t> bucket_, order_;
  std::vector<GraphBlock> blocks_;
  std::vector<GraphColor> stretches_;
};

} // namespace carom
