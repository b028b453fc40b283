// The corners of a k-DOP, and with them its support mapping.
//
// A k-DOP is stored as slabs; algorithms that look at a set through its farthest points need its corners.
#pragma once

#include "carom/geometry/kdop.h"

#include <array>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// The corners, without a heap. Every edge lies on two of the planes that are not parallel, and has two ends: that is the capacity. A simple
/// k-DOP has 2 K - 4 corners at most; corners closer than rounding are one.
template<int K>
struct KdopVertices {
  static constexpr int capacity = K * (K - 2);
  std::array<Vec3, capacity> points;
  int count = 0; ///< 0 for the empty set

  [[nodiscard]] std::span<const Vec3> span() const {
    return {points.data(), static_cast<std::size_t>(count)};
  }
};

/// For slabs min <= direction . x <= max; returns how many corners were written. `points` has room for all. The directions are those of
/// Kdop: small integers, along no more than one direction each.
[[nodiscard]] int kdop_vertices(std::span<const Vec3> directions, std::span<const double> min,
                                std::span<const double> max, std::span<Vec3> points);

/// Each corner within a few epsilon of the greatest |min| or |max| of its place. None where a slab has min > max, or where the slabs
/// have no common point by more than 16 such epsilon: the slabs of a flat set, rounded one by one, may miss each other by a few. None,
/// too, where a slab is not finite.
template<int K>
[[nodiscard]] KdopVertices<K> kdop_vertices(const Kdop<K>& kdop) {
  KdopVertices<K> result;
  result.count = kdop_vertices(Kdop<K>::directions(), kdop.min, kdop.max, result.points);
  return result;
}

/// The corner farthest along d: the first of equals. The origin where there is none.
[[nodiscard]] Vec3 farthest_vertex(std::span<const Vec3> points, const Vec3& d);

template<int K>
[[nodiscard]] Vec3 support_point(const KdopVertices<K>& vertices, const Vec3& d) {
  return farthest_vertex(vertices.span(), d);
}

} // namespace carom
