// At a leaf the ray passes eight triangles at once, in floats, seen along the ray: the corners are sheared along its main axis so that it becomes a point, and
// that point is in a triangle where the three edges turn the same way around it. Each edge's number comes with a bound of its error, from the grid of the corners and from
// rounding; only a triangle that is certainly passed by is left out. The others are asked exactly, in doubles.
//
// Compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "carom/tree/triangle_rays.cpp"
#include <hwy/foreach_target.h>

#include "carom/math/choose_lanes-inl.h"
#include "carom/tree/exact_meeting.h"
#include "carom/tree/ray_walk-inl.h"
#include "carom/tree/triangle_rays.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <atomic>

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// How the ray passes the eight triangles of a leaf. Bit i of the masks is triangle i.
struct LeafLook {
  unsigned may;             ///< the ray may meet it before the limit
  unsigned sure;            ///< it certainly does, within the ray's own length
  Float8 nearest, farthest; ///< s of the corners, rounded outward
};

HWY_INLINE LeafLook look_at(const TriangleBlock& block, const TreeRay& ray, float limit) {
  // Reckoned, not branched on: nothing foretells which way a ray goes.
  const int z = ray.major, x = (9 >> 2 * z) & 3, y = (18 >> 2 * z) & 3;
  const float step[3] = {block.grid(x).step(), block.grid(y).step(), block.grid(z).step()};
  const float from_z = block.origin[z] - ray.origin[z];
  const float shear_x = ray.direction[x] * ray.sign, shear_y = ray.direction[y] * ray.sign;
  const float from_x = block.origin[x] - ray.origin[x] - shear_x * from_z;
  const float from_y = block.origin[y] - ray.origin[y] - shear_y * from_z;
  const Float8 step_x = all_floats(step[0]), step_y = all_floats(step[1]);
  const Float8 turn_x = all_floats(shear_x * step[2]);
  const Float8 turn_y = all_floats(shear_y * step[2]);
  const Float8 forward = all_floats(step[2] * ray.sign);
  Float8 corner_x[3], corner_y[3], low, high;
  Float8 reach = all_floats(0);
  for (int c = 0; c < 3; ++c) {
    const Float8 at_z = floats_of(block.row[3 * c + z]);
    corner_x[c] = floats_of(block.row[3 * c + x]) * step_x - at_z * turn_x + all_floats(from_x);
    corner_y[c] = floats_of(block.row[3 * c + y]) * step_y - at_z * turn_y + all_floats(from_y);
    reach = max(reach, max(abs(corner_x[c]), abs(corner_y[c])));
    const Float8 along = at_z * forward;
    low = c == 0 ? along : min(low, along);
    high = c == 0 ? along : max(high, along);
  }
  // A corner is off by half a step on its own axis, half a step sheared, and the slack. The product of two corners, by that times their reach each, and a rounding.
  const float off = 0.5F * (std::max(step[0], step[1]) + step[2]) + ray.slack;
  const Float8 about = reach + all_floats(off);
  const Float8 error = about * (all_floats(4 * off) + about * all_floats(0x1p-21F));
  const Float8 u = corner_x[2] * corner_y[1] - corner_y[2] * corner_x[1];
  const Float8 v = corner_x[0] * corner_y[2] - corner_y[0] * corner_x[2];
  const Float8 w = corner_x[1] * corner_y[0] - corner_y[1] * corner_x[0];
  const Float8 least = min(min(u, v), w), most = max(max(u, v), w);
  const Float8 zero = all_floats(0);
  const FloatMask8 around = (zero <= least + error) | (most - error <= zero);
  // Along the ray: from the nearest corner to the farthest.
  const float margin = 0.5F * step[2] + ray.slack;
  LeafLook look;
  look.nearest = low + all_floats(from_z * ray.sign - margin);
  look.farthest = high + all_floats(from_z * ray.sign + margin);
  const FloatMask8 ahead = (look.nearest <= all_floats(limit)) & (zero <= look.farthest);
  look.may = bits(around & ahead) & block.lanes();
  const FloatMask8 through = (error < least) | (most < zero - error);
  const FloatMask8 within =
      (zero < look.nearest) & (look.farthest <= all_floats(ray.limit - 4 * ray.slack));
  look.sure = bits(through & within) & look.may;
  return look;
}

/// A triangle that the ray certainly meets; where exactly is asked later, when its vertices have arrived in the cache.
struct SureHit {
  float nearest;
  const std::array<std::uint32_t, 3>* corners;
  const std::uint32_t* triangle;
};

/// What a search does with a hit that is certain.
enum class Certain {
  is_asked, ///< exactly, like all others
  waits,    ///< to be asked at the end; the search goes on before it only
  ends,     ///< the search
};

