// How far a walk through a tree, or through two, has come: so that it can stop after some work and go on later, in the next frame or on another thread.
//
// The caller owns it, and passes it with the same question each time: same trees, same ray, same placement. Any way to split the work gives the same as doing it at once, to the bit and in the
// same order. All of it is in the struct (a few kilobytes, up to 40 for the nearest pair): nothing is allocated. A fresh one begins at the root; so does one that comes with other trees than last time.
#pragma once

#include "carom/tree/wide_tree.h"

#include <cstddef>

namespace [[gnu::visibility("default")]] carom {

/// How much of a walk to do now: steps are nodes and leaves looked at, or pairs of them. A step takes about as long as any other.
struct WalkBudget {
  std::size_t steps = 0;

  [[nodiscard]] bool take() {
    if (steps == 0) return false;
    --steps;
    return true;
  }
};

/// For doing all of it: costs nothing.
struct Endless {
  [[nodiscard]] static constexpr bool take() { return true; }
};

/// What waits to be looked at, the next last.
template<class Item, int room>
struct WalkStack {
  bool begun = false;
  int count = 0;
  Item waiting[room]; // only the first `count` have been set

  /// Nothing is left.
  [[nodiscard]] bool done() const { return begun && count == 0; }
  void end() {
    begun = true;
    count = 0;
  }
  void push(const Item& item) { waiting[count++] = item; }
  Item pop() { return waiting[--count]; }
};

/// A child of a tree; nothing in it matters before the key (how far along a ray, say).
struct WaitingChild {
  float key;
  ChildRef child;
};

/// A child of each of two trees, by its parent: 8 * node + lane.
struct WaitingPair {
  std::uint32_t a, b;
};

/// The same, and the square of how far apart they are at least, in the unit of the walk.
struct WaitingNearPair {
  double apart;
  std::uint32_t a, b;
};

/// Both trees are opened together while both have nodes left: 64 pairs for one, at each level of the shallower; then eight for one.
inline constexpr int most_waiting_pairs = 64 * WideTree::max_depth;

using ChildStack = WalkStack<WaitingChild, WideTree::max_waiting>;
using PairStack = WalkStack<WaitingPair, most_waiting_pairs>;

/// A stack, and what it is a stack of.
template<class Stack>
struct WalkProgress : Stack {
  const WideNode* tree_a = nullptr;
  const WideNode* tree_b = nullptr;

  /// Begins anew where the trees are not those of last time. True where it did, or is about to begin.
  bool belongs_to(const WideTree& a, const WideTree& b) {
    if (this->begun && tree_a == a.nodes().data() && tree_b == b.nodes().data()) return false;
    this->begun = false;
    this->count = 0;
    tree_a = a.nodes().data();
    tree_b = b.nodes().data();
    return true;
  }
  bool belongs_to(const WideTree& tree) { return belongs_to(tree, tree); }
};

using ChildProgress = WalkProgress<ChildStack>;
using PairProgress = WalkProgress<PairStack>;
using NearPairProgress = WalkProgress<WalkStack<WaitingNearPair, most_waiting_pairs>>;

} // namespace carom
