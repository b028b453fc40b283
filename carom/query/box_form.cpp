// To and fro between two boxes, as flat_forms.cpp does it, but three coordinates at once: a step is half a dozen instructions. Here a step ends with the proof instead of a step back that leads
// to the same point: it takes no longer.
//
// A is seen along its own axes. Its point is the nearest to B's, by clamping: so exactly nothing of A reaches farther along the line between them, and what B's point
// leaves open is all that there is to prove.
//
// What that does not prove, flat_forms.cpp tries: boxes that are close together, where the line between the points is not known well enough, and boxes that lie
// aslant in their shape.
//
// Compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "carom/query/box_form.cpp"
#include <hwy/foreach_target.h>

#include "carom/math/choose_lanes-inl.h"
#include "carom/query/box_axes-inl.h"
#include "carom/query/box_form.h"
#include "carom/query/flat_forms.h"

#include <atomic>
#include <bit>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

/// Three are many.
constexpr int max_rounds = 6;
/// A step to the border of a face goes on by this part of itself: the next begins at the border, not before it.
constexpr double over_the_border = 1e-9;

HWY_INLINE Double4 clamped(const Double4& v, const Double4& half) {
  return min4(max4(v, all4(0) - half), half);
}
/// Which coordinates of a point are strictly inside.
HWY_INLINE unsigned free_along(const Double4& v, const Double4& half) {
  return bits4(abs4(v) < half);
}

class BoxWalk {
public:
  HWY_INLINE explicit BoxWalk(const BoxPair& pair)
      : a_(pair.of[0]), b_(pair.of[1]), half_a_(load4(a_.half)), half_b_(load4(b_.half)) {}

  HWY_INLINE BoxWalked run(const FormPair& pair, FormAnswer& answer) {
    Double4 q = nearest_of_b(clamped(load4(a_.t), half_a_));
    for (int round = 0; round < max_rounds; ++round) {
      const Double4 q_in_a = to_a(q);
      const Double4 p = clamped(q_in_a, half_a_);
      const Double4 d = q_in_a - p;
      const Double4 d_in_b = to_axes(a_.r, d);
      const double l2 = sum_of_three(d * d);
      // Times the length of d.
      const double slack = sum_of_three(abs4(d_in_b) * half_b_ + d_in_b * q);
      const double l = std::sqrt(l2);
      const double per_l = 1 / l;
      const double lower = l - slack * per_l - pair.rounding;
      if (lower > 0 && l - lower <= pair.agreement) {
        write(p, d * all4(per_l), l, lower, answer);
        return BoxWalked::proved;
      }
      if (!(l2 > pair.rounding * pair.rounding)) return BoxWalked::met;
      const Double4 back = nearest_of_b(p);
      if (bits4(back <= q) == 15 && bits4(q <= back) == 15) return BoxWalked::lost;
      q = next(p, back, d_in_b);
    }
    return BoxWalked::lost;
  }

private:
  /// The products with the rows of a matrix: from the one box's axes to the other's.
  HWY_INLINE static Double4 to_axes(const double (&r)[3][4], const Double4& v) {
    return load4(r[0]) * shuffled4<0, 0, 0, 0>(v) +
           (load4(r[1]) * shuffled4<1, 1, 1, 1>(v) + load4(r[2]) * shuffled4<2, 2, 2, 2>(v));
  }
  HWY_INLINE Double4 to_a(const Double4& q) const { return load4(a_.t) + to_axes(b_.r, q); }
  HWY_INLINE Double4 nearest_of_b(const Double4& p) const {
    return clamped(load4(b_.t) + to_axes(a_.r, p), half_b_);
  }

