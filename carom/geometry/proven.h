// Choosing among candidates for the nearest points by their proofs.
//
// A method that tries several features and keeps the nearest has a weak spot: near the nearest pair the distance is stationary, so a pair
// that is off by 1e-8 of the size has the same rounded distance as the right one. The *proved* distance is not stationary: how wide the
// slab between the points is, kept clear of the sets' corners. So: of all candidates whose distances are equal up to rounding, take
// the one with the widest clear slab.
#pragma once

#include "carom/math/tolerance.h"
#include "carom/math/vec3.h"

#include <cmath>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// How much wider than the best distance a candidate may be to count as equal to it, for coordinates up to `size`.
[[nodiscard]] constexpr double equal_distance(double best, double size) {
  return best + 8 * tolerance::epsilon * (best + size);
}

/// The width of the slab at right angles to on_b - on_a between the hulls of the corners of A and of B: a lower bound of their distance,
/// negative where they overlap in that direction; 0 where the points coincide.
[[nodiscard]] inline double clear_width(const Vec3& on_a, std::span<const Vec3> a, const Vec3& on_b,
                                        std::span<const Vec3> b) {
  const Vec3 across = on_b - on_a;
  const double distance = length(across);
  if (!(distance > 0)) return 0;
  double reach_a = 0, reach_b = 0; // past the points, into the slab
  for (const Vec3& v : a) {
    const double x = dot(v - on_a, across);
    reach_a = x > reach_a ? x : reach_a;
  }
  for (const Vec3& v : b) {
    const double x = dot(on_b - v, across);
    reach_b = x > reach_b ? x : reach_b;
  }
  return distance - (reach_a + reach_b) / distance;
}

} // namespace gnu::visibility("default")]]carom
