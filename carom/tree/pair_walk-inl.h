// Two wide trees, one placed in the frame of the other: the walk over pairs of boxes that overlap, or that are near, for sources compiled once a target together with what they do at
// leaves. Internal.
//
// Boxes along the axes of A are compared with boxes along the axes of B. Each node's eight boxes are turned into the other's frame, where they get boxes around
// them: eight at once. A pair is apart by what separates them in A's frame or in B's, whichever is more. So 64 pairs cost two turns, and eight comparisons
// of one box with eight.
#include "carom/math/wide_float-inl.h"
#include "carom/tree/pair_frame.h"
#include "carom/tree/wide_tree.h"

#include <algorithm>
#include <bit>

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
struct BoxLanes {
  Float8x3 center, half;
};

HWY_INLINE Float8x3 all_floats(const float (&v)[3]) {
  return {all_floats(v[0]), all_floats(v[1]), all_floats(v[2])};
}

/// A node's boxes, in the common unit.
HWY_INLINE BoxLanes box_lanes(const WideNode& node, float scale) {
  BoxLanes r;
  for (int i = 0; i < 3; ++i) {
    const Float8 lower = floats_of(node.lower[i]), upper = floats_of(node.upper[i]);
    const Float8 half_step = all_floats(0.5F * scale * node.grid(i).step());
    r.half[i] = (upper - lower) * half_step;
    r.center[i] = (upper + lower) * half_step + all_floats(scale * node.origin[i]);
  }
  return r;
}

/// Points of B in A, and of A in B.
HWY_INLINE Float8x3 turned_to_a(const PairFrame& f, const Float8x3& p) {
  Float8x3 r;
  for (int i = 0; i < 3; ++i)
    r[i] = all_floats(f.basis[i][0]) * p.x + all_floats(f.basis[i][1]) * p.y +
           all_floats(f.basis[i][2]) * p.z + all_floats(f.origin[i]);
  return r;
}
HWY_INLINE Float8x3 turned_to_b(const PairFrame& f, const Float8x3& p) {
  const Float8x3 d = p - all_floats(f.origin);
  Float8x3 r;
  for (int i = 0; i < 3; ++i)
    r[i] = all_floats(f.basis[0][i]) * d.x + all_floats(f.basis[1][i]) * d.y +
           all_floats(f.basis[2][i]) * d.z;
  return r;
}
/// The boxes, in the other frame, around boxes.
HWY_INLINE BoxLanes turned_to_a(const PairFrame& f, const BoxLanes& b) {
  BoxLanes r;
  r.center = turned_to_a(f, b.center);
  for (int i = 0; i < 3; ++i)
    r.half[i] = all_floats(std::fabs(f.basis[i][0])) * b.half.x +
                all_floats(std::fabs(f.basis[i][1])) * b.half.y +
                all_floats(std::fabs(f.basis[i][2])) * b.half.z;
  return r;
}
HWY_INLINE BoxLanes turned_to_b(const PairFrame& f, const BoxLanes& a) {
  BoxLanes r;
  r.center = turned_to_b(f, a.center);
  for (int i = 0; i < 3; ++i)
    r.half[i] = all_floats(std::fabs(f.basis[0][i])) * a.half.x +
                all_floats(std::fabs(f.basis[1][i])) * a.half.y +
                all_floats(std::fabs(f.basis[2][i])) * a.half.z;
  return r;
}

/// The same eight things in both frames.
struct BothFrames {
  BoxLanes in_a, in_b;
};

/// Things of A kept in memory, to be compared one by one with eight of B.
struct BoxRows {
  alignas(32) float row[12][8]; ///< middle and half in A, then in B

  HWY_INLINE explicit BoxRows(const BothFrames& boxes, float slack) {
    const Float8 more = all_floats(slack);
    for (int i = 0; i < 3; ++i) {
      store_floats(boxes.in_a.center[i], row[i]);
      store_floats(boxes.in_a.half[i] + more, row[3 + i]);
      store_floats(boxes.in_b.center[i], row[6 + i]);
      store_floats(boxes.in_b.half[i] + more, row[9 + i]);
    }
  }
};

/// How far apart, on one axis, the thing of a row is from eight others: negative where they overlap there.
HWY_INLINE Float8 gap_on_axis(float center, float half, const Float8& centers,
                              const Float8& halves) {
  return abs(centers - all_floats(center)) - (halves + all_floats(half));
}

