// Things split in two, and again, until each part fits into a leaf: the first half of building a tree. Internal.
#pragma once

#include "carom/tree/wide_tree.h"

namespace [[gnu::visibility("default")]] carom {

/// Things begin .. end - 1 of the order, in two parts: the next node and node `right`. A leaf has none: right is 0.
struct BinaryNode {
  FloatBox box;
  std::uint32_t begin, end;
  std::uint32_t right;

  [[nodiscard]] bool is_leaf() const { return right == 0; }
};

struct SplitThings {
  std::vector<BinaryNode> nodes; ///< the root first
  std::vector<std::uint32_t> order;
};

struct SplitRule {
  int sorted_depth = 0; ///< from this depth on, by count: then there are at most 27 more levels
  int threads = 1;      ///< the result is the same
};

/// Where it is best, by the surface-area heuristic. At least one thing; boxes are finite and not empty.
[[nodiscard]] SplitThings split_things(std::span<const FloatBox> boxes, const SplitRule& rule);
/// In the middle of the space, again and again: by a curve that goes through all of it (morton_split.cpp). Quicker to find, a third slower to ask.
[[nodiscard]] SplitThings split_along_curve(std::span<const FloatBox> boxes);

} // namespace carom
