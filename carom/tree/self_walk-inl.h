// A wide tree against itself: each pair of leaves whose boxes overlap, once, for sources compiled once a target together with what they do at leaves. Internal.
#include "carom/tree/pair_walk-inl.h"

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_TREE_SELF_WALK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_TREE_SELF_WALK_INL_H_
#undef CAROM_TREE_SELF_WALK_INL_H_
#else
#define CAROM_TREE_SELF_WALK_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// Things kept in memory, to be compared one by one with eight others in the same frame.
struct OwnRows {
  alignas(32) float row[6][8];

  HWY_INLINE explicit OwnRows(const BoxLanes& boxes) {
    for (int i = 0; i < 3; ++i) {
      store_floats(boxes.center[i], row[i]);
      store_floats(boxes.half[i] + all_floats(tree_slack), row[3 + i]);
    }
  }
};

/// Bit j: box i of the rows and box j may overlap.
HWY_INLINE unsigned overlapping(const OwnRows& a, int i, const BoxLanes& b) {
  Float8 most = gap_on_axis(a.row[0][i], a.row[3][i], b.center.x, b.half.x);
  most = max(most, gap_on_axis(a.row[1][i], a.row[4][i], b.center.y, b.half.y));
  most = max(most, gap_on_axis(a.row[2][i], a.row[5][i], b.center.z, b.half.z));
  return bits(most <= all_floats(0));
}

/// Calls at_leaves(leaf, other leaf) for the pairs whose boxes may overlap, a leaf with itself among them. It returns false to end the walk.
template<class Budget, class AtLeaves>
HWY_INLINE void walk_self(const WideTree& tree, PairStack& stack, Budget budget,
                          AtLeaves&& at_leaves) {
  // A node with itself is 36 pairs; different nodes are 64.
  const auto open = [&](const Opened& a, const Opened& b) HWY_ATTR {
    const bool same = a.first == b.first && a.lanes == b.lanes;
    const OwnRows rows_a(box_lanes(*a.node, 1));
    const BoxLanes lanes_b = box_lanes(*b.node, 1);
    for (unsigned rows = a.lanes; rows != 0; rows &= rows - 1) {
      const int i = std::countr_zero(rows);
      unsigned met = overlapping(rows_a, i, lanes_b) & b.lanes;
      if (same) met &= ~((1U << i) - 1); // from itself on
      for (; met != 0; met &= met - 1)
        stack.push(
            {a.first + static_cast<Place>(i), b.first + static_cast<Place>(std::countr_zero(met))});
    }
  };
  walk_pairs(tree, tree, stack, budget, open, at_leaves);
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
