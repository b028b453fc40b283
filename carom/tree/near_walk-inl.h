// Two wide trees, one placed in the frame of the other: the walk over pairs that are near, for sources compiled once a target together with what they do at leaves.
// Internal.
//
// How far apart two boxes are at least is found in both frames, as in pair_walk-inl.h, and along one axis: that between the nearest points found so far. Along
// it, one number for each thing of A says where it ends, and one for each of B where it begins. These are kept for the nodes looked at last; and for leaves they are those
// of the things themselves, not of the box around them. Of two smooth surfaces that face each other, many boxes on this side are near many on that, since each sticks out
// of the surface by as much as it is large; the things do not.
#include "carom/tree/pair_walk-inl.h"

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_TREE_NEAR_WALK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_TREE_NEAR_WALK_INL_H_
#undef CAROM_TREE_NEAR_WALK_INL_H_
#else
#define CAROM_TREE_NEAR_WALK_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// The square of a distance that box i of A and the boxes of B are at least apart.
template<class Real>
HWY_INLINE Lanes8<Real> distance_squared(const BoxRowsOf<Real>& a, int i,
                                         const BothFramesOf<Real>& b) {
  const Lanes8<Real> zero = all_lanes(Real{0});
  Lanes8<Real> sum_a = zero, sum_b = zero;
  for (int k = 0; k < 3; ++k) {
    const Lanes8<Real> in_a =
        max(gap_on_axis(a.row[k][i], a.row[3 + k][i], b.in_a.center[k], b.in_a.half[k]), zero);
    const Lanes8<Real> in_b =
        max(gap_on_axis(a.row[6 + k][i], a.row[9 + k][i], b.in_b.center[k], b.in_b.half[k]), zero);
    sum_a = sum_a + in_a * in_a;
    sum_b = sum_b + in_b * in_b;
  }
  return max(sum_a, sum_b);
}

/// A direction from A toward B, a unit vector, in both frames. Along the one from the nearest points found so far, other pairs are often farther apart than those are.
template<class Real>
struct PairAxisOf {
  Real in_a[3] = {}, in_b[3] = {};
  int version = 0; ///< another number for another axis
};
using PairAxis = PairAxisOf<float>;

/// How far eight things of A reach along the axis, and where eight of B begin.
template<class Real>
HWY_INLINE Lanes8<Real> ends_of_a(const PairAxisOf<Real>& axis, const BoxLanesOf<Real>& a) {
  Lanes8<Real> r = all_lanes(Real{0});
  for (int i = 0; i < 3; ++i)
    r = r + a.center[i] * all_lanes(axis.in_a[i]) + a.half[i] * all_lanes(std::fabs(axis.in_a[i]));
  return r;
}
template<class Real>
HWY_INLINE Lanes8<Real> begins_of_b(const PairFrameOf<Real>& f, const PairAxisOf<Real>& axis,
                                    const BoxLanesOf<Real>& b) {
  Lanes8<Real> r = all_lanes(f.origin[0] * axis.in_a[0] + f.origin[1] * axis.in_a[1] +
                             f.origin[2] * axis.in_a[2]);
  for (int i = 0; i < 3; ++i)
    r = r + b.center[i] * all_lanes(axis.in_b[i]) - b.half[i] * all_lanes(std::fabs(axis.in_b[i]));
  return r;
}
/// A coordinate of either is off by the slack, and so along the axis each by twice that.
template<class Real>
HWY_INLINE Lanes8<Real> gap_along(const PairFrameOf<Real>& f, Real end_of_a,
                                  const Lanes8<Real>& begins) {
  return max(begins - all_lanes(end_of_a + 4 * f.slack), all_lanes(Real{0}));
}

/// Numbers along the axis for the lanes of a node.
template<class Real>
struct AxisEntry {
  alignas(64) Real at[8];
  Real greatest; ///< of the lanes in use
  std::uint32_t number;
  bool exact;

  HWY_INLINE void find_greatest(const Opened& o) {
    for (int i = o.node->count; i < 8; ++i) at[i] = at[0];
    greatest = greatest_lane(load_lanes(at));
  }
};

