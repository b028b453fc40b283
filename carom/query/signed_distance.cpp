// The signed distance of the cores, less both roundings.
#include "carom/query/signed_distance.h"

#include "carom/query/closed_forms.h"
#include "carom/query/composite_penetration.h"
#include "carom/query/exact_cores.h"
#include "carom/query/expanding_polytope.h"
#include "carom/query/half_space_pair.h"
#include "carom/query/hull_depth.h"
#include "carom/query/hull_walk.h"
#include "carom/query/rounded.h"

namespace carom {
namespace {

/// From the cores' own answer: `value` with bounds around it, along `axis` in A's frame, at points in the cores' frames.
SignedDistance rounded(const CorePair& pair, const Shape& a, const Shape& b, double value,
                       double lower, double upper, const Vec3& axis, const Vec3& on_a,
                       const Vec3& on_b) {
  const double radius = a.rounding() + b.rounding();
  SignedDistance s;
  s.value = value - radius;
  s.lower_bound = lower - radius;
  s.upper_bound = upper - radius;
  s.normal = pair.frame_a().direction_to_world(axis);
  s.on_a = pair.frame_a().to_world(on_a) + s.normal * a.rounding();
  s.on_b = pair.frame_b().to_world(on_b) - s.normal * b.rounding();
  return s;
}

/// Small hulls have a method of their own.
std::optional<CoreDepth> small_hull_depth(const CorePair& pair) {
  const auto* a = std::get_if<Polytope>(&pair.core_a());
  const auto* b = std::get_if<Polytope>(&pair.core_b());
  if (!a || !b || a->arcs().arcs.empty() || b->arcs().arcs.empty()) return std::nullopt;
  return hull_depth(pair, *a, *b);
}

/// Where they do, the cores overlap for certain.
bool inner_balls_overlap(const CorePair& pair) {
  const double radii = pair.inner_a().radius + pair.inner_b().radius - pair.rounding();
  return radii > 0 && length_squared(pair.inner_difference()) < radii * radii;
}

/// From the distance of the cores, where a direction separates them; beyond `limit` it need not be exact.
SignedDistance rounded_gap(const CorePair& pair, const Shape& a, const Shape& b,
                           const CoreDistance& near, double limit) {
  SignedDistance s = rounded(pair, a, b, near.upper, near.lower, near.upper + pair.rounding(),
                             near.axis, near.on_a, near.on_b);
  const bool measured = near.upper - near.lower <= pair.promise();
  s.status = measured ? Status::ok : near.lower > limit ? Status::stopped : Status::wide;
  s.iterations = near.iterations;
  return s;
}

/// From the depth of the cores, after `iterations` of another search. `apart` is how far they may be apart where no depth is proved.
SignedDistance rounded_depth(const CorePair& pair, const Shape& a, const Shape& b,
                             const CoreDepth& deep, double apart, int iterations) {
  const double upper = deep.lower > 0 ? -deep.lower : apart;
  SignedDistance s = rounded(pair, a, b, -deep.upper, -deep.upper - pair.rounding(), upper,
                             deep.axis, deep.on_a, deep.on_b);
  s.status = s.upper_bound - s.lower_bound <= pair.promise() ? Status::ok : Status::wide;
  s.iterations = iterations + deep.iterations;
  return s;
}

/// Cores without rounding that are apart by more than a limit are sooner known to be so than measured.
bool is_limited(const SignedDistanceOptions& options) {
  return options.limit >= 0 && options.limit < INFINITY;
}

[[gnu::noinline]] SignedDistance afresh(const Shape& a, const Pose& pose_a, const Shape& b,
                                        const Pose& pose_b, const SignedDistanceOptions& options,
                                        PairCache* cache) {
  if (!in_range(pose_a) || !in_range(pose_b)) {
    SignedDistance bad;
    bad.status = Status::bad_input;
    return bad;
  }
  if (!a.bounded() || !b.bounded()) return half_space_pair(a, pose_a, b, pose_b).distance;
  if (!a.convex() || !b.convex())
    return composite_signed_distance(a, pose_a, b, pose_b, options, cache);

  const bool limited = is_limited(options);
  const bool measured_anyway = !limited || a.rounding() + b.rounding() > 0;
  if (const Form form = measured_anyway ? closed_form(a, b) : nullptr) {
    const FormPair pair(a, pose_a, b, pose_b);
    FormAnswer cores = FormAnswer::room(pair);
    if (form(pair, cores)) return rounded_signed_distance(pair, cores);
  }
  const CorePair pair(a, pose_a, b, pose_b);
  // Hulls need no search, mostly. Where they may be apart by more than a limit it is quicker.
  const double radius = a.rounding() + b.rounding();
  const double limit = options.limit >= 0 ? options.limit + radius : INFINITY;
  const bool inside = inner_balls_overlap(pair);
  const bool searched = !inside && limited;
  if (CoreDistance near; !inside && !searched && walk_hulls(pair, cache, near))
    return rounded_gap(pair, a, b, near, limit);
  if (!searched) {
    if (const auto deep = small_hull_depth(pair)) return rounded_depth(pair, a, b, *deep, 0, 0);
  }
  PairCache own;
  PairCache& simplex = cache ? *cache : own;
  const CoreQuestion question{
      .radius = radius, .agreement = pair.agreement(), .below = 0, .above = limit};
  CoreDistance near = nearest_cores(pair, question, &simplex);
  if (near.lower > 0) {
    if (!searched && cache) keep_features(pair, near.axis, *cache);
    return rounded_gap(pair, a, b, near, limit);
  }
  std::optional<CoreDepth> deep;
  if (searched) deep = small_hull_depth(pair);
  if (!deep) deep = core_depth(pair, near, simplex);
  // Where nothing proves a depth, the cores may still be apart, by as much as the search could not decide.
  double apart = near.upper + pair.rounding();
  if (!(deep->lower > 0) && radius == 0) {
    settle(pair, near);
    if (near.lower > 0) return rounded_gap(pair, a, b, near, limit);
    if (near.sure) apart = 0;
  }
  return rounded_depth(pair, a, b, *deep, apart, near.iterations);
}

/// From the features in the cache, of these kinds.
struct Tracked {
  template<FeatureKind kind_a, FeatureKind kind_b>
  [[gnu::hot]] static SignedDistance from(const Shape& a, const Pose& pose_a, const Shape& b,
                                          const Pose& pose_b, const SignedDistanceOptions& options,
                                          PairCache* cache) {
    const FormPair pair(a, pose_a, b, pose_b);
    FormAnswer cores;
    int looks = 0;
    if (find_near_features<kind_a, kind_b>(pair, *cache, cores, looks))
      return rounded_signed_distance(pair, cores, looks);
    return afresh(a, pose_a, b, pose_b, options, cache);
  }
};

} // namespace

SignedDistance signed_distance(const Shape& a, const Pose& pose_a, const Shape& b,
                               const Pose& pose_b, const SignedDistanceOptions& options,
                               PairCache* cache) {
  if (cache && cache->has_features && !is_limited(options))
    return way_from<Tracked>(cache->feature_a.kind, cache->feature_b.kind)(a, pose_a, b, pose_b,
                                                                           options, cache);
  return afresh(a, pose_a, b, pose_b, options, cache);
}

} // namespace carom
