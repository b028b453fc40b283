// Two wide trees, one placed in the frame of the other: the walk over pairs of boxes that overlap, for sources compiled once a target together with what they do at
// leaves. Internal.
//
// Boxes along the axes of A are compared with boxes along the axes of B. Each node's eight boxes are turned into the other's frame, where they get boxes around
// them: eight at once. A pair is apart by what separates them in A's frame or in B's, whichever is more. So 64 pairs cost two turns, and eight comparisons
// of one box with eight.
#include "carom/tree/pair_frame.h"
#include "carom/tree/pair_lanes-inl.h"
#include "carom/tree/walk_progress.h"

#include <algorithm>
#include <bit>
#include <type_traits>

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_TREE_PAIR_WALK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_TREE_PAIR_WALK_INL_H_
#undef CAROM_TREE_PAIR_WALK_INL_H_
#else
#define CAROM_TREE_PAIR_WALK_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// Eight boxes along the axes of one frame: their middles, and half their edges.
template<class Real>
struct BoxLanesOf {
  Lanes8x3<Real> center, half;
};
using BoxLanes = BoxLanesOf<float>;

/// A node's boxes, in the common unit.
template<class Real = float>
HWY_INLINE BoxLanesOf<Real> box_lanes(const WideNode& node, std::type_identity_t<Real> scale) {
  BoxLanesOf<Real> r;
  for (int i = 0; i < 3; ++i) {
    const Lanes8<Real> lower = lanes_of<Real>(node.lower[i]), upper = lanes_of<Real>(node.upper[i]);
    const Lanes8<Real> half_step = all_lanes(scale * static_cast<Real>(0.5F * node.grid(i).step()));
    r.half[i] = (upper - lower) * half_step;
    r.center[i] =
        (upper + lower) * half_step + all_lanes(scale * static_cast<Real>(node.origin[i]));
  }
  return r;
}

/// Points of B in A, and of A in B.
template<class Real>
HWY_INLINE Lanes8x3<Real> turned_to_a(const PairFrameOf<Real>& f, const Lanes8x3<Real>& p) {
  Lanes8x3<Real> r;
  for (int i = 0; i < 3; ++i)
    r[i] = all_lanes(f.basis[i][0]) * p.x + all_lanes(f.basis[i][1]) * p.y +
           all_lanes(f.basis[i][2]) * p.z + all_lanes(f.origin[i]);
  return r;
}
template<class Real>
HWY_INLINE Lanes8x3<Real> turned_to_b(const PairFrameOf<Real>& f, const Lanes8x3<Real>& p) {
  const Lanes8x3<Real> d = p - all_lanes(f.origin);
  Lanes8x3<Real> r;
  for (int i = 0; i < 3; ++i)
    r[i] = all_lanes(f.basis[0][i]) * d.x + all_lanes(f.basis[1][i]) * d.y +
           all_lanes(f.basis[2][i]) * d.z;
  return r;
}
/// The boxes, in the other frame, around boxes.
template<class Real>
HWY_INLINE BoxLanesOf<Real> turned_to_a(const PairFrameOf<Real>& f, const BoxLanesOf<Real>& b) {
  BoxLanesOf<Real> r;
  r.center = turned_to_a(f, b.center);
  for (int i = 0; i < 3; ++i)
    r.half[i] = all_lanes(std::fabs(f.basis[i][0])) * b.half.x +
                all_lanes(std::fabs(f.basis[i][1])) * b.half.y +
                all_lanes(std::fabs(f.basis[i][2])) * b.half.z;
  return r;
}
template<class Real>
HWY_INLINE BoxLanesOf<Real> turned_to_b(const PairFrameOf<Real>& f, const BoxLanesOf<Real>& a) {
  BoxLanesOf<Real> r;
  r.center = turned_to_b(f, a.center);
  for (int i = 0; i < 3; ++i)
    r.half[i] = all_lanes(std::fabs(f.basis[0][i])) * a.half.x +
                all_lanes(std::fabs(f.basis[1][i])) * a.half.y +
                all_lanes(std::fabs(f.basis[2][i])) * a.half.z;
  return r;
}

/// The same eight things in both frames.
template<class Real>
struct BothFramesOf {
  BoxLanesOf<Real> in_a, in_b;
};

/// Things of A kept in memory, to be compared one by one with eight of B.
template<class Real>
struct BoxRowsOf {
  alignas(64) Real row[12][8]; ///< middle and half in A, then in B

  HWY_INLINE BoxRowsOf(const BothFramesOf<Real>& boxes, Real slack) {
    const Lanes8<Real> more = all_lanes(slack);
    for (int i = 0; i < 3; ++i) {
      store_lanes(boxes.in_a.center[i], row[i]);
      store_lanes(boxes.in_a.half[i] + more, row[3 + i]);
      store_lanes(boxes.in_b.center[i], row[6 + i]);
      store_lanes(boxes.in_b.half[i] + more, row[9 + i]);
    }
  }
};

/// How far apart, on one axis, the thing of a row is from eight others: negative where they overlap there.
template<class Real>
HWY_INLINE Lanes8<Real> gap_on_axis(Real center, Real half, const Lanes8<Real>& centers,
                                    const Lanes8<Real>& halves) {
  return abs(centers - all_lanes(center)) - (halves + all_lanes(half));
}

