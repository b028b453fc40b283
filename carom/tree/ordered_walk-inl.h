// A walk through a wide tree that looks at what is near first: the part that rays and nearest points share. For sources compiled once a target. Internal.
//
// A child has a key, a lower bound of where anything in it can matter: how far along the ray, how far from the point. Children wait with their keys
// on a stack, nearer ones on top; what the search has found lowers the limit, and what waits beyond it is passed over.
#include "carom/math/wide_float-inl.h"
#include "carom/tree/triangle_tree.h"
#include "carom/tree/walk_progress.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <bit>
#include <cmath>

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

/// Asks for what a child is, a node or the block of a leaf, to be in the cache when its turn comes. Without a branch on which: nothing foretells that.
/// Not a lambda: the compiler takes a function that only prefetches for one that does nothing, and leaves it out, unless it must be inlined.
struct Prefetch {
  const TriangleTree& tree;

  HWY_INLINE void operator()(ChildRef child) const {
    const char* arrays[2] = {reinterpret_cast<const char*>(tree.tree().nodes().data()),
                             reinterpret_cast<const char*>(tree.blocks().data())};
    constexpr std::size_t sizes[2] = {sizeof(WideNode), sizeof(TriangleBlock)};
    const std::size_t which = child.bits >> 31;
    const char* at = arrays[which] + child.number() * sizes[which];
    for (int line = 0; line < 192; line += 64) hwy::Prefetch(at + line);
  }
};

/// Of two children met, the nearer, which is next; the other waits. There is no branch on which it is: nothing foretells that.
template<class Fetch>
HWY_INLINE ChildRef next_of_two(const WideNode& node, const float* keys, unsigned met,
                                WaitingChild* waiting, int& count, Fetch&& fetch) {
  const int low = std::countr_zero(met), high = 31 - std::countl_zero(met);
  const float key = keys[low], key_high = keys[high];
  const std::uint32_t child = node.child[low].bits, child_high = node.child[high].bits;
  const std::uint32_t swap = 0 - static_cast<std::uint32_t>(key_high < key);
  const std::uint32_t both = child ^ child_high;
  const ChildRef next{child ^ (both & swap)}, other{child_high ^ (both & swap)};
  fetch(other);
  waiting[count++] = {std::max(key, key_high), other};
  return next;
}

/// The same of any number: the others are sorted in among those that wait, nearer ones last.
template<class Fetch>
HWY_INLINE ChildRef next_of_many(const WideNode& node, const float* keys, unsigned met,
                                 WaitingChild* waiting, int& count, Fetch&& fetch) {
  const int base = count;
  WaitingChild next = take(node, keys, met);
  fetch(next.child);
  while (met != 0) {
    const WaitingChild fresh = take(node, keys, met);
    fetch(fresh.child);
    const bool nearer = fresh.key < next.key;
    const WaitingChild other = nearer ? next : fresh;
    next = nearer ? fresh : next;
    int place = count++;
    for (; place > base && waiting[place - 1].key < other.key; --place)
      waiting[place] = waiting[place - 1];
    waiting[place] = other;
  }
  return next.child;
}

template<class Fetch>
HWY_INLINE ChildRef next_in_order(const WideNode& node, const Float8& keys, unsigned met,
                                  WaitingChild* waiting, int& count, Fetch&& fetch) {
  // Mostly there is one, or two.
  if ((met & (met - 1)) == 0) return node.child[std::countr_zero(met)];
  alignas(32) float at[8];
  store_floats(keys, at);
  return std::popcount(met) == 2 ? next_of_two(node, at, met, waiting, count, fetch)
                                 : next_of_many(node, at, met, waiting, count, fetch);
}

/// In no order: the first is next, the others wait. Two of them are put there without a branch on how many there are: nothing foretells that either. (At every node
/// there is room for seven.)
template<class Fetch>
HWY_INLINE ChildRef next_of_any(const WideNode& node, unsigned met, WaitingChild* waiting,
                                int& count, Fetch&& fetch) {
  const unsigned others = met & (met - 1), more = others & (others - 1);
  constexpr unsigned last = 0x80;
  const int second = std::countr_zero(others | last), third = std::countr_zero(more | last);
  fetch(node.child[second]);
  waiting[count] = {0, node.child[second]};
  waiting[count + 1] = {0, node.child[third]};
  int place = count + 2;
  count += std::popcount(others);
  for (unsigned rest = more & (more - 1); rest != 0; rest &= rest - 1) {
    const ChildRef child = node.child[std::countr_zero(rest)];
    fetch(child);
    waiting[place++] = {0, child};
  }
  return node.child[std::countr_zero(met)];
}

/// What a walk looks at first.
enum class First {
  near, ///< what has the least key
  any, ///< all the same: the walk ends with the first thing it finds, and the limit stays what it is
};

/// look(node, limit, keys) gives the lanes whose keys are at most the limit. Calls at_leaf(number, limit) for the leaves, near ones first unless it is all the same; it may lower the limit,
/// and returns false to end the walk. fetch(child) is called for what has to wait, when it is first seen.
template<First order = First::near, class Budget, class Look, class Fetch, class AtLeaf>
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
      const unsigned met = look(node, limit, keys);
      if (met != 0) {
        if constexpr (order == First::any) {
          current = next_of_any(node, met, waiting, count, fetch);
        } else {
          current = next_in_order(node, keys, met, waiting, count, fetch);
        }
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