/// One search. The goal says what for: found(triangle, t) takes the hits that were asked exactly, and gives the t up to which others matter, negative to end.
template<class Goal>
class RaySearch {
public:
  HWY_INLINE RaySearch(const TriangleTree& tree, const TriangleSurface& surface,
                       const TriangleRay& query, Goal& goal)
      : tree_(tree), vertices_(surface.vertices), query_(query), goal_(goal),
        ray_(tree_ray(tree.frame(), query.ray, query.t_max)), t_max_(query.t_max) {}

  HWY_INLINE void run() {
    ChildStack stack;
    walk(stack, Endless(), ray_.limit);
  }
  /// From where the stack says, with a hit at t_max that was found before.
  void run(ChildStack& stack, WalkBudget budget, double t_max) {
    if (t_max < t_max_) t_max_ = t_max;
    walk(stack, budget, std::min(ray_.limit, ray_.farthest(t_max_)));
  }

private:
  template<class Budget>
  HWY_INLINE void walk(ChildStack& stack, Budget budget, float reach) {
    const Prefetch fetch{tree_};
    constexpr First order = Goal::certain == Certain::ends ? First::any : First::near;
    walk_ray<order>(tree_.tree(), ray_, stack, budget, reach, fetch,
                    [&](std::uint32_t leaf, float& limit)
                        HWY_ATTR { return at_leaf(leaf, limit); });
    if constexpr (Goal::certain == Certain::waits) {
      // The last ones are the nearest.
      while (sure_count_ > 0) {
        const SureHit& hit = sure_[--sure_count_];
        if (hit.nearest <= ray_.farthest(t_max_)) place(hit);
      }
    }
  }

  HWY_INLINE bool at_leaf(std::uint32_t leaf, float& limit) {
    const TriangleBlock& block = tree_.blocks()[leaf];
    const LeafLook look = look_at(block, ray_, limit);
    if (look.may == 0) return true;
    const std::uint32_t* items = tree_.tree().leaf(leaf).data();
    unsigned open = look.may;
    if (look.sure != 0 && query_.faces == Faces::both) {
      if constexpr (Goal::certain == Certain::ends) return goal_.end();
      if constexpr (Goal::certain == Certain::waits) {
        open &= ~look.sure;
        open |= put_off(look, block, items, limit);
      }
    }
    for (; open != 0; open &= open - 1) {
      const int lane = std::countr_zero(open);
      ask(block.corners[lane], items[lane]);
      if (t_max_ < 0) return false;
      limit = std::min(limit, ray_.farthest(t_max_));
    }
    return true;
  }

  /// The lanes for which there was no room.
  HWY_INLINE unsigned put_off(const LeafLook& look, const TriangleBlock& block,
                              const std::uint32_t* items, float& limit) {
    alignas(32) float nearest[8], farthest[8];
    store_floats(look.nearest, nearest);
    store_floats(look.farthest, farthest);
    unsigned sure = look.sure;
    for (; sure != 0 && sure_count_ < most_sure; sure &= sure - 1) {
      const int lane = std::countr_zero(sure);
      for (const std::uint32_t v : block.corners[lane]) {
        // It may lie across two lines.
        hwy::Prefetch(&vertices_[v].x);
        hwy::Prefetch(&vertices_[v].z);
      }
      hwy::Prefetch(items);
      sure_[sure_count_++] = {nearest[lane], &block.corners[lane], items + lane};
      limit = std::min(limit, farthest[lane] + 2 * ray_.slack);
    }
    return sure;
  }

  HWY_INLINE void ask(const std::array<std::uint32_t, 3>& corners, const std::uint32_t& triangle) {
    const auto& [a, b, c] = corners;
    const double t =
        tree_detail::meeting_t(query_, {vertices_[a], vertices_[b], vertices_[c]}, t_max_);
    if (t >= 0) t_max_ = goal_.found(triangle, t);
  }

  /// Only where it is met remains to be found.
  HWY_INLINE void place(const SureHit& hit) {
    const auto& [a, b, c] = *hit.corners;
    const Triangle triangle{vertices_[a], vertices_[b], vertices_[c]};
    const double t = cast_detail::crossing({query_.ray.origin, query_.ray.direction}, triangle);
    if (t >= 0 && t <= t_max_) t_max_ = goal_.found(*hit.triangle, t);
  }

  static constexpr int most_sure = 8;

  const TriangleTree& tree_;
  std::span<const Vec3> vertices_;
  const TriangleRay& query_;
  Goal& goal_;
  TreeRay ray_;
  double t_max_; ///< those beyond do not matter; negative: the search is over
  SureHit sure_[most_sure];
  int sure_count_ = 0;
};

template<class Goal>
HWY_INLINE void search(const TriangleTree& tree, const TriangleSurface& surface,
                       const TriangleRay& query, Goal& goal) {
  if (query.t_max >= 0) RaySearch<Goal>(tree, surface, query, goal).run();
}

struct FirstGoal {
  double t = INFINITY;
  const std::uint32_t* place =
      nullptr; ///< looked up only where it matters: it is one more place in memory

