// The nearest points of the cores, each moved out by its rounding along the line between them.
#include "carom/query/distance.h"

#include "carom/query/closed_forms.h"
#include "carom/query/composite_queries.h"
#include "carom/query/core_pair.h"
#include "carom/query/exact_cores.h"
#include "carom/query/half_space_pair.h"
#include "carom/query/hull_walk.h"
#include "carom/query/rounded.h"

#include <algorithm>

namespace carom {
namespace {

Distance not_negative(const HalfSpaceAnswer& h) {
  const SignedDistance& s = h.distance;
  const Vec3& common = h.common_point;
  if (!(s.value > 0)) return {0, 0, common, common, s.normal, s.status, s.iterations};
  return {s.value, std::max(0.0, s.lower_bound), s.on_a, s.on_b, s.normal, s.status, s.iterations};
}

/// No error is allowed for, and no threshold ends it early.
bool asks_for_all(const DistanceOptions& o) {
  if (o.limit < INFINITY) return false;
  return !(o.absolute_error > 0) && !(o.relative_error > 0) && !(o.threshold > 0);
}

CoreQuestion question_of(const CorePair& pair, double radius, const DistanceOptions& options) {
  CoreQuestion question = nearest_question(pair, radius);
  question.absolute_error = std::max(options.absolute_error, 0.0);
  question.relative_error = std::max(options.relative_error, 0.0);
  if (options.threshold > 0) {
    // Strictly nearer than the threshold, or not nearer.
    question.below = std::nextafter(radius + options.threshold, -INFINITY);
    question.above = radius + options.threshold;
  }
  if (options.limit < INFINITY)
    question.above = std::min(question.above, radius + std::max(options.limit, 0.0));
  return question;
}

/// Apart from the forms, which need no room for it.
[[gnu::noinline]] Distance by_search(const Shape& a, const Pose& pose_a, const Shape& b,
                                     const Pose& pose_b, const DistanceOptions& options,
                                     PairCache* cache) {
  const CorePair pair(a, pose_a, b, pose_b);
  const bool walks = asks_for_all(options);
  if (CoreDistance walked; walks && walk_hulls(pair, cache, walked))
    return rounded_distance(pair, walked, a.rounding(), b.rounding());
  const double radius = a.rounding() + b.rounding();
  CoreDistance cores = nearest_cores(pair, question_of(pair, radius, options), cache);
  if (radius == 0 && cores.upper <= tolerance::boolean_band * pair.size()) settle(pair, cores);
  if (walks && cache && cores.lower > 0) keep_features(pair, cores.axis, *cache);
  return rounded_distance(pair, cores, a.rounding(), b.rounding());
}

[[gnu::noinline]] Distance afresh(const Shape& a, const Pose& pose_a, const Shape& b,
                                  const Pose& pose_b, const DistanceOptions& options,
                                  PairCache* cache) {
  if (!in_range(pose_a) || !in_range(pose_b)) return {.status = Status::bad_input};
  if (!a.convex() || !b.convex()) return composite_distance(a, pose_a, b, pose_b, options, cache);
  if (!a.bounded() || !b.bounded()) return not_negative(half_space_pair(a, pose_a, b, pose_b));
  if (const Form form = closed_form(a, b)) {
    const FormPair pair(a, pose_a, b, pose_b);
    FormAnswer cores = FormAnswer::room(pair);
    if (form(pair, cores)) return rounded_distance(pair, cores);
  }
  return by_search(a, pose_a, b, pose_b, options, cache);
}

/// From the features in the cache, of these kinds. Said to be hot, because after a dozen of checks that nearly always pass the compiler takes the rest for code that is hardly ever run: it calls the
/// library for roots, and copies byte by byte.
struct Tracked {
  template<FeatureKind kind_a, FeatureKind kind_b>
  [[gnu::hot]] static Distance from(const Shape& a, const Pose& pose_a, const Shape& b,
                                    const Pose& pose_b, const DistanceOptions& options,
                                    PairCache* cache) {
    const FormPair pair(a, pose_a, b, pose_b);
    FormAnswer cores;
    int looks = 0;
    if (find_near_features<kind_a, kind_b>(pair, *cache, cores, looks))
      return rounded_distance(pair, cores, looks);
    return afresh(a, pose_a, b, pose_b, options, cache);
  }
};

} // namespace

Distance distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const DistanceOptions& options, PairCache* cache) {
  if (cache && cache->has_features && asks_for_all(options))
    return way_from<Tracked>(cache->feature_a.kind, cache->feature_b.kind)(a, pose_a, b, pose_b,
                                                                           options, cache);
  return afresh(a, pose_a, b, pose_b, options, cache);
}

} // namespace carom
