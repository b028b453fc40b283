// Which contacts may be solved at once: groups of eight, no two of which move the same body. Internal to the solver.
//
// Contacts are edges between bodies. A colour is a set of edges that share no movable body; each gets the first colour that both its bodies have free. What finds no free colour is solved on its own.
//
// Regions (regions.h) are halves of halves of space. Contacts within a region come first; then those across the border between two halves of a quarter, of a half, ... and of all; contacts with what cannot be moved come last, region by
// region: what happens last is kept best, and nothing should sink into the ground. So there are a few stages, each with parts that have no body in common: threads do a part each, from colour to colour, and wait for nobody before it
// is done. Of what is near each other, nearly all is one thread's in all stages.
//
// All of it depends on nothing but the lists of edges and regions.
#pragma once

#include "carom/dynamics/solver_body.h"

#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// An edge. Bodies are places in the solver's list; 0: one that cannot be moved, or is not there.
struct GraphEdge {
  std::uint32_t a = 0;      ///< movable
  std::uint32_t b = 0;      ///< movable, or 0
  std::uint32_t points = 1; ///< 1 to 4: contacts of as many points go together
  bool idle =
      false; ///< nothing acts in it as the step begins, and mostly nothing will: these go together, too
};

/// Up to eight edges that are solved at once.
struct GraphBlock {
  std::uint32_t first = 0, count = 0; ///< in the order of the graph
  std::uint32_t points = 1;           ///< the most of its edges
  bool fixed = false;                 ///< the second bodies cannot be moved
  bool idle = true;                   ///< all of its edges are
};

/// Blocks that may be solved at the same time, in any order; or one after the other, where they have no colour.
struct GraphColor {
  std::uint32_t first = 0, count = 0; ///< blocks
  bool at_once = true;
};

/// Blocks that are solved in order.
struct GraphPart {
  std::uint32_t first = 0, count = 0;             ///< blocks
  std::uint32_t first_color = 0, color_count = 0; ///< colours that they are
};

class ConstraintGraph {
public:
  static constexpr std::uint32_t colors_at_most = 64;

  /// `region_of`: the regions of all places, the first of which is nobody's; each below `regions`, a power of two.
  void build(std::span<const GraphEdge> edges, std::span<const std::uint8_t> region_of,
             std::size_t regions);

  /// In the order in which they are solved.
  [[nodiscard]] std::span<const GraphBlock> blocks() const { return blocks_; }
  /// Numbers of edges; blocks are stretches of it.
  [[nodiscard]] std::span<const std::uint32_t> order() const { return order_; }
  /// One stage after the other, of parts that may be solved at the same time.
  [[nodiscard]] std::size_t stages() const { return stages_.size() - 1; }
  [[nodiscard]] std::span<const GraphPart> stage(std::size_t i) const {
    return std::span(parts_).subspan(stages_[i], stages_[i + 1] - stages_[i]);
  }
  /// Of a part, in order; none is empty.
  [[nodiscard]] std::span<const GraphColor> colors(const GraphPart& part) const {
    return std::span(colors_).subspan(part.first_color, part.color_count);
  }

private:
  /// Colours that a body has no more free, by kind of contact.
  struct Used {
    std::uint64_t inner = 0, border = 0, fixed = 0;
  };
  /// What an edge is solved with.
  struct Tint {
    std::uint32_t part = 0, color = 0;
    std::uint32_t kind = 0; ///< its place among those of its colour
  };
  void lay_stages(std::size_t regions);
  [[nodiscard]] Tint tint(const GraphEdge& edge, std::span<const std::uint8_t> region_of);
  void sort_kinds(std::span<const GraphEdge> edges, std::uint32_t groups);
  void lay_blocks(std::uint32_t groups, std::uint32_t fixed_parts);

  std::vector<Used> used_;
  std::vector<Tint> tints_;
  std::vector<std::uint32_t> singles_; ///< by colour: how many come first, while they are sorted
  std::vector<std::uint32_t> bucket_begin_, order_;
  std::vector<GraphBlock> blocks_;
  std::vector<GraphColor> colors_;
  std::vector<GraphPart> parts_;
  std::vector<std::uint32_t> stages_{
      0}; ///< where each begins in parts_, and where the last one ends
};

} // namespace carom