/// Bit j: box i of A and box j of B may overlap.
HWY_INLINE unsigned overlapping(const BoxRows& a, int i, const BothFrames& b) {
  Float8 most = gap_on_axis(a.row[0][i], a.row[3][i], b.in_a.center.x, b.in_a.half.x);
  most = max(most, gap_on_axis(a.row[1][i], a.row[4][i], b.in_a.center.y, b.in_a.half.y));
  most = max(most, gap_on_axis(a.row[2][i], a.row[5][i], b.in_a.center.z, b.in_a.half.z));
  most = max(most, gap_on_axis(a.row[6][i], a.row[9][i], b.in_b.center.x, b.in_b.half.x));
  most = max(most, gap_on_axis(a.row[7][i], a.row[10][i], b.in_b.center.y, b.in_b.half.y));
  most = max(most, gap_on_axis(a.row[8][i], a.row[11][i], b.in_b.center.z, b.in_b.half.z));
  return bits(most <= all_floats(0));
}

/// The square of a distance that box i of A and the boxes of B are at least apart.
HWY_INLINE Float8 distance_squared(const BoxRows& a, int i, const BothFrames& b) {
  Float8 sum_a = all_floats(0), sum_b = all_floats(0);
  const Float8 zero = all_floats(0);
  for (int k = 0; k < 3; ++k) {
    const Float8 in_a =
        max(gap_on_axis(a.row[k][i], a.row[3 + k][i], b.in_a.center[k], b.in_a.half[k]), zero);
    const Float8 in_b =
        max(gap_on_axis(a.row[6 + k][i], a.row[9 + k][i], b.in_b.center[k], b.in_b.half[k]), zero);
    sum_a = sum_a + in_a * in_a;
    sum_b = sum_b + in_b * in_b;
  }
  return max(sum_a, sum_b);
}