/// Numbers along the axis for the lanes of the nodes of one tree, where they were computed not long ago.
template<class Real>
class AxisMemoryOf {
public:
  /// As rough() has them, from boxes; where `exact`, exactly(leaf, rough) for lanes that are leaves, fetch(leaf) being called for all of them before. What is exact must rule out all that the rough number
  /// does: then it makes no difference what is remembered.
  template<class Rough, class Fetch, class Exact>
  HWY_INLINE const AxisEntry<Real>& of(const Opened& o, bool exact, Rough&& rough, Fetch&& fetch,
                                       Exact&& exactly) {
    const std::uint32_t number = o.first / 8;
    AxisEntry<Real>& entry = entries_[number % size];
    if (entry.number != number) {
      entry.number = number;
      entry.exact = false;
      store_lanes(rough(), entry.at);
      entry.find_greatest(o);
    }
    if (exact && !entry.exact) {
      entry.exact = true;
      for (int i = 0; i < o.node->count; ++i)
        if (o.node->child[i].is_leaf()) fetch(o.node->child[i].number());
      for (int i = 0; i < o.node->count; ++i)
        if (o.node->child[i].is_leaf())
          entry.at[i] = exactly(o.node->child[i].number(), entry.at[i]);
      entry.find_greatest(o);
    }
    return entry;
  }
  void forget() {
    for (AxisEntry<Real>& entry : entries_) entry.number = none;
  }

private:
  static constexpr std::size_t size = 64;
  static constexpr std::uint32_t none = 0xffffffffU;
  AxisEntry<Real> entries_[size];
};

/// The walk. Leaves is the caller's, and has
///   const PairAxisOf<Real>& axis();                  the axis now
///   void fetch_a(leaf), fetch_b(leaf);        called shortly before the next two
///   Real end_of_a(leaf), begin_of_b(leaf);   of the things of a leaf along it
///   void visit(leaf of A, leaf of B, limit);  called for the pairs that may be nearer than the limit, near ones first, more or less
/// The limit is the square of a distance in common units; `visit` may lower it, to negative to end the walk, and change the axis.
template<class Leaves, class Real = float>
class NearWalk {
public:
  HWY_INLINE NearWalk(const WideTree& a, const WideTree& b, const PairFrameOf<Real>& f,
                      Leaves& leaves)
      : tree_a_(a), tree_b_(b), f_(f), leaves_(leaves) {}

  HWY_INLINE void walk(Real limit) {
    if (tree_a_.empty() || tree_b_.empty()) return;
    renew_axis();
    open(root(tree_a_), root(tree_b_), limit);
    go_on(limit, Endless());
  }

  /// The same, from where it has come to.
  void walk(Real limit, NearPairProgress& progress, WalkBudget budget) {
    renew_axis();
    if (!progress.begun) {
      if (!budget.take()) return;
      progress.begun = true;
      if (tree_a_.empty() || tree_b_.empty()) return;
      open(root(tree_a_), root(tree_b_), limit);
    }
    for (int i = 0; i < progress.count; ++i) {
      const WaitingNearPair& from = progress.waiting[i];
      waiting_[count_++] = {static_cast<Real>(from.apart), from.a, from.b};
    }
    go_on(limit, budget);
    progress.count = 0;
    for (int i = 0; i < count_; ++i)
      progress.push({static_cast<double>(waiting_[i].apart), waiting_[i].a, waiting_[i].b});
  }

private:
  struct Waiting {
    Real apart;
    Place a, b;

    /// The nearest last; then by place, so that the order is one.
    bool operator<(const Waiting& o) const {
      return apart != o.apart ? apart > o.apart : a != o.a ? a > o.a : b > o.b;
    }
  };

