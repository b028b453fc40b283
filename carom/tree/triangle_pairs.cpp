// Leaves of both trees, eight triangles each: boxes around them in both frames rule most of the 64 pairs out, in float lanes; the rest is decided in doubles.
//
// Compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "carom/tree/triangle_pairs.cpp"
#include <hwy/foreach_target.h>

#include "carom/geometry/triangle_triangle.h"
#include "carom/tree/triangle_lanes-inl.h"
#include "carom/tree/triangle_nearest.h"
#include "carom/tree/triangle_pairs.h"

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// Calls found(pair) for the pairs that meet. It returns false to end the search.
template<class Real, class Found>
HWY_INLINE void walk_meetings(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                              const PairFrameOf<Real>& f, Found&& found) {
  walk_overlaps(
      a.tree.tree(), b.tree.tree(), f, [&](std::uint32_t leaf_a, std::uint32_t leaf_b) HWY_ATTR {
        const TriangleBlock& block_a = a.tree.blocks()[leaf_a];
        const TriangleBlock& block_b = b.tree.blocks()[leaf_b];
        const TriangleLanesOf<Real> own_a = leaf_lanes(a, leaf_a, f.scale_a, f.slack);
        const TriangleLanesOf<Real> own_b = leaf_lanes(b, leaf_b, f.scale_b, f.slack);
        const BoxRowsOf<Real> rows({boxes_around(own_a), boxes_around(turned_to_b(f, own_a))},
                                   f.slack);
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

template<class Found>
HWY_INLINE void walk_meetings(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                              Found&& found) {
  const PairFrame f(a.tree.frame(), b.tree.frame(), b_in_a);
  if (floats_do_for_overlap(f))
    walk_meetings(a, b, b_in_a, f, found);
  else
    walk_meetings(a, b, b_in_a, PairFrameOf<double>(a.tree.frame(), b.tree.frame(), b_in_a), found);
}

/// The search for the nearest pair.
template<class Real>
class Nearest {
public:
  Nearest(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
          const NearestOptions& options, const PairFrameOf<Real>& f)
      : a_(a), b_(b), b_in_a_(b_in_a), options_(options), f_(f) {
    best_.closest.distance = options.below;
  }

  NearestTriangles find() {
    const TrianglePair& guess = options_.guess;
    if (guess.a < a_.surface.size() && guess.b < b_.surface.size())
      take(guess, a_.surface[guess.a], placed(b_.surface.triangles[guess.b]));
    NearWalk(a_.tree.tree(), b_.tree.tree(), f_, *this).walk(limit());
    return best_;
  }

  // What NearWalk asks for.

  [[nodiscard]] const PairAxisOf<Real>& axis() const { return axis_; }
  void fetch_a(std::uint32_t leaf) const { fetch(a_.tree.blocks()[leaf]); }
  void fetch_b(std::uint32_t leaf) const { fetch(b_.tree.blocks()[leaf]); }
  [[nodiscard]] HWY_INLINE Real end_of_a(std::uint32_t leaf) const {
    return greatest_lane(ends_of_a(axis_, leaf_lanes(a_, leaf, f_.scale_a, f_.slack)));
  }
  [[nodiscard]] HWY_INLINE Real begin_of_b(std::uint32_t leaf) const {
    return least_lane(begins_of_b(f_, axis_, leaf_lanes(b_, leaf, f_.scale_b, f_.slack)));
  }
  HWY_INLINE void visit(std::uint32_t leaf_a, std::uint32_t leaf_b, Real& limit_squared) {
    const TriangleBlock& block_a = a_.tree.blocks()[leaf_a];
    const TriangleBlock& block_b = b_.tree.blocks()[leaf_b];
    const TriangleLanesOf<Real> own_a = leaf_lanes(a_, leaf_a, f_.scale_a, f_.slack);
    const TriangleLanesOf<Real> own_b = leaf_lanes(b_, leaf_b, f_.scale_b, f_.slack);
    alignas(64) Real ends[8];
    store_lanes(ends_of_a(axis_, own_a), ends);
    const Lanes8<Real> begins = begins_of_b(f_, axis_, own_b);
    const BoxRowsOf<Real> rows({boxes_around(own_a), boxes_around(turned_to_b(f_, own_a))},
                               f_.slack);
    const BothFramesOf<Real> boxes_b{boxes_around(turned_to_a(f_, own_b)), boxes_around(own_b)};
    // How near each pair may be. The nearest is computed; the axis that it gives then tells others apart.
    alignas(64) Real apart[8][8];
    for (int i = 0; i < block_a.count; ++i) {
      const Lanes8<Real> along = gap_along(f_, ends[i], begins);
      Lanes8<Real> squared = along * along;
      if (bits(squared < all_lanes(limit_squared)) != 0)
        squared = max(distance_squared(rows, i, boxes_b), squared);
      store_lanes(squared, apart[i]);
      for (int j = block_b.count; j < 8; ++j) apart[i][j] = INFINITY;
    }
    while (true) {
      const auto [i, j] = nearest_lanes(apart, block_a.count);
      if (!(apart[i][j] < limit_squared)) return;
      const auto& [p, q, r] = block_a.corners[i];
      const std::span<const Vec3> vertices = a_.surface.vertices;
      const PairAxisOf<Real> axis =
          take({a_.tree.tree().leaf(leaf_a)[static_cast<std::size_t>(i)],
                b_.tree.tree().leaf(leaf_b)[static_cast<std::size_t>(j)]},
               {vertices[p], vertices[q], vertices[r]}, placed(block_b.corners[j]));
      limit_squared = std::min(limit_squared, limit());
      store_lanes(ends_of_a(axis, own_a), ends);
      const Lanes8<Real> begins_now = begins_of_b(f_, axis, own_b);
      for (int k = 0; k < block_a.count; ++k) {
        const Lanes8<Real> along = gap_along(f_, ends[k], begins_now);
        store_lanes(max(load_lanes(apart[k]), along * along), apart[k]);
      }
      apart[i][j] = INFINITY;
    }
  }

private:
  /// The square of how near a pair must be to matter, in common units, rounded up; negative where nothing can be nearer.
  [[nodiscard]] Real limit() const {
    const double d = best_.closest.distance;
    if (!(d > 0)) return -1;
    const double asked =
        std::min(d - options_.absolute_error, d / (1 + options_.relative_error)) / f_.unit;
    if (asked < 0) return -1;
    // Nearer than the tolerance, it is still exact whether they meet.
    if (asked <= f_.tolerance && f_.blurred) return -1;
    constexpr bool in_floats = std::is_same_v<Real, float>;
    constexpr double most = in_floats ? 0x1p60 : 0x1p200, least = in_floats ? 0x1p-60 : 0x1p-300;
    const double wanted = std::max(std::min(asked, most) - f_.tolerance, least);
    const Real rounded =
        static_cast<Real>(wanted) * static_cast<Real>(in_floats ? 1 + 0x1p-20 : 1 + 0x1p-49);
    return rounded * rounded;
  }

  [[nodiscard]] Triangle placed(const std::array<std::uint32_t, 3>& corners) const {
    const std::span<const Vec3> at = b_.surface.vertices;
    return {b_in_a_.to_world(at[corners[0]]), b_in_a_.to_world(at[corners[1]]),
            b_in_a_.to_world(at[corners[2]])};
  }

  /// The way between the nearest points of a pair.
  [[nodiscard]] PairAxisOf<Real> axis_of(const ClosestTriangles& closest) const {
    const Vec3 in_a = normalized_or(closest.on_b - closest.on_a, {});
    const Vec3 in_b = b_in_a_.direction_to_local(in_a);
    PairAxisOf<Real> axis;
    for (int i = 0; i < 3; ++i) {
      axis.in_a[i] = static_cast<Real>(in_a[i]);
      axis.in_b[i] = static_cast<Real>(in_b[i]);
    }
    return axis;
  }

  /// Returns the axis of the pair's own nearest points.
  PairAxisOf<Real> take(const TrianglePair& pair, const Triangle& a, const Triangle& b) {
    const ClosestTriangles closest = closest_points(a, b);
    const PairAxisOf<Real> axis = axis_of(closest);
    if (closest.distance < best_.closest.distance) {
      best_ = {pair, closest};
      const int version = axis_.version + 1;
      axis_ = axis;
      axis_.version = version;
    }
    return axis;
  }

  struct LanePair {
    int a, b;
  };
  /// Where the least of the first rows is: of equals, the first.
  static HWY_INLINE LanePair nearest_lanes(const Real (&apart)[8][8], int rows) {
    Lanes8<Real> least = load_lanes(apart[0]);
    for (int i = 1; i < rows; ++i) least = min(least, load_lanes(apart[i]));
    const int b = std::countr_zero(bits(least <= all_lanes(least_lane(least))));
    int a = 0;
    for (int i = 1; i < rows; ++i)
      if (apart[i][b] < apart[a][b]) a = i;
    return {a, b};
  }

  const TriangleSet &a_, &b_;
  const Frame& b_in_a_;
  const NearestOptions& options_;
  const PairFrameOf<Real>& f_;
  PairAxisOf<Real> axis_;
  NearestTriangles best_;
};

NearestTriangles nearest(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                         const NearestOptions& options) {
  const PairFrame f(a.tree.frame(), b.tree.frame(), b_in_a);
  if (floats_do_for_distance(f)) return Nearest<float>(a, b, b_in_a, options, f).find();
  const PairFrameOf<double> in_doubles(a.tree.frame(), b.tree.frame(), b_in_a);
  return Nearest<double>(a, b, b_in_a, options, in_doubles).find();
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

/// More than the rounding of going from one frame into the other.
constexpr double slightly_more = 1 + 1e-6;

/// A pair that is nearest as far as one can see from it: from a corner of B to the nearest point of A, from there to the nearest of B, and so on. Mostly the nearest of all, and found in a
/// fraction of the time that the search would take to come as near.
TrianglePair seen_from_each_other(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                                  double below) {
  constexpr int most_rounds = 3;
  TrianglePair pair;
  if (a.surface.size() == 0 || b.surface.size() == 0) return pair;
  const auto& [first, second, third] = b.surface.triangles[0];
  Vec3 on_b = b.surface.vertices[first];
  for (int i = 0; i < most_rounds; ++i) {
    const NearTriangle near_a =
        nearest_triangle(a.tree, a.surface, b_in_a.to_world(on_b), i == 0 ? INFINITY : below);
    if (!near_a || near_a.triangle == pair.a) break;
    const Vec3 seen = b_in_a.to_local(near_a.on.point);
    const NearTriangle near_b = nearest_triangle(b.tree, b.surface, seen, near_a.on.distance * slightly_more);
    if (!near_b) break;
    pair = {near_a.triangle, near_b.triangle};
    on_b = near_b.on.point;
    below = near_b.on.distance * slightly_more;
  }
  return pair;
}

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
  NearestOptions guessed = options;
  if (!guessed.guess) guessed.guess = seen_from_each_other(a, b, b_in_a, options.below);
  return HWY_DYNAMIC_DISPATCH(nearest)(a, b, b_in_a, guessed);
}

} // namespace carom
#endif
