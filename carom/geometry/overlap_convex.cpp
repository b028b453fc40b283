#include "carom/geometry/overlap_convex.h"

namespace carom {

Overlap overlap_rounded(const ConvexView& a, double radius_a, const ConvexView& b,
                        double radius_b) {
  const double reach = radius_a + radius_b;
  const GjkResult r = gjk(a, b, reach);
  if (r.lower_bound > reach) return Overlap::separated(r.axis);
  const double share = reach > 0 ? radius_a / reach : 0.5;
  return Overlap::at(r.closest.on_a + (r.closest.on_b - r.closest.on_a) * share);
}

} // namespace carom
