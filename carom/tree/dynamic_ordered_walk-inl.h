// A walk through a tree of moving boxes that looks at what is near first: the part that rays and distances share. For sources compiled once a target. Internal.
//
// A child has a key, a lower bound of where anything in it can matter: how far along the ray, how far from the box asked about. Children wait with their keys on a stack, nearer ones on top;
// what has been found lowers the limit, and what waits beyond it is passed over.
#include "carom/math/wide_float-inl.h"
#include "carom/tree/dynamic_tree.h"

#include <bit>

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_TREE_DYNAMIC_ORDERED_WALK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_TREE_DYNAMIC_ORDERED_WALK_INL_H_
#undef CAROM_TREE_DYNAMIC_ORDERED_WALK_INL_H_
#else
#define CAROM_TREE_DYNAMIC_ORDERED_WALK_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// A child to look at later.
struct WaitingLane {
  float key;
  ChildRef child;
};

/// look(node, limit, keys) fills the eight keys, and gives the lanes whose keys are at most the limit. Calls at_slot(slot, limit), near ones first; it may lower the limit, and
/// returns false to end the walk. The tree is not empty.
template<class Look, class AtSlot>
HWY_INLINE void walk_near_first(const DynamicTree& tree, float limit, Look&& look,
                                AtSlot&& at_slot) {
  const DynamicNode* nodes = tree.nodes().data();
  WaitingLane waiting[DynamicTree::max_waiting + 8];
  int count = 0;
  waiting[count++] = {0, ChildRef::node(tree.root())};
  while (count > 0) {
    const WaitingLane next = waiting[--count];
    if (next.key > limit) continue;
    if (next.child.is_leaf()) {
      if (!at_slot(next.child.number(), limit)) return;
      continue;
    }
    const DynamicNode& node = nodes[next.child.number()];
    alignas(32) float keys[8];
    unsigned met = look(node, limit, keys);
    // Sorted in, nearer ones last; of equal ones, the first lane last.
    const int base = count;
    for (; met != 0; met &= met - 1) {
      const int lane = std::countr_zero(met);
      int place = count++;
      for (; place > base && waiting[place - 1].key <= keys[lane]; --place)
        waiting[place] = waiting[place - 1];
      waiting[place] = {keys[lane], node.child[lane]};
    }
  }
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
