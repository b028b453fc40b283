// Balls, capsules and lozenges are what lies within a radius of a core: the nearest points of the cores, each moved toward the other by its
// radius. Boxes along the axes: each coordinate by itself. Oriented boxes and k-DOPs: nearest points of convex sets (gjk.h).
#include "carom/geometry/closest_volumes.h"

#include "carom/geometry/closest_flat.h"
#include "carom/geometry/closest_line.h"
#include "carom/geometry/gjk.h"
#include "carom/geometry/kdop_vertices.h"
#include "carom/geometry/support.h"

#include <algorithm>

namespace carom {
namespace {

ClosestPair none() { return {{}, {}, INFINITY}; }

/// The nearest points of the cores moved out by the radii.
ClosestPair rounded(const ClosestPair& core, double radius_a, double radius_b) {
  if (!(radius_a >= 0 && radius_b >= 0)) return none();
  const double gap = core.distance - radius_a - radius_b;
  const Vec3 toward = normalized_or(core.on_b - core.on_a, {});
  if (gap > 0) return {core.on_a + toward * radius_a, core.on_b - toward * radius_b, gap};
  // In both: at most radius_a from the one core, and at most radius_b from the other.
  const Vec3 common = core.on_a + toward * std::min(radius_a, core.distance);
  return {common, common, 0};
}

template<class Set>
ClosestPair by_support(const Set& a, const Set& b) {
  return gjk(ConvexView(a), ConvexView(b)).closest;
}

} // namespace

ClosestPair closest_points(const Sphere& a, const Sphere& b) {
  return rounded({a.center, b.center, distance(a.center, b.center)}, a.radius, b.radius);
}

ClosestPair closest_points(const Capsule& a, const Capsule& b) {
  return rounded(closest_points(a.core(), b.core()), a.radius, b.radius);
}

ClosestPair closest_points(const Lozenge& a, const Lozenge& b) {
  return rounded(closest_points(a.core, b.core), a.radius, b.radius);
}

ClosestPair closest_points(const Aabb& a, const Aabb& b) {
  if (a.empty() || b.empty()) return none();
  ClosestPair result;
  for (int i = 0; i < 3; ++i) {
    // Facing ends, or the start of what they have in common.
    const double common = std::max(a.min[i], b.min[i]);
    result.on_a[i] = std::min(common, a.max[i]);
    result.on_b[i] = std::min(common, b.max[i]);
  }
  result.distance = distance(result.on_a, result.on_b);
  return result;
}

ClosestPair closest_points(const Obb& a, const Obb& b) {
  return a.half.x >= 0 && b.half.x >= 0 ? by_support(a, b) : none();
}

template<int K>
ClosestPair closest_points(const Kdop<K>& a, const Kdop<K>& b) {
  const KdopVertices<K> corners_a = kdop_vertices(a);
  const KdopVertices<K> corners_b = kdop_vertices(b);
  if (corners_a.count == 0 || corners_b.count == 0) return none();
  return by_support(corners_a, corners_b);
}

template ClosestPair closest_points(const Kdop<6>&, const Kdop<6>&);
template ClosestPair closest_points(const Kdop<14>&, const Kdop<14>&);
template ClosestPair closest_points(const Kdop<18>&, const Kdop<18>&);
template ClosestPair closest_points(const Kdop<26>&, const Kdop<26>&);

} // namespace carom
