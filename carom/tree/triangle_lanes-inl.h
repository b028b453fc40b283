// The triangles of two leaves, in lanes: what rules most of the 64 pairs out. Internal, for sources compiled once a target.
#include "carom/tree/near_walk-inl.h"
#include "carom/tree/triangle_tree.h"

#include <hwy/cache_control.h>

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_TREE_TRIANGLE_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_TREE_TRIANGLE_LANES_INL_H_
#undef CAROM_TREE_TRIANGLE_LANES_INL_H_
#else
#define CAROM_TREE_TRIANGLE_LANES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// Brings a block from memory while something else is done.
HWY_INLINE void fetch(const TriangleBlock& block) {
  for (std::size_t line = 0; line < sizeof(block); line += 64)
    hwy::Prefetch(reinterpret_cast<const char*>(&block) + line);
}

/// Eight triangles in the common unit.
struct TriangleLanes {
  Float8x3 corner[3];
  /// More than a coordinate is off: by the grid, and by all rounding to come.
  float off;
};

HWY_INLINE TriangleLanes triangle_lanes(const TriangleBlock& block, float scale, float slack) {
  TriangleLanes r;
  float widest = 0;
  for (int i = 0; i < 3; ++i) {
    const float step = scale * block.grid(i).step();
    widest = std::max(widest, step);
    for (int c = 0; c < 3; ++c)
      r.corner[c][i] =
          floats_of(block.row[3 * c + i]) * all_floats(step) + all_floats(scale * block.origin[i]);
  }
  // Half a step on each axis: turned, that is at most sqrt(3) halves on one.
  r.off = 0.875F * widest + slack;
  return r;
}

HWY_INLINE TriangleLanes turned_to_a(const PairFrame& f, const TriangleLanes& t) {
  return {{turned_to_a(f, t.corner[0]), turned_to_a(f, t.corner[1]), turned_to_a(f, t.corner[2])},
          t.off};
}
HWY_INLINE TriangleLanes turned_to_b(const PairFrame& f, const TriangleLanes& t) {
  return {{turned_to_b(f, t.corner[0]), turned_to_b(f, t.corner[1]), turned_to_b(f, t.corner[2])},
          t.off};
}

/// Their corners along the axis: the farthest of A's, the nearest of B's, moved by what they are off.
HWY_INLINE Float8 ends_of_a(const PairAxis& axis, const TriangleLanes& a) {
  const Float8x3 n = all_floats(axis.in_a);
  return max(max(dot(a.corner[0], n), dot(a.corner[1], n)), dot(a.corner[2], n)) +
         all_floats(2 * a.off);
}
HWY_INLINE Float8 begins_of_b(const PairFrame& f, const PairAxis& axis, const TriangleLanes& b) {
  const Float8x3 n = all_floats(axis.in_b);
  const float from = f.origin[0] * axis.in_a[0] + f.origin[1] * axis.in_a[1] +
                     f.origin[2] * axis.in_a[2] - 2 * b.off;
  return min(min(dot(b.corner[0], n), dot(b.corner[1], n)), dot(b.corner[2], n)) + all_floats(from);
}

HWY_INLINE BoxLanes boxes_around(const TriangleLanes& t) {
  BoxLanes r;
  const Float8 half = all_floats(0.5F), more = all_floats(t.off);
  for (int i = 0; i < 3; ++i) {
    const Float8 low = min(min(t.corner[0][i], t.corner[1][i]), t.corner[2][i]);
    const Float8 high = max(max(t.corner[0][i], t.corner[1][i]), t.corner[2][i]);
    r.center[i] = (low + high) * half;
    r.half[i] = (high - low) * half + more;
  }
  return r;
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