/// A direction from A toward B, a unit vector, in both frames. Along the one from the nearest points found so far, other pairs are often farther apart than those are.
struct PairAxis {
  float in_a[3] = {}, in_b[3] = {};
};
/// How far eight things of A reach along the axis, and where eight of B begin.
HWY_INLINE Float8 ends_of_a(const PairAxis& axis, const BoxLanes& a) {
  Float8 r = all_floats(0);
  for (int i = 0; i < 3; ++i)
    r = r + a.center[i] * all_floats(axis.in_a[i]) +
        a.half[i] * all_floats(std::fabs(axis.in_a[i]));
  return r;
}
HWY_INLINE Float8 begins_of_b(const PairFrame& f, const PairAxis& axis, const BoxLanes& b) {
  Float8 r = all_floats(f.origin[0] * axis.in_a[0] + f.origin[1] * axis.in_a[1] +
                        f.origin[2] * axis.in_a[2]);
  for (int i = 0; i < 3; ++i)
    r = r + b.center[i] * all_floats(axis.in_b[i]) -
        b.half[i] * all_floats(std::fabs(axis.in_b[i]));
  return r;
}
/// A coordinate of either is off by the slack, and so along the axis each by twice that.
HWY_INLINE Float8 gap_along(const PairFrame& f, float end_of_a, const Float8& begins) {
  return max(begins - all_floats(end_of_a + 4 * f.slack), all_floats(0));
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
struct OpenedPair {
  BoxLanes a, b;

  HWY_INLINE OpenedPair(const PairFrame& f, const Opened& opened_a, const Opened& opened_b)
      : a(box_lanes(*opened_a.node, f.scale_a)), b(box_lanes(*opened_b.node, f.scale_b)) {}
  [[nodiscard]] HWY_INLINE BoxRows rows(const PairFrame& f) const {
    return BoxRows({a, turned_to_b(f, a)}, f.slack);
  }
  [[nodiscard]] HWY_INLINE BothFrames lanes(const PairFrame& f) const {
    return {turned_to_a(f, b), b};
  }
};

/// Calls at_leaves(leaf of A, leaf of B) for the pairs whose boxes may overlap. It returns false to end the walk.
template<class AtLeaves>
HWY_INLINE void walk_overlaps(const WideTree& tree_a, const WideTree& tree_b, const PairFrame& f,
                              AtLeaves&& at_leaves) {
  if (tree_a.empty() || tree_b.empty()) return;
  struct Waiting {
    Place a, b;
  };
  // Both trees are opened together while both have nodes left: 64 pairs for one, at each level of the shallower; then eight for one.
  Waiting waiting[64 * WideTree::max_depth];
  int count = 0;
  const auto open = [&](const Opened& a, const Opened& b) HWY_ATTR {
    const OpenedPair pair(f, a, b);
    const BoxRows rows_a = pair.rows(f);
    const BothFrames lanes_b = pair.lanes(f);
    for (unsigned rows = a.lanes; rows != 0; rows &= rows - 1) {
      const int i = std::countr_zero(rows);
      unsigned met = overlapping(rows_a, i, lanes_b) & b.lanes;
      for (; met != 0; met &= met - 1)
        waiting[count++] = {a.first + static_cast<Place>(i),
                            b.first + static_cast<Place>(std::countr_zero(met))};
    }
  };
  open(root(tree_a), root(tree_b));
  while (count != 0) {
    const Waiting next = waiting[--count];
    const ChildRef a = child_at(tree_a, next.a), b = child_at(tree_b, next.b);
    if (a.is_leaf() && b.is_leaf()) {
      if (!at_leaves(a.number(), b.number())) return;
    } else {
      open(opened(tree_a, next.a), opened(tree_b, next.b));
    }
  }
}

/// Calls at_leaves(leaf of A, leaf of B, limit) for the pairs that may be nearer than the limit, near ones first, more or less. The limit is the square of a distance in common units;
/// at_leaves may lower it, to negative to end the walk, and change the axis.
template<class AtLeaves>
HWY_INLINE void walk_near(const WideTree& tree_a, const WideTree& tree_b, const PairFrame& f,
                          float limit, const PairAxis& axis, AtLeaves&& at_leaves) {
  if (tree_a.empty() || tree_b.empty()) return;
  struct Waiting {
    float apart;
    Place a, b;
  };
  Waiting waiting[64 * WideTree::max_depth];
  int count = 0;
  const auto open = [&](const Opened& a, const Opened& b) HWY_ATTR {
    const OpenedPair pair(f, a, b);
    // Along the axis first: it is cheap, and rules out most.
    alignas(32) float ends[8];
    store_floats(ends_of_a(axis, pair.a), ends);
    const Float8 begins = begins_of_b(f, axis, pair.b), most = all_floats(limit);
    unsigned near_rows = 0;
    for (unsigned rows = a.lanes; rows != 0; rows &= rows - 1) {
      const Float8 along = gap_along(f, ends[std::countr_zero(rows)], begins);
      if ((bits(along * along < most) & b.lanes) != 0) near_rows |= rows & (0U - rows);
    }
    if (near_rows == 0) return;
    const BoxRows rows_a = pair.rows(f);
    const BothFrames lanes_b = pair.lanes(f);
    const int first = count;
    for (unsigned rows = near_rows; rows != 0; rows &= rows - 1) {
      const int i = std::countr_zero(rows);
      const Float8 along = gap_along(f, ends[i], begins);
      const Float8 apart = max(distance_squared(rows_a, i, lanes_b), along * along);
      unsigned near = bits(apart < most) & b.lanes;
      if (near == 0) continue;
      alignas(32) float at[8];
      store_floats(apart, at);
      for (; near != 0; near &= near - 1) {
        const int j = std::countr_zero(near);
        waiting[count++] = {at[j], a.first + static_cast<Place>(i),
                            b.first + static_cast<Place>(j)};
      }
    }
    // The nearest last. By distance and then by place, so that the order is one.
    std::sort(waiting + first, waiting + count, [](const Waiting& x, const Waiting& y) {
      return x.apart != y.apart ? x.apart > y.apart : x.a != y.a ? x.a > y.a : x.b > y.b;
    });
  };
  open(root(tree_a), root(tree_b));
  while (count != 0) {
    const Waiting next = waiting[--count];
    if (!(next.apart < limit)) continue;
    const ChildRef a = child_at(tree_a, next.a), b = child_at(tree_b, next.b);
    if (a.is_leaf() && b.is_leaf()) {
      at_leaves(a.number(), b.number(), limit);
    } else {
      open(opened(tree_a, next.a), opened(tree_b, next.b));
    }
  }
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