/// Bit j: box i of A and box j of B may overlap.
template<class Real>
HWY_INLINE unsigned overlapping(const BoxRowsOf<Real>& a, int i, const BothFramesOf<Real>& b) {
  Lanes8<Real> most = gap_on_axis(a.row[0][i], a.row[3][i], b.in_a.center.x, b.in_a.half.x);
  most = max(most, gap_on_axis(a.row[1][i], a.row[4][i], b.in_a.center.y, b.in_a.half.y));
  most = max(most, gap_on_axis(a.row[2][i], a.row[5][i], b.in_a.center.z, b.in_a.half.z));
  most = max(most, gap_on_axis(a.row[6][i], a.row[9][i], b.in_b.center.x, b.in_b.half.x));
  most = max(most, gap_on_axis(a.row[7][i], a.row[10][i], b.in_b.center.y, b.in_b.half.y));
  most = max(most, gap_on_axis(a.row[8][i], a.row[11][i], b.in_b.center.z, b.in_b.half.z));
  return bits(most <= all_lanes(Real{0}));
}

/// A child by its parent: 8 * node + lane.
using Place = std::uint32_t;

/// The child of a place, and where to look for its boxes: those of the node it is, or its own among its parent's.
struct Opened {
  const WideNode* node;
  unsigned lanes;
  Place first; ///< of lane 0
};
HWY_INLINE Opened opened(const WideTree& tree, Place place) {
  const WideNode* nodes = tree.nodes().data();
  const ChildRef child = nodes[place / 8].child[place % 8];
  if (child.is_leaf()) return {nodes + place / 8, 1U << place % 8, place / 8 * 8};
  return {nodes + child.number(), nodes[child.number()].lanes(), 8 * child.number()};
}
HWY_INLINE ChildRef child_at(const WideTree& tree, Place place) {
  return tree.nodes()[place / 8].child[place % 8];
}
HWY_INLINE Opened root(const WideTree& tree) {
  return {tree.nodes().data(), tree.nodes()[0].lanes(), 0};
}

/// The boxes of both, each in its own frame.
template<class Real>
struct OpenedPairOf {
  BoxLanesOf<Real> a, b;

  HWY_INLINE OpenedPairOf(const PairFrameOf<Real>& f, const Opened& opened_a,
                          const Opened& opened_b)
      : a(box_lanes<Real>(*opened_a.node, f.scale_a)),
        b(box_lanes<Real>(*opened_b.node, f.scale_b)) {}
  [[nodiscard]] HWY_INLINE BoxRowsOf<Real> rows(const PairFrameOf<Real>& f) const {
    return BoxRowsOf<Real>({a, turned_to_b(f, a)}, f.slack);
  }
  [[nodiscard]] HWY_INLINE BothFramesOf<Real> lanes(const PairFrameOf<Real>& f) const {
    return {turned_to_a(f, b), b};
  }
};

/// Walks over two trees, or one twice, from where the stack says: open(a, b) pushes the pairs below two opened ones, at_leaves(leaf of A, leaf of B) returns false to end the walk.
template<class Budget, class Open, class AtLeaves>
HWY_INLINE void walk_pairs(const WideTree& tree_a, const WideTree& tree_b, PairStack& stack,
                           Budget budget, Open&& open, AtLeaves&& at_leaves) {
  if (!stack.begun) {
    if (!budget.take()) return;
    stack.begun = true;
    if (tree_a.empty() || tree_b.empty()) return;
    open(root(tree_a), root(tree_b));
  }
  while (stack.count != 0 && budget.take()) {
    const WaitingPair next = stack.pop();
    const ChildRef a = child_at(tree_a, next.a), b = child_at(tree_b, next.b);
    if (!a.is_leaf() || !b.is_leaf()) {
      open(opened(tree_a, next.a), opened(tree_b, next.b));
    } else if (!at_leaves(a.number(), b.number())) {
      stack.count = 0;
    }
  }
}

/// Calls at_leaves(leaf of A, leaf of B) for the pairs whose boxes may overlap. It returns false to end the walk.
template<class Real, class Budget, class AtLeaves>
HWY_INLINE void walk_overlaps(const WideTree& tree_a, const WideTree& tree_b,
                              const PairFrameOf<Real>& f, PairStack& stack, Budget budget,
                              AtLeaves&& at_leaves) {
  const auto open = [&](const Opened& a, const Opened& b) HWY_ATTR {
    const OpenedPairOf<Real> pair(f, a, b);
    const BoxRowsOf<Real> rows_a = pair.rows(f);
    const BothFramesOf<Real> lanes_b = pair.lanes(f);
    for (unsigned rows = a.lanes; rows != 0; rows &= rows - 1) {
      const int i = std::countr_zero(rows);
      unsigned met = overlapping(rows_a, i, lanes_b) & b.lanes;
      for (; met != 0; met &= met - 1)
        stack.push(
            {a.first + static_cast<Place>(i), b.first + static_cast<Place>(std::countr_zero(met))});
    }
  };
  walk_pairs(tree_a, tree_b, stack, budget, open, at_leaves);
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
