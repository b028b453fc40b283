// k-DOPs against each other: the quick bounding test, and the exact one.
#pragma once

#include "carom/geometry/kdop.h"
#include "carom/geometry/overlap_convex.h"

namespace [[gnu::visibility("default")]] carom {

/// Whether the slabs overlap, direction by direction: what a tree of k-DOPs asks. False proves that the k-DOPs are disjoint. True
/// proves nothing: two k-DOPs may pass each other edge by edge although their slabs overlap in all K/2 directions (only for K = 6, where
/// they are boxes, is it the same as `overlap`). Exact comparisons; touching counts.
template<int K>
[[nodiscard]] constexpr bool slabs_overlap(const Kdop<K>& a, const Kdop<K>& b) {
  for (std::size_t k = 0; k < Kdop<K>::slabs; ++k) {
    if (!(a.min[k] <= b.max[k] && b.min[k] <= a.max[k])) return false;
  }
  return true;
}

/// Exact: the slabs first, where one of them shows the separation, then the corners.
template<int K>
[[nodiscard]] Overlap overlap(const Kdop<K>& a, const Kdop<K>& b) {
  for (std::size_t k = 0; k < Kdop<K>::slabs; ++k) {
    const Vec3 d = normalized(Kdop<K>::directions()[k]);
    if (!(a.min[k] <= b.max[k])) return Overlap::separated(-d);
    if (!(b.min[k] <= a.max[k])) return Overlap::separated(d);
  }
  const auto core_a = core_of(a);
  const auto core_b = core_of(b);
  if (is_empty(core_a) || is_empty(core_b)) return Overlap::separated({1, 0, 0});
  return overlap_rounded(ConvexView(core_a), 0, ConvexView(core_b), 0);
}

} // namespace carom
