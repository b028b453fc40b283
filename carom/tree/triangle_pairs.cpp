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

using Found = std::function<bool(const TrianglePair&)>;

/// Calls walk(frame) with the numbers that do for asking which pairs overlap: floats, or doubles.
template<class Walk>
HWY_INLINE void in_overlap_frame(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                                 Walk&& walk) {
  const PairFrame f(a.tree.frame(), b.tree.frame(), b_in_a);
  if (floats_do_for_overlap(f)) {
    walk(f);
  } else {
    walk(PairFrameOf<double>(a.tree.frame(), b.tree.frame(), b_in_a));
  }
}

/// Calls found(pair) for the pairs that meet. It returns false to end the search. One function for all that ask, whatever they do with the pairs: it takes long to compile.
void walk_meetings(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                   PairStack& stack, WalkBudget budget, const Found& found) {
  in_overlap_frame(a, b, b_in_a, [&](const auto& f) HWY_ATTR {
    walk_overlaps(a.tree.tree(), b.tree.tree(), f, stack, budget,
                  [&](std::uint32_t leaf_a, std::uint32_t leaf_b)
                      HWY_ATTR { return meet_leaves(a, b, b_in_a, f, leaf_a, leaf_b, found); });
  });
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
    take_guess();
    NearWalk(a_.tree.tree(), b_.tree.tree(), f_, *this).walk(limit());
    return best_;
  }

  /// Goes on from what has been found so far.
  void go_on(NearestProgress& progress, WalkBudget budget) {
    if (progress.begun) best_ = progress.best;
    if (best_) axis_ = axis_of(best_.closest);
    if (!progress.begun) take_guess();
    NearWalk(a_.tree.tree(), b_.tree.tree(), f_, *this).walk(limit(), progress, budget);
    progress.best = best_;
    progress.at_least = std::max(progress.at_least, at_least(progress));
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
  static constexpr bool in_floats = std::is_same_v<Real, float>;
  /// More than what squares of distances gain by rounding: by how much a pair is looked at still that seems just too far.
  static constexpr double upward = in_floats ? 1 + 0x1p-20 : 1 + 0x1p-49;
  /// Squares of distances between these do not overflow, nor vanish.
  static constexpr double most = in_floats ? 0x1p60 : 0x1p200;
  static constexpr double least = in_floats ? 0x1p-60 : 0x1p-300;

  void take_guess() {
    const TrianglePair& guess = options_.guess;
    if (guess.a < a_.surface.size() && guess.b < b_.surface.size())
      take(guess, a_.surface[guess.a], placed(b_.surface.triangles[guess.b]));
  }

  /// How near a pair must be to matter, in common units; negative where nothing can be nearer.
  [[nodiscard]] double asked() const {
    const double d = best_.closest.distance;
    if (!(d > 0)) return -1;
    return std::min(d - options_.absolute_error, d / (1 + options_.relative_error)) / f_.unit;
  }

  /// The square of that, rounded up.
  [[nodiscard]] Real limit() const {
    const double near = asked();
    if (near < 0) return -1;
    // Nearer than the tolerance, it is still exact whether they meet.
    if (near <= f_.tolerance && f_.blurred) return -1;
    const double wanted = std::max(std::min(near, most) - f_.tolerance, least);
    const Real rounded = static_cast<Real>(wanted) * static_cast<Real>(upward);
    return rounded * rounded;
  }

  /// No pair is nearer than this. Those that were ruled out are not nearer than the limit, which only falls; those that wait are as far apart as they say.
  [[nodiscard]] double at_least(const NearPairProgress& progress) const {
    if (!progress.begun) return 0;
    if (a_.tree.tree().empty() || b_.tree.tree().empty()) return INFINITY;
    double in_units = std::min(asked(), most) - f_.tolerance;
    for (int i = 0; i < progress.count; ++i)
      in_units = std::min(in_units, std::sqrt(progress.waiting[i].apart) / upward);
    return std::max(in_units * f_.unit * (1 - 0x1p-50), 0.0);
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
    Lanes8<Real> lowest = load_lanes(apart[0]);
    for (int i = 1; i < rows; ++i) lowest = min(lowest, load_lanes(apart[i]));
    const int b = std::countr_zero(bits(lowest <= all_lanes(least_lane(lowest))));
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

void go_on_nearest(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                   const NearestOptions& options, NearestProgress& progress, WalkBudget budget) {
  const PairFrame f(a.tree.frame(), b.tree.frame(), b_in_a);
  if (floats_do_for_distance(f))
    return Nearest<float>(a, b, b_in_a, options, f).go_on(progress, budget);
  const PairFrameOf<double> in_doubles(a.tree.frame(), b.tree.frame(), b_in_a);
  Nearest<double>(a, b, b_in_a, options, in_doubles).go_on(progress, budget);
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {

HWY_EXPORT(nearest);
HWY_EXPORT(walk_meetings);
HWY_EXPORT(go_on_nearest);

bool meet(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
          const TrianglePair& pair) {
  if (pair.a >= a.surface.size() || pair.b >= b.surface.size()) return false;
  const Triangle t = b.surface[pair.b];
  return overlaps(a.surface[pair.a],
                  Triangle{b_in_a.to_world(t.a), b_in_a.to_world(t.b), b_in_a.to_world(t.c)});
}

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
    const NearTriangle near_b =
        nearest_triangle(b.tree, b.surface, seen, near_a.on.distance * slightly_more);
    if (!near_b) break;
    pair = {near_a.triangle, near_b.triangle};
    on_b = near_b.on.point;
    below = near_b.on.distance * slightly_more;
  }
  return pair;
}

NearestOptions with_guess(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                          const NearestOptions& options) {
  NearestOptions guessed = options;
  if (!guessed.guess) guessed.guess = seen_from_each_other(a, b, b_in_a, options.below);
  return guessed;
}

} // namespace

TrianglePair any_meeting(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                         const TrianglePair& guess) {
  if (meet(a, b, b_in_a, guess)) return guess;
  TrianglePair result;
  all_meetings(a, b, b_in_a, [&](const TrianglePair& pair) {
    result = pair;
    return false;
  });
  return result;
}

void all_meetings(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                  const std::function<bool(const TrianglePair&)>& found) {
  PairStack stack;
  HWY_DYNAMIC_DISPATCH(walk_meetings)(a, b, b_in_a, stack, {SIZE_MAX}, found);
}

bool resume_meetings(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                     PairProgress& progress, WalkBudget budget,
                     const std::function<bool(const TrianglePair&)>& found) {
  progress.belongs_to(a.tree.tree(), b.tree.tree());
  HWY_DYNAMIC_DISPATCH(walk_meetings)(a, b, b_in_a, progress, budget, found);
  return progress.done();
}

NearestTriangles nearest_pair(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                              const NearestOptions& options) {
  return HWY_DYNAMIC_DISPATCH(nearest)(a, b, b_in_a, with_guess(a, b, b_in_a, options));
}

bool resume_nearest(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                    NearestProgress& progress, WalkBudget budget, const NearestOptions& options) {
  const bool begins = progress.belongs_to(a.tree.tree(), b.tree.tree());
  if (begins) {
    progress.best = {};
    progress.at_least = 0;
  }
  if (budget.steps == 0) return progress.done();
  HWY_DYNAMIC_DISPATCH(go_on_nearest)
  (a, b, b_in_a, begins ? with_guess(a, b, b_in_a, options) : options, progress, budget);
  return progress.done();
}

} // namespace carom
#endif
