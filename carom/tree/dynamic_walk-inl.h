// The ways through a tree of moving boxes, for sources compiled once a target. Internal.
//
// Each walk keeps the children it has yet to look at in an array on the stack, whose size follows from the greatest height; lanes are pushed last to first, so that they are
// looked at first to last.
#include "carom/math/wide_float-inl.h"
#include "carom/tree/dynamic_tree.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_TREE_DYNAMIC_WALK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_TREE_DYNAMIC_WALK_INL_H_
#undef CAROM_TREE_DYNAMIC_WALK_INL_H_
#else
#define CAROM_TREE_DYNAMIC_WALK_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// Eight boxes.
struct EightBoxes {
  Float8 lower[3], upper[3];

  /// A node's.
  HWY_INLINE explicit EightBoxes(const DynamicNode& node) {
    for (int i = 0; i < 3; ++i) {
      lower[i] = load_floats(node.lower[i]);
      upper[i] = load_floats(node.upper[i]);
    }
  }
  /// One, eight times.
  HWY_INLINE explicit EightBoxes(const FloatBox& box) {
    for (std::size_t i = 0; i < 3; ++i) {
      lower[i] = all_floats(box.min[i]);
      upper[i] = all_floats(box.max[i]);
    }
  }
};

/// Bit i: box i of one and box i of the other overlap.
HWY_INLINE unsigned overlapping(const EightBoxes& a, const EightBoxes& b) {
  const FloatMask8 x = (a.lower[0] <= b.upper[0]) & (b.lower[0] <= a.upper[0]);
  const FloatMask8 y = (a.lower[1] <= b.upper[1]) & (b.lower[1] <= a.upper[1]);
  const FloatMask8 z = (a.lower[2] <= b.upper[2]) & (b.lower[2] <= a.upper[2]);
  return bits(x & y & z);
}

/// The highest bit, which is taken away.
HWY_INLINE int take_last(unsigned& lanes) {
  const int lane = 31 - std::countl_zero(lanes);
  lanes ^= 1U << lane;
  return lane;
}
/// The lowest bit, which is taken away.
HWY_INLINE int take_first(unsigned& lanes) {
  const int lane = std::countr_zero(lanes);
  lanes &= lanes - 1;
  return lane;
}

/// Asks for a node that will be looked at.
HWY_INLINE void fetch(const DynamicNode& node) {
  for (int line = 0; line < int{sizeof(node)}; line += 64)
    hwy::Prefetch(reinterpret_cast<const char*>(&node) + line);
}

/// Calls at_slot(slot) for the fat boxes that may overlap the box. It returns false to end: then the walk is false, too.
template<class AtSlot>
HWY_INLINE bool walk_box(const DynamicTree& tree, const FloatBox& box, AtSlot&& at_slot) {
  if (tree.empty()) return true;
  const DynamicNode* nodes = tree.nodes().data();
  const EightBoxes asked(box);
  std::uint32_t waiting[DynamicTree::max_waiting + 8];
  int count = 0;
  std::uint32_t current = tree.root();
  while (true) {
    const DynamicNode& node = nodes[current];
    unsigned met = overlapping(EightBoxes(node), asked) & node.lanes();
    if (node.level > 0) {
      while (met != 0) {
        const std::uint32_t child = node.child[take_last(met)].number();
        fetch(nodes[child]);
        waiting[count++] = child;
      }
    } else {
      while (met != 0)
        if (!at_slot(node.child[take_first(met)].number())) return false;
    }
    if (count == 0) return true;
    current = waiting[--count];
  }
}

/// Two nodes whose children are to be compared, each with each.
struct NodePair {
  std::uint32_t a, b;
};

/// Pairs of children wait while others are looked at: at most 64 from each level.
inline constexpr int max_waiting_pairs = 64 * DynamicTree::max_height;

