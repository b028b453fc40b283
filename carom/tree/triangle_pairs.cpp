// Leaves of both trees, eight triangles each: boxes around them in both frames rule most of the 64 pairs out, in float lanes; the rest is decided in doubles.
//
// Compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "carom/tree/triangle_pairs.cpp"
#include <hwy/foreach_target.h>

#include "carom/geometry/triangle_triangle.h"
#include "carom/tree/triangle_lanes-inl.h"
#include "carom/tree/triangle_pairs.h"

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// Calls found(pair) for the pairs that meet. It returns false to end the search.
template<class Found>
HWY_INLINE void walk_meetings(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                              Found&& found) {
  const PairFrame f(a.tree.frame(), b.tree.frame(), b_in_a);
  walk_overlaps(a.tree.tree(), b.tree.tree(), f, [&](std::uint32_t leaf_a, std::uint32_t leaf_b)
                                                     HWY_ATTR {
    const TriangleBlock& block_a = a.tree.blocks()[leaf_a];
    const TriangleBlock& block_b = b.tree.blocks()[leaf_b];
    const TriangleLanes own_a = triangle_lanes(block_a, f.scale_a, f.slack);
    const TriangleLanes own_b = triangle_lanes(block_b, f.scale_b, f.slack);
    const BoxRows rows({boxes_around(own_a), boxes_around(turned_to_b(f, own_a))}, f.slack);
    const BothFrames boxes_b{boxes_around(turned_to_a(f, own_b)), boxes_around(own_b)};
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
            placed_b[j][c] = b_in_a.to_world(
                b.surface.vertices[block_b.corners[j][static_cast<std::size_t>(c)]]);
        }
        if (!overlaps(triangle_a, placed_b[j])) continue;
        if (!found(TrianglePair{a.tree.tree().leaf(leaf_a)[static_cast<std::size_t>(i)],
                                b.tree.tree().leaf(leaf_b)[static_cast<std::size_t>(j)]}))
          return false;
      }
    }
    return true;
  });
}

TrianglePair any(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a) {
  TrianglePair result;
  walk_meetings(a, b, b_in_a, [&](const TrianglePair& pair) {
    result = pair;
    return false;
  });
  return result;
}

void all(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
         const std::function<bool(const TrianglePair&)>& found) {
  walk_meetings(a, b, b_in_a, found);
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {

HWY_EXPORT(any);
HWY_EXPORT(all);

} // namespace

TrianglePair any_meeting(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a) {
  return HWY_DYNAMIC_DISPATCH(any)(a, b, b_in_a);
}

void all_meetings(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                  const std::function<bool(const TrianglePair&)>& found) {
  HWY_DYNAMIC_DISPATCH(all)(a, b, b_in_a, found);
}

} // namespace carom
#endif