  template<class Budget>
  HWY_INLINE void go_on(Real limit, Budget budget) {
    while (count_ != 0 && budget.take()) {
      const Waiting next = waiting_[--count_];
      if (!(next.apart < limit)) continue;
      const ChildRef a = child_at(tree_a_, next.a), b = child_at(tree_b_, next.b);
      if (a.is_leaf() && b.is_leaf()) {
        leaves_.visit(a.number(), b.number(), limit);
        if (leaves_.axis().version != version_) renew_axis();
      } else {
        open(opened(tree_a_, next.a), opened(tree_b_, next.b), limit);
      }
    }
  }

  void renew_axis() {
    version_ = leaves_.axis().version;
    ends_.forget();
    begins_.forget();
  }

  HWY_INLINE const AxisEntry<Real>& ends(const Opened& a, bool exact) {
    return ends_.of(
        a, exact,
        [&]() HWY_ATTR { return ends_of_a(leaves_.axis(), box_lanes<Real>(*a.node, f_.scale_a)); },
        [&](std::uint32_t leaf) { leaves_.fetch_a(leaf); },
        [&](std::uint32_t leaf, Real rough)
            HWY_ATTR { return std::min(rough, leaves_.end_of_a(leaf)); });
  }
  HWY_INLINE Lanes8<Real> begins(const Opened& b, bool exact) {
    return load_lanes(begins_
                          .of(
                              b, exact,
                              [&]() HWY_ATTR {
                                return begins_of_b(f_, leaves_.axis(),
                                                   box_lanes<Real>(*b.node, f_.scale_b));
                              },
                              [&](std::uint32_t leaf) { leaves_.fetch_b(leaf); },
                              [&](std::uint32_t leaf, Real rough)
                                  HWY_ATTR { return std::max(rough, leaves_.begin_of_b(leaf)); })
                          .at);
  }

  /// The things of A that are near some of B's along the axis. Most often there are none.
  HWY_INLINE unsigned near_rows(const Opened& a, const AxisEntry<Real>& ends, const Opened& b,
                                const Lanes8<Real>& begins, Real limit) const {
    const Lanes8<Real> first = gap_along(f_, ends.greatest, begins);
    if ((bits(first * first < all_lanes(limit)) & b.lanes) == 0) return 0;
    unsigned result = 0;
    for (unsigned rows = a.lanes; rows != 0; rows &= rows - 1) {
      const Lanes8<Real> along = gap_along(f_, ends.at[std::countr_zero(rows)], begins);
      if ((bits(along * along < all_lanes(limit)) & b.lanes) != 0) result |= rows & (0U - rows);
    }
    return result;
  }

  void open(const Opened& a, const Opened& b, Real limit) {
    const AxisEntry<Real>* end = &ends(a, false);
    Lanes8<Real> begin = begins(b, false);
    unsigned rows = near_rows(a, *end, b, begin, limit);
    if (rows == 0) return;
    end = &ends(a, true);
    begin = begins(b, true);
    rows = near_rows(a, *end, b, begin, limit);
    if (rows == 0) return;
    const OpenedPairOf<Real> pair(f_, a, b);
    const BoxRowsOf<Real> rows_a = pair.rows(f_);
    const BothFramesOf<Real> lanes_b = pair.lanes(f_);
    const int first = count_;
    for (; rows != 0; rows &= rows - 1) {
      const int i = std::countr_zero(rows);
      const Lanes8<Real> along = gap_along(f_, end->at[i], begin);
      const Lanes8<Real> apart = max(distance_squared(rows_a, i, lanes_b), along * along);
      unsigned near = bits(apart < all_lanes(limit)) & b.lanes;
      if (near == 0) continue;
      alignas(64) Real at[8];
      store_lanes(apart, at);
      for (; near != 0; near &= near - 1) {
        const int j = std::countr_zero(near);
        waiting_[count_++] = {at[j], a.first + static_cast<Place>(i),
                              b.first + static_cast<Place>(j)};
      }
    }
    std::sort(waiting_ + first, waiting_ + count_);
  }

  AxisMemoryOf<Real> ends_, begins_;
  const WideTree &tree_a_, &tree_b_;
  const PairFrameOf<Real>& f_;
  Leaves& leaves_;
  int version_ = 0;
  int count_ = 0;
  Waiting waiting_[most_waiting_pairs];
};

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