/// Calls at_slots(slot, slot) for each two fat boxes of a tree that may overlap.
template<class AtSlots>
HWY_INLINE void walk_pairs(const DynamicTree& tree, AtSlots&& at_slots) {
  if (tree.empty()) return;
  const DynamicNode* nodes = tree.nodes().data();
  NodePair waiting[max_waiting_pairs];
  int count = 0;
  waiting[count++] = {tree.root(), tree.root()};
  while (count > 0) {
    const NodePair pair = waiting[--count];
    const DynamicNode &a = nodes[pair.a], &b = nodes[pair.b];
    const bool same = pair.a == pair.b;
    const EightBoxes others(b);
    for (int i = 0; i < a.count; ++i) {
      unsigned met = overlapping(EightBoxes(a.box(i)), others) & b.lanes();
      // Among themselves, each two once; and what is below each of them.
      if (same) met &= ~((2U << i) - 1);
      if (a.level == 0) {
        while (met != 0)
          if (!at_slots(a.child[i].number(), b.child[take_first(met)].number())) return;
        continue;
      }
      if (same) waiting[count++] = {a.child[i].number(), a.child[i].number()};
      while (met != 0) waiting[count++] = {a.child[i].number(), b.child[take_first(met)].number()};
    }
  }
}

/// From the floats of one tree to those of another. The numbers moved are rounded; `pad` is more than that.
struct FrameShift {
  std::array<float, 3> shift;
  float pad;

  /// Boxes of b, as a has them.
  FrameShift(const DynamicTree& a, const DynamicTree& b) {
    const Vec3 apart = b.origin() - a.origin();
    float reach = 0;
    const FloatBox all = b.nodes()[b.root()].box();
    for (std::size_t i = 0; i < 3; ++i) {
      shift[i] = static_cast<float>(apart[static_cast<int>(i)]);
      reach = std::max({reach, std::fabs(shift[i]), std::fabs(all.min[i]), std::fabs(all.max[i])});
    }
    pad = max_abs(apart) == 0 ? 0 : 0x1p-21F * reach + 0x1p-100F;
  }

  HWY_INLINE FloatBox moved(FloatBox box) const {
    for (std::size_t i = 0; i < 3; ++i) {
      box.min[i] = box.min[i] + shift[i] - pad;
      box.max[i] = box.max[i] + shift[i] + pad;
    }
    return box;
  }
};

/// The same for a box of each of two trees.
template<class AtSlots>
HWY_INLINE void walk_pairs(const DynamicTree& tree_a, const DynamicTree& tree_b,
                           AtSlots&& at_slots) {
  if (tree_a.empty() || tree_b.empty()) return;
  const FrameShift shift(tree_a, tree_b);
  const DynamicNode *nodes_a = tree_a.nodes().data(), *nodes_b = tree_b.nodes().data();
  NodePair waiting[max_waiting_pairs];
  int count = 0;
  waiting[count++] = {tree_a.root(), tree_b.root()};
  while (count > 0) {
    const NodePair pair = waiting[--count];
    const DynamicNode &a = nodes_a[pair.a], &b = nodes_b[pair.b];
    if (a.level > b.level) {
      // Only down the higher one, until both are of one level.
      unsigned met = overlapping(EightBoxes(shift.moved(b.box())), EightBoxes(a)) & a.lanes();
      while (met != 0) waiting[count++] = {a.child[take_last(met)].number(), pair.b};
      continue;
    }
    const EightBoxes all_a(b.level > a.level ? EightBoxes(a.box()) : EightBoxes(a));
    for (int i = b.count - 1; i >= 0; --i) {
      unsigned met = overlapping(EightBoxes(shift.moved(b.box(i))), all_a);
      const std::uint32_t child = b.child[i].number();
      if (b.level > a.level) {
        if (met != 0) waiting[count++] = {pair.a, child};
        continue;
      }
      met &= a.lanes();
      while (met != 0) {
        const std::uint32_t child_a = a.child[take_last(met)].number();
        if (a.level > 0)
          waiting[count++] = {child_a, child};
        else if (!at_slots(child_a, child))
          return;
      }
    }
  }
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
