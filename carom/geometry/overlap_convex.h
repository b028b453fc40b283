// Whether any two bounded convex sets meet, with the proof: the test behind every pair that has none of its own.
//
// By the nearest points of the cores (gjk.h): they are at most the sum of the radii apart, or a direction shows that they are not. Empty
// sets meet nothing; the axis is then the x axis, which separates them as well as any other.
//
// How right. The Boolean may go either way only where the |signed distance| is at most 1e-14 of the greatest coordinate, for a cone or a
// cylinder 1e-12 of it. Common points lie in both sets to within the same.
#pragma once

#include "carom/geometry/answer.h"
#include "carom/geometry/convex_core.h"
#include "carom/geometry/gjk.h"

namespace [[gnu::visibility("default")]] carom {

/// The points within radius_a of A against those within radius_b of B. The common point divides the nearest points' connection in the
/// ratio of the radii.
[[nodiscard]] Overlap overlap_rounded(const ConvexView& a, double radius_a, const ConvexView& b,
                                      double radius_b);

template<ConvexSet A, ConvexSet B>
[[nodiscard]] Overlap overlap(const A& a, const B& b) {
  const auto& core_a = core_of(a);
  const auto& core_b = core_of(b);
  if (is_empty(core_a) || is_empty(core_b)) return Overlap::separated({1, 0, 0});
  return overlap_rounded(ConvexView(core_a), core_radius(a), ConvexView(core_b), core_radius(b));
}

} // namespace carom
