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

/// The search for the nearest pair.
class Nearest {
public:
  Nearest(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
          const NearestOptions& options)
      : a_(a), b_(b), b_in_a_(b_in_a), options_(options),
        f_(a.tree.frame(), b.tree.frame(), b_in_a) {
    best_.closest.distance = options.below;
  }

  NearestTriangles find() {
    const TrianglePair& guess = options_.guess;
    if (guess.a < a_.surface.size() && guess.b < b_.surface.size())
      take(guess, a_.surface[guess.a], placed(b_.surface.triangles[guess.b]));
    walk_near(a_.tree.tree(), b_.tree.tree(), f_, limit(), axis_,
              [this](std::uint32_t leaf_a, std::uint32_t leaf_b, float& limit_squared)
                  HWY_ATTR { at_leaves(leaf_a, leaf_b, limit_squared); });
    return best_;
  }

private:
  /// The square of how near a pair must be to matter, in common units, rounded up; negative where nothing can be nearer.
  [[nodiscard]] float limit() const {
    const double d = best_.closest.distance;
    if (d == 0) return -1;
    const double wanted =
        std::min(d - options_.absolute_error, d / (1 + options_.relative_error)) / f_.unit;
    const auto rounded = static_cast<float>(std::min(wanted, 0x1p60)) * (1 + 0x1p-20F);
    return wanted < 0 ? -1 : rounded * rounded;
  }

  [[nodiscard]] Triangle placed(const std::array<std::uint32_t, 3>& corners) const {
    const std::span<const Vec3> at = b_.surface.vertices;
    return {b_in_a_.to_world(at[corners[0]]), b_in_a_.to_world(at[corners[1]]),
            b_in_a_.to_world(at[corners[2]])};
  }

  void take(const TrianglePair& pair, const Triangle& a, const Triangle& b) {
    const ClosestTriangles closest = closest_points(a, b);
    if (!(closest.distance < best_.closest.distance)) return;
    best_ = {pair, closest};
    const Vec3 in_a = normalized_or(closest.on_b - closest.on_a, {});
    const Vec3 in_b = b_in_a_.direction_to_local(in_a);
    for (int i = 0; i < 3; ++i) {
      axis_.in_a[i] = static_cast<float>(in_a[i]);
      axis_.in_b[i] = static_cast<float>(in_b[i]);
    }
  }

  HWY_INLINE void at_leaves(std::uint32_t leaf_a, std::uint32_t leaf_b, float& limit_squared) {
    const TriangleBlock& block_a = a_.tree.blocks()[leaf_a];
    const TriangleBlock& block_b = b_.tree.blocks()[leaf_b];
    const TriangleLanes own_a = triangle_lanes(block_a, f_.scale_a, f_.slack);
    const TriangleLanes own_b = triangle_lanes(block_b, f_.scale_b, f_.slack);
    const BoxRows rows({boxes_around(own_a), boxes_around(turned_to_b(f_, own_a))}, f_.slack);
    const TriangleLanes b_in_a = turned_to_a(f_, own_b);
    const BothFrames boxes_b{boxes_around(b_in_a), boxes_around(own_b)};
    const Float8 off = all_floats(2 * (own_a.off + own_b.off));
    alignas(32) float ends[8];
    store_floats(ends_of_a(axis_, own_a) + off, ends);
    const Float8 begins = begins_of_b(axis_, b_in_a);
    for (int i = 0; i < block_a.count; ++i) {
      const Float8 along = gap_along(f_, ends[i], begins);
      const Float8 apart = max(distance_squared(rows, i, boxes_b), along * along);
      unsigned near = bits(apart < all_floats(limit_squared)) & block_b.lanes();
      if (near == 0) continue;
      alignas(32) float at[8];
      store_floats(apart, at);
      for (; near != 0; near &= near - 1) {
        const int j = std::countr_zero(near);
        if (!(at[j] < limit_squared)) continue;
        const auto& [p, q, r] = block_a.corners[i];
        const std::span<const Vec3> vertices = a_.surface.vertices;
        take({a_.tree.tree().leaf(leaf_a)[static_cast<std::size_t>(i)],
              b_.tree.tree().leaf(leaf_b)[static_cast<std::size_t>(j)]},
             {vertices[p], vertices[q], vertices[r]}, placed(block_b.corners[j]));
        limit_squared = std::min(limit_squared, limit());
      }
    }
  }

  const TriangleSet &a_, &b_;
  const Frame& b_in_a_;
  const NearestOptions& options_;
  PairFrame f_;
  PairAxis axis_;
  NearestTriangles best_;
};

NearestTriangles nearest(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                         const NearestOptions& options) {
  return Nearest(a, b, b_in_a, options).find();
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
HWY_EXPORT(nearest);

} // namespace

TrianglePair any_meeting(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a) {
  return HWY_DYNAMIC_DISPATCH(any)(a, b, b_in_a);
}

void all_meetings(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                  const std::function<bool(const TrianglePair&)>& found) {
  HWY_DYNAMIC_DISPATCH(all)(a, b, b_in_a, found);
}

NearestTriangles nearest_pair(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                              const NearestOptions& options) {
  return HWY_DYNAMIC_DISPATCH(nearest)(a, b, b_in_a, options);
}

} // namespace carom
#endif
