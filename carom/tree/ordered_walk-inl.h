// A walk through a wide tree that looks at what is near first: the part that rays and nearest points share. For sources compiled once a target. Internal.
//
// A child has a key, a lower bound of where anything in it can matter: how far along the ray, how far from the point. Children wait with their keys
// on a stack, nearer ones on top; what the search has found lowers the limit, and what waits beyond it is passed over.
#include "carom/math/wide_float-inl.h"
#include "carom/tree/triangle_tree.h"
#include "carom/tree/walk_progress.h"

#include <hwy/cache_control.h>

#include <bit>
#include <cmath>
#include <utility>

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_TREE_ORDERED_WALK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_TREE_ORDERED_WALK_INL_H_
#undef CAROM_TREE_ORDERED_WALK_INL_H_
#else
#define CAROM_TREE_ORDERED_WALK_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// The child of the lowest bit, which is taken away.
HWY_INLINE WaitingChild take(const WideNode& node, const float* keys, unsigned& met) {
  const int lane = std::countr_zero(met);
  met &= met - 1;
  return {keys[lane], node.child[lane]};
}

/// Asks for what the child is, a node or the block of a leaf, to be in the cache when its turn comes. Without a branch on which: nothing foretells that.
HWY_INLINE void prefetch(const TriangleTree& tree, ChildRef child) {
  const auto* nodes = reinterpret_cast<const char*>(tree.tree().nodes().data());
  const auto* blocks = reinterpret_cast<const char*>(tree.blocks().data());
  const std::size_t size = child.is_leaf() ? sizeof(TriangleBlock) : sizeof(WideNode);
  const char* at = (child.is_leaf() ? blocks : nodes) + child.number() * size;
  for (int line = 0; line < 192; line += 64) hwy::Prefetch(at + line);
}

/// look(node, limit, keys) gives the lanes whose keys are at most the limit. Calls at_leaf(number, limit) for the leaves, near ones first; it may lower the limit,
/// and returns false to end the walk. fetch(child) is called for all when they are first seen.
template<class Budget, class Look, class Fetch, class AtLeaf>
HWY_INLINE void walk_in_order(const WideTree& tree, ChildStack& stack, Budget budget, float limit,
                              Look&& look, Fetch&& fetch, AtLeaf&& at_leaf) {
  ChildRef current = ChildRef::node(0);
  if (stack.begun) {
    if (stack.count == 0) return;
    current = stack.pop().child;
  }
  stack.begun = true;
  if (tree.empty()) return;
  WaitingChild* waiting = stack.waiting;
  int& count = stack.count;
  const WideNode* nodes = tree.nodes().data();
  while (budget.take()) {
    if (!current.is_leaf()) {
      const WideNode& node = nodes[current.number()];
      Float8 keys;
      unsigned met = look(node, limit, keys);
      if (met != 0) {
        alignas(32) float at[8];
        store_floats(keys, at);
        // The nearest is next; the others are sorted in among those that wait, nearer ones last. Mostly there is one, or two.
        const int base = count;
        WaitingChild next = take(node, at, met);
        fetch(next.child);
        while (met != 0) {
          const WaitingChild fresh = take(node, at, met);
          fetch(fresh.child);
          const bool nearer = fresh.key < next.key;
          const WaitingChild other = nearer ? next : fresh;
          next = nearer ? fresh : next;
          int place = count++;
          for (; place > base && waiting[place - 1].key < other.key; --place)
            waiting[place] = waiting[place - 1];
          waiting[place] = other;
        }
        current = next.child;
        continue;
      }
    } else if (!at_leaf(current.number(), limit)) {
      count = 0;
      return;
    }
    do {
      if (count == 0) return;
      --count;
    } while (waiting[count].key > limit);
    current = waiting[count].child;
  }
  stack.push({-INFINITY, current}); // it is within the limit
}

/// All of it.
template<class Look, class Fetch, class AtLeaf>
HWY_INLINE void walk_in_order(const WideTree& tree, float limit, Look&& look, Fetch&& fetch,
                              AtLeaf&& at_leaf) {
  ChildStack stack;
  walk_in_order(tree, stack, Endless(), limit, look, fetch, at_leaf);
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
