// At a leaf the eight triangles have their lower bounds (nearest_walk-inl.h); the one with the least is asked first, in doubles, then those that may still be nearer.
//
// Compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "carom/tree/triangle_nearest.cpp"
#include <hwy/foreach_target.h>

#include "carom/tree/nearest_walk-inl.h"
#include "carom/tree/triangle_nearest.h"

#include <algorithm>

#ifndef CAROM_TREE_TRIANGLE_NEAREST_ONCE_
#define CAROM_TREE_TRIANGLE_NEAREST_ONCE_
namespace carom {
namespace {

/// The nearest ones so far, in order.
class Nearest {
public:
  Nearest(std::span<NearTriangle> room, double max_distance) : room_(room), limit_(max_distance) {}

  [[nodiscard]] std::size_t count() const { return count_; }
  /// Only at most this far away are others of interest.
  [[nodiscard]] double limit() const { return limit_; }

  void add(std::uint32_t triangle, const ClosestOnTriangle& on) {
    const NearTriangle fresh{triangle, on};
    if (!(on.distance <= limit_)) return;
    if (count_ == room_.size() && !before(fresh, room_.back())) return;
    std::size_t place = count_ < room_.size() ? count_++ : count_ - 1;
    for (; place > 0 && before(fresh, room_[place - 1]); --place) room_[place] = room_[place - 1];
    room_[place] = fresh;
    if (count_ == room_.size()) limit_ = room_.back().on.distance;
  }

private:
  static bool before(const NearTriangle& a, const NearTriangle& b) {
    if (a.on.distance != b.on.distance) return a.on.distance < b.on.distance;
    return a.triangle < b.triangle;
  }

  std::span<NearTriangle> room_;
  std::size_t count_ = 0;
  double limit_;
};

} // namespace
} // namespace carom
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// The lane of the least key among those of the mask, which is not empty.
HWY_INLINE int least_lane(const float* keys, unsigned mask) {
  int least = std::countr_zero(mask);
  for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
    const int lane = std::countr_zero(mask);
    if (keys[lane] < keys[least]) least = lane;
  }
  return least;
}

template<class Bound>
HWY_INLINE void search(const TriangleTree& tree, const TriangleSurface& surface, const Vec3& p,
                       Bound bound, Nearest& nearest) {
  bound.set_limit(nearest.limit());
  const Prefetch fetch{tree};
  walk_nearest(tree.tree(), bound, fetch, [&](std::uint32_t leaf) HWY_ATTR {
    const TriangleBlock& block = tree.blocks()[leaf];
    const Float8 keys = bound.triangles(block);
    alignas(32) float at[8];
    store_floats(keys, at);
    const auto within = [&]()
                            HWY_ATTR { return bits(keys <= all_floats(bound.leaf_limit(block))); };
    unsigned left = within() & block.lanes();
    while (left != 0) {
      const int lane = least_lane(at, left);
      left &= ~(1U << lane);
      const auto& [a, b, c] = block.corners[lane];
      const std::span<const Vec3> v = surface.vertices;
      const ClosestOnTriangle on = closest_point(p, Triangle{v[a], v[b], v[c]});
      if (!(on.distance <= nearest.limit())) continue;
      nearest.add(tree.tree().leaf(leaf)[static_cast<std::size_t>(lane)], on);
      bound.set_limit(nearest.limit());
      left &= within();
    }
  });
}

void find_nearest(const TriangleTree& tree, const TriangleSurface& surface, const Vec3& p,
                  Nearest& nearest) {
  if (max_abs(tree.frame().to_tree(p)) < far_from_here)
    search(tree, surface, p, NearPoint(tree.frame(), p), nearest);
  else
    search(tree, surface, p, FarPoint(tree.frame(), p), nearest);
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {

HWY_EXPORT(find_nearest);

} // namespace

std::size_t nearest_triangles(const TriangleTree& tree, const TriangleSurface& surface,
                              const Vec3& p, std::span<NearTriangle> room, double max_distance) {
  const bool finite = std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
  if (room.empty() || !finite || !(max_distance >= 0)) return 0;
  Nearest nearest(room, max_distance);
  HWY_DYNAMIC_DISPATCH(find_nearest)(tree, surface, p, nearest);
  return nearest.count();
}

void nearest_triangle_each(const TriangleTree& tree, const TriangleSurface& surface,
                           std::span<const Vec3> points, std::span<NearTriangle> results,
                           GroupRoom& room, double max_distance) {
  const std::size_t count = std::min(points.size(), results.size());
  room.keys.clear();
  for (std::size_t i = 0; i < count; ++i)
    room.keys.push_back(std::uint64_t{curve_place(tree.frame().to_tree(points[i]))} << 32 | i);
  sort_by_upper_half(room.keys, room.other);
  // No farther than the one that was nearest to the point before: it is found again if it is nearest still.
  std::uint32_t before = WideTree::no_item;
  for (const std::uint64_t key : room.keys) {
    const auto i = static_cast<std::uint32_t>(key);
    double limit = max_distance;
    if (before != WideTree::no_item) {
      const double near = closest_point(points[i], surface[before]).distance;
      if (near < limit) limit = near;
    }
    results[i] = nearest_triangle(tree, surface, points[i], limit);
    if (results[i]) before = results[i].triangle;
  }
}

NearTriangle nearest_triangle(const TriangleTree& tree, const TriangleSurface& surface,
                              const Vec3& p, double max_distance) {
  NearTriangle result;
  nearest_triangles(tree, surface, p, {&result, 1}, max_distance);
  return result;
}

} // namespace carom
#endif
