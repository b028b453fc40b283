// Compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "carom/tree/triangle_self.cpp"
#include <hwy/foreach_target.h>

#include "carom/geometry/triangle_neighbours.h"
#include "carom/tree/self_walk-inl.h"
#include "carom/tree/triangle_lanes-inl.h"
#include "carom/tree/triangle_self.h"

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

bool walk_own(const TriangleSet& set, const std::function<bool(const TrianglePair&)>& found,
              std::uint64_t most_tried) {
  std::uint64_t left = most_tried;
  bool all = true;
  PairStack stack;
  const auto at_leaves = [&](std::uint32_t leaf_a, std::uint32_t leaf_b) HWY_ATTR {
    const TriangleBlock& block_a = set.tree.blocks()[leaf_a];
    const TriangleBlock& block_b = set.tree.blocks()[leaf_b];
    const OwnRows rows(boxes_around(triangle_lanes(block_a, 1, tree_slack)));
    const BoxLanes boxes_b = boxes_around(triangle_lanes(block_b, 1, tree_slack));
    const auto items_a = set.tree.tree().leaf(leaf_a), items_b = set.tree.tree().leaf(leaf_b);
    for (int i = 0; i < block_a.count; ++i) {
      unsigned near = overlapping(rows, i, boxes_b) & block_b.lanes();
      if (leaf_a == leaf_b) near &= ~((2U << i) - 1); // those after it
      for (; near != 0; near &= near - 1) {
        const std::uint32_t a = items_a[static_cast<std::size_t>(i)];
        const std::uint32_t b = items_b[static_cast<std::size_t>(std::countr_zero(near))];
        if (left == 0) return all = false;
        --left;
        if (!meet_beyond_shared(set.surface[a], set.surface[b])) continue;
        if (!found(a < b ? TrianglePair{a, b} : TrianglePair{b, a})) return all = false;
      }
    }
    return true;
  };
  walk_self(set.tree.tree(), stack, Endless(), at_leaves);
  return all;
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {

HWY_EXPORT(walk_own);

} // namespace

bool self_meetings(const TriangleSet& set, const std::function<bool(const TrianglePair&)>& found,
                   std::uint64_t most_tried) {
  return HWY_DYNAMIC_DISPATCH(walk_own)(set, found, most_tried);
}

} // namespace carom
#endif