  static constexpr Certain certain = Certain::waits;
  double found(const std::uint32_t& triangle, double at) {
    if (!place || at < t || triangle < *place) place = &triangle;
    t = at;
    return at;
  }
};

struct AnyGoal {
  bool hit = false;

  static constexpr Certain certain = Certain::ends;
  bool end() {
    hit = true;
    return false;
  }
  double found(const std::uint32_t&, double) {
    hit = true;
    return -1;
  }
};

struct AllGoal {
  const std::function<bool(const RayTriangle&)>& call;
  double t_max;

  static constexpr Certain certain = Certain::is_asked;
  double found(const std::uint32_t& triangle, double t) const {
    return call({triangle, t}) ? t_max : -1;
  }
};

RayTriangle first(const TriangleTree& tree, const TriangleSurface& surface,
                  const TriangleRay& ray) {
  FirstGoal goal;
  search(tree, surface, ray, goal);
  if (!goal.place) return {};
  return {*goal.place, goal.t};
}

bool any(const TriangleTree& tree, const TriangleSurface& surface, const TriangleRay& ray) {
  AnyGoal goal;
  search(tree, surface, ray, goal);
  return goal.hit;
}

void all(const TriangleTree& tree, const TriangleSurface& surface, const TriangleRay& ray,
         const std::function<bool(const RayTriangle&)>& found) {
  AllGoal goal{found, ray.t_max};
  search(tree, surface, ray, goal);
}

void go_on_first(const TriangleTree& tree, const TriangleSurface& surface, const TriangleRay& ray,
                 FirstHitProgress& progress, WalkBudget budget) {
  const RayTriangle before = progress.first;
  FirstGoal goal;
  if (before) goal = {before.t, &before.triangle};
  RaySearch<FirstGoal>(tree, surface, ray, goal).run(progress, budget, before.t);
  if (goal.place) progress.first = {*goal.place, goal.t};
}

void go_on_all(const TriangleTree& tree, const TriangleSurface& surface, const TriangleRay& ray,
               ChildProgress& progress, WalkBudget budget,
               const std::function<bool(const RayTriangle&)>& found) {
  AllGoal goal{found, ray.t_max};
  RaySearch<AllGoal>(tree, surface, ray, goal).run(progress, budget, ray.t_max);
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {

HWY_EXPORT(first);
HWY_EXPORT(any);
HWY_EXPORT(all);
HWY_EXPORT(go_on_first);
HWY_EXPORT(go_on_all);

// Those for this processor, kept: to find them each time would take a few hundredths of a ray that misses.
decltype(first_hit) choose_first;
decltype(any_hit) choose_any;
std::atomic<decltype(first_hit)*> chosen_first = &choose_first;
std::atomic<decltype(any_hit)*> chosen_any = &choose_any;

RayTriangle choose_first(const TriangleTree& tree, const TriangleSurface& surface,
                         const TriangleRay& ray) {
  choose_lanes();
  chosen_first = &HWY_DYNAMIC_DISPATCH(first);
  return first_hit(tree, surface, ray);
}

bool choose_any(const TriangleTree& tree, const TriangleSurface& surface, const TriangleRay& ray) {
  choose_lanes();
  chosen_any = &HWY_DYNAMIC_DISPATCH(any);
  return any_hit(tree, surface, ray);
}

} // namespace

RayTriangle first_hit(const TriangleTree& tree, const TriangleSurface& surface,
                      const TriangleRay& ray) {
  return chosen_first.load(std::memory_order_relaxed)(tree, surface, ray);
}

bool any_hit(const TriangleTree& tree, const TriangleSurface& surface, const TriangleRay& ray) {
  return chosen_any.load(std::memory_order_relaxed)(tree, surface, ray);
}

void all_hits(const TriangleTree& tree, const TriangleSurface& surface, const TriangleRay& ray,
              const std::function<bool(const RayTriangle&)>& found) {
  HWY_DYNAMIC_DISPATCH(all)(tree, surface, ray, found);
}

bool resume_first_hit(const TriangleTree& tree, const TriangleSurface& surface,
                      const TriangleRay& ray, FirstHitProgress& progress, WalkBudget budget) {
  if (progress.belongs_to(tree.tree())) progress.first = {};
  if (!(ray.t_max >= 0)) progress.end();
  if (!progress.done()) HWY_DYNAMIC_DISPATCH(go_on_first)(tree, surface, ray, progress, budget);
  return progress.done();
}

bool resume_all_hits(const TriangleTree& tree, const TriangleSurface& surface,
                     const TriangleRay& ray, ChildProgress& progress, WalkBudget budget,
                     const std::function<bool(const RayTriangle&)>& found) {
  progress.belongs_to(tree.tree());
  if (!(ray.t_max >= 0)) progress.end();
  if (!progress.done())
    HWY_DYNAMIC_DISPATCH(go_on_all)(tree, surface, ray, progress, budget, found);
  return progress.done();
}

} // namespace carom
#endif
