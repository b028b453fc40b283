// Every bounded convex primitive as a core and a radius: the points within the radius of the core.
//
// A ball is its center and its radius, a capsule a segment and a radius, a lozenge a rectangle and a radius: their cores are flat,
// and a question about the rounded sets is one about the distance of the cores. A k-DOP is represented by its corners. Every other set is its own
// core, with radius 0.
#pragma once

#include "carom/geometry/kdop_vertices.h"
#include "carom/geometry/support.h"

namespace [[gnu::visibility("default")]] carom {

template<class Set>
[[nodiscard]] constexpr const Set& core_of(const Set& set) {
  return set;
}
[[nodiscard]] constexpr Vec3 core_of(const Sphere& sphere) { return sphere.center; }
[[nodiscard]] constexpr Segment core_of(const Capsule& capsule) { return capsule.core(); }
[[nodiscard]] constexpr Rectangle core_of(const Lozenge& lozenge) { return lozenge.core; }
template<int K>
[[nodiscard]] KdopVertices<K> core_of(const Kdop<K>& kdop) {
  return kdop_vertices(kdop);
}

template<class Set>
[[nodiscard]] constexpr double core_radius(const Set&) {
  return 0;
}
[[nodiscard]] constexpr double core_radius(const Sphere& sphere) { return sphere.radius; }
[[nodiscard]] constexpr double core_radius(const Capsule& capsule) { return capsule.radius; }
[[nodiscard]] constexpr double core_radius(const Lozenge& lozenge) { return lozenge.radius; }

/// Whether a core has no points.
template<class Core>
[[nodiscard]] constexpr bool is_empty(const Core&) {
  return false;
}
[[nodiscard]] constexpr bool is_empty(const Aabb& box) { return box.empty(); }
[[nodiscard]] constexpr bool is_empty(const Polygon& polygon) { return polygon.vertices.empty(); }
[[nodiscard]] constexpr bool is_empty(const ViewFrustum& frustum) {
  return !(frustum.near <= frustum.far);
}
template<int K>
[[nodiscard]] constexpr bool is_empty(const KdopVertices<K>& vertices) {
  return vertices.count == 0;
}

/// A bounded convex set: anything whose core has a support mapping.
template<class Set>
concept ConvexSet = requires(const Set& set, const Vec3& d) {
  support_point(core_of(set), d);
};

} // namespace carom