  /// On from where each step is small: from p of A and the point of B that is nearest to it. `d_in_b` is the way that led to p, in B's axes.
  HWY_INLINE Double4 next(const Double4& p, const Double4& q, const Double4& d_in_b) const {
    const unsigned free_a = free_along(p, half_a_);
    const unsigned free_b = free_along(q, half_b_);
    if (std::has_single_bit(free_a) && std::has_single_bit(free_b))
      return across_edge(p, q, std::countr_zero(free_a), std::countr_zero(free_b));
    if (std::popcount(free_a) + std::popcount(free_b) <= 2) return q;
    // Over a face, not quite parallel: toward the corner that is nearest to it, as far as the face goes.
    if (std::popcount(free_a) > 1) {
      const Double4 way = select4(d_in_b < all4(0), half_b_, all4(0) - half_b_) - q;
      return clamped(q + way * share_over(to_a(q), to_axes(b_.r, way), half_a_), half_b_);
    }
    const Double4 way = select4(to_a(q) < p, all4(0) - half_a_, half_a_) - p;
    return nearest_of_b(p + way * share_over(q, to_axes(a_.r, way), half_b_));
  }

  /// How much of a way leads over a face, to just beyond its border; at most all of it.
  HWY_INLINE static Double4 share_over(const Double4& from, const Double4& way,
                                       const Double4& half) {
    const Double4 room = half - select4(way < all4(0), all4(0) - from, from);
    const Double4 length = abs4(way);
    // Of the coordinate that the face has no extent in, there is no room.
    const Mask4 leaves = (all4(0) < room) & (room < length);
    return least4(select4(leaves, room / length * all4(1 + over_the_border), all4(1)));
  }

  /// The point of B's edge j through q that is nearest to the line of A's edge i through p. Of parallel edges: some point of B, to go on from.
  HWY_INLINE Double4 across_edge(const Double4& p, const Double4& q, int i, int j) const {
    const Double4 edge = load4(b_.r[j]) * load4(beside[i]);
    const Double4 between = to_a(q) - p;
    const double along = -sum_of_three(between * edge) / sum_of_three(edge * edge);
    return clamped(q + load4(unit[j]) * all4(along), half_b_);
  }

  HWY_INLINE void write(const Double4& p, const Double4& n, double l, double lower,
                        FormAnswer& answer) const {
    double local[4];
    store4(p, local);
    double normal[4];
    store4(n, normal);
    const Double4 n_in_world = a_.to_world(normal);
    answer.distance = l;
    answer.lower = lower;
    answer.on_a = vec3(a_.to_world(local));
    answer.between = vec3(n_in_world * all4(l));
    answer.normal = vec3(n_in_world);
  }

  const BoxView &a_, &b_;
  Double4 half_a_, half_b_;
};

} // namespace

BoxWalked walk_boxes_here(const FormPair& pair, FormAnswer& answer) {
  const BoxPair boxes(*std::get_if<Obb>(&pair.a.core()), pair.pose_a,
                      *std::get_if<Obb>(&pair.b.core()), pair.pose_b,
                      pair.a.size() + pair.b.size());
  return BoxWalk(boxes).run(pair, answer);
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {

HWY_EXPORT(walk_boxes_here);

using WalkBoxes = decltype(walk_boxes);

WalkBoxes choose_and_call;
/// The one for this processor, as in box_contacts.cpp.
std::atomic<WalkBoxes*> chosen = &choose_and_call;

BoxWalked choose_and_call(const FormPair& pair, FormAnswer& answer) {
  choose_lanes();
  chosen = &HWY_DYNAMIC_DISPATCH(walk_boxes_here);
  return walk_boxes(pair, answer);
}

bool is_plain(const Shape& s) { return s.core_support().how() == CoreSupport::How::box; }

} // namespace

BoxWalked walk_boxes(const FormPair& pair, FormAnswer& answer) {
  return chosen.load(std::memory_order_relaxed)(pair, answer);
}

bool box_form(const FormPair& pair, FormAnswer& answer) {
  if (is_plain(pair.a) && is_plain(pair.b)) {
    const BoxWalked walked = walk_boxes(pair, answer);
    if (walked != BoxWalked::lost) return walked == BoxWalked::proved;
  }
  return flat_form<Obb, Obb>(pair, answer);
}

} // namespace carom
#endif // HWY_ONCE
