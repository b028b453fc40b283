// The triangles of two leaves, in lanes: what rules most of the 64 pairs out. Internal, for sources compiled once a target.
#include "carom/geometry/triangle_triangle.h"
#include "carom/tree/near_walk-inl.h"
#include "carom/tree/triangle_pairs.h"

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
template<class Real>
struct TriangleLanesOf {
  Lanes8x3<Real> corner[3];
  /// More than a coordinate is off: by the grid, and by all rounding to come.
  Real off;
};

HWY_INLINE TriangleLanesOf<float> triangle_lanes(const TriangleBlock& block, float scale,
                                                 float slack) {
  TriangleLanesOf<float> r;
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

/// The same, in doubles, from the vertices themselves.
HWY_INLINE TriangleLanesOf<double> triangle_lanes(const TriangleBlock& block,
                                                  std::span<const Vec3> vertices,
                                                  const TreeFrame& frame, double scale,
                                                  double slack) {
  alignas(64) double row[9][8];
  for (std::size_t lane = 0; lane < 8; ++lane) {
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t last = block.count - std::size_t{1};
      const Vec3 p = frame.to_tree(vertices[block.corners[std::min(lane, last)][c]]);
      for (int i = 0; i < 3; ++i) row[3 * c + static_cast<std::size_t>(i)][lane] = p[i] * scale;
    }
  }
  TriangleLanesOf<double> r;
  for (std::size_t c = 0; c < 3; ++c)
    r.corner[c] = {load8(row[3 * c]), load8(row[3 * c + 1]), load8(row[3 * c + 2])};
  r.off = slack;
  return r;
}

/// Of the leaf of a set, in the numbers of the frame.
HWY_INLINE TriangleLanesOf<float> leaf_lanes(const TriangleSet& set, std::uint32_t leaf,
                                             float scale, float slack) {
  return triangle_lanes(set.tree.blocks()[leaf], scale, slack);
}
HWY_INLINE TriangleLanesOf<double> leaf_lanes(const TriangleSet& set, std::uint32_t leaf,
                                              double scale, double slack) {
  return triangle_lanes(set.tree.blocks()[leaf], set.surface.vertices, set.tree.frame(), scale,
                        slack);
}

template<class Real>
HWY_INLINE TriangleLanesOf<Real> turned_to_a(const PairFrameOf<Real>& f,
                                             const TriangleLanesOf<Real>& t) {
  return {{turned_to_a(f, t.corner[0]), turned_to_a(f, t.corner[1]), turned_to_a(f, t.corner[2])},
          t.off};
}
template<class Real>
HWY_INLINE TriangleLanesOf<Real> turned_to_b(const PairFrameOf<Real>& f,
                                             const TriangleLanesOf<Real>& t) {
  return {{turned_to_b(f, t.corner[0]), turned_to_b(f, t.corner[1]), turned_to_b(f, t.corner[2])},
          t.off};
}

/// Their corners along the axis: the farthest of A's, the nearest of B's, moved by what they are off.
template<class Real>
HWY_INLINE Lanes8<Real> ends_of_a(const PairAxisOf<Real>& axis, const TriangleLanesOf<Real>& a) {
  const Lanes8x3<Real> n = all_lanes(axis.in_a);
  return max(max(dot(a.corner[0], n), dot(a.corner[1], n)), dot(a.corner[2], n)) +
         all_lanes(2 * a.off);
}
template<class Real>
HWY_INLINE Lanes8<Real> begins_of_b(const PairFrameOf<Real>& f, const PairAxisOf<Real>& axis,
                                    const TriangleLanesOf<Real>& b) {
  const Lanes8x3<Real> n = all_lanes(axis.in_b);
  const Real from = f.origin[0] * axis.in_a[0] + f.origin[1] * axis.in_a[1] +
                    f.origin[2] * axis.in_a[2] - 2 * b.off;
  return min(min(dot(b.corner[0], n), dot(b.corner[1], n)), dot(b.corner[2], n)) + all_lanes(from);
}

template<class Real>
HWY_INLINE BoxLanesOf<Real> boxes_around(const TriangleLanesOf<Real>& t) {
  BoxLanesOf<Real> r;
  const Lanes8<Real> half = all_lanes(Real{0.5}), more = all_lanes(t.off);
  for (int i = 0; i < 3; ++i) {
    const Lanes8<Real> low = min(min(t.corner[0][i], t.corner[1][i]), t.corner[2][i]);
    const Lanes8<Real> high = max(max(t.corner[0][i], t.corner[1][i]), t.corner[2][i]);
    r.center[i] = (low + high) * half;
    r.half[i] = (high - low) * half + more;
  }
  return r;
}

/// Calls found(pair) for the triangles of two leaves that meet. It returns false to end the search, and so does this.
template<class Real, class Found>
HWY_INLINE bool meet_leaves(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                            const PairFrameOf<Real>& f, std::uint32_t leaf_a, std::uint32_t leaf_b,
                            Found&& found) {
  const TriangleBlock& block_a = a.tree.blocks()[leaf_a];
  const TriangleBlock& block_b = b.tree.blocks()[leaf_b];
  const TriangleLanesOf<Real> own_a = leaf_lanes(a, leaf_a, f.scale_a, f.slack);
  const TriangleLanesOf<Real> own_b = leaf_lanes(b, leaf_b, f.scale_b, f.slack);
  const BoxRowsOf<Real> rows({boxes_around(own_a), boxes_around(turned_to_b(f, own_a))}, f.slack);
  const BothFramesOf<Real> boxes_b{boxes_around(turned_to_a(f, own_b)), boxes_around(own_b)};
  Triangle placed_b[8]; // those that are looked at
  unsigned placed = 0;
  for (int i = 0; i < block_a.count; ++i) {
    unsigned near = overlapping(rows, i, boxes_b) & block_b.lanes();
    if (near == 0) continue;
    const auto& [p, q, r] = block_a.corners[i];
    const std::span<const Vec3> at = a.surface.vertices;
    const Triangle triangle_a{at[p], at[q], at[r]};
    for (; near != 0; near &= near - 1) {
      const int j = std::countr_zero(near);
      if ((placed >> j & 1U) == 0) {
        placed |= 1U << j;
        for (int c = 0; c < 3; ++c)
          placed_b[j][c] =
              b_in_a.to_world(b.surface.vertices[block_b.corners[j][static_cast<std::size_t>(c)]]);
      }
      if (!overlaps(triangle_a, placed_b[j])) continue;
      if (!found(TrianglePair{a.tree.tree().leaf(leaf_a)[static_cast<std::size_t>(i)],
                              b.tree.tree().leaf(leaf_b)[static_cast<std::size_t>(j)]}))
        return false;
    }
  }
  return true;
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
