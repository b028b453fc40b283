// Nearest points of two cores: the search of Gilbert, Johnson and Keerthi, in doubles, with a proof at the end.
//
// The difference A - B of all a - b is convex; its distance from the origin is the distance of A and B. A simplex of up to four of its
// corners is kept, with its point v nearest to the origin. The corner w farthest toward the origin (against v) is added, and corners
// that no longer carry v are dropped. v is an upper bound of the distance, the support along v a lower one. The search is over when
// they agree.
//
// Doubles do not always get there: thin simplices, sets that just touch. This search does not try to be clever then. It stops as soon as v gets no
// shorter, and the pair goes to the slow search of geometry/gjk.h, which goes on in numbers of twice the length. So this one may cut
// corners: an error costs time, and cannot make a wrong answer, because the bounds are computed from the points and supports
// themselves.
#include "carom/geometry/gjk.h"
#include "carom/math/tolerance.h"
#include "carom/query/core_pair.h"
#include "carom/query/inner_difference.h"
#include "carom/query/newton.h"
#include "carom/query/simplex.h"

#include <algorithm>

namespace carom {

/// The sides of a pair as the slow search sees them, both in A's frame.
struct SlowSide {
  const CorePair* pair;
};
struct SlowA : SlowSide {};
struct SlowB : SlowSide {};
static Vec3 support_point(const SlowA& a, const Vec3& d) { return a.pair->support_a(d); }
static Vec3 support_point(const SlowB& b, const Vec3& d) {
  return b.pair->b_in_a().to_world(b.pair->support_b(d));
}

namespace {

using Corner = CorePair::Corner;

/// A pair of hulls of a thousand corners takes about eight steps; curved pairs gain a few bits each.
constexpr int max_iterations = 64;
/// Steps until the axis of a curved pair is near enough for Newton's method, mostly.
constexpr int jump_after = 3;

class Search {
public:
  Search(const CorePair& pair, const CoreQuestion& question, CoreDistance& result)
      : pair_(pair), question_(question), result_(result),
        inner_(pair, std::max(question.below, 0.0)),
        errors_asked_(question.absolute_error > 0 || question.relative_error > 0),
        may_jump_(pair.curved() && question.above == INFINITY) {
    // A little generous: who passes is looked at again, with roots and divisions.
    constexpr double generous = 1 + 1e-12;
    const double near = std::max(question.below, pair.rounding()) * generous;
    near_squared_ = near * near;
    const double agreement = (question.agreement - pair.rounding()) * generous;
    agreement_squared_ = agreement * agreement;
    const double above = (question.above + pair.rounding()) * (2 - generous);
    above_squared_ = above * above;
  }

  /// From the corners of last time, or from the line between the inner balls. True where that is enough for an answer.
  [[gnu::noinline]] bool start(const PairCache* cache) {
    if (question_.any_points && inner_.contains_origin() && inner_.take_points(nullptr, result_))
      return result_.answered = true;
    if (cache && cache->id_a == pair_.id_a() && cache->id_b == pair_.id_b()) {
      simplex_.take(*cache, pair_);
    }
    if (simplex_.count() == 0)
      simplex_.keep(simplex_.with(pair_.corner(pair_.inner_a().center, pair_.inner_b().center)));
    return false;
  }

  /// True where the question is answered; false where doubles get no further.
  bool run() {
    while (result_.iterations < max_iterations) {
      if (simplex_.contains_origin()) return overlapping();
      if (result_.iterations == jump_after && may_jump_) jump();
      const Vec3 v = simplex_.nearest();
      const double upper_squared = length_squared(v);
      if (upper_squared <= near_squared_ || errors_asked_) {
        result_.upper = std::sqrt(upper_squared);
        if (stopped()) return take_points();
        if (!(result_.upper > pair_.rounding())) return false;
      }
      const Corner w = pair_.corner_toward(-v);
      ++result_.iterations;
      const double along = dot(v, w.difference);
      const double apart = upper_squared - along;
      if (apart <= 0 || apart * apart <= agreement_squared_ * upper_squared ||
          is_beyond(along, upper_squared) || errors_asked_) {
        result_.upper = std::sqrt(upper_squared);
        const Vec3 axis = v * (-1 / result_.upper);
        if (raise_lower_bound(along / result_.upper - pair_.rounding(), axis) || stopped())
          return take_points();
      }
      if (found_inside(w, along, upper_squared)) return true;
      const Nearest next = simplex_.with(w);
      if (next.carriers != whole_tetrahedron && !(length_squared(next.v) < upper_squared))
        return false;
      simplex_.keep(next);
    }
    return false;
  }

  [[gnu::noinline]] void keep(PairCache& cache) const {
    cache.id_a = pair_.id_a();
    cache.id_b = pair_.id_b();
    cache.count = simplex_.count();
    cache.has_features = false;
    for (int i = 0; i < simplex_.count(); ++i) {
      cache.corners[static_cast<std::size_t>(i)] = {simplex_.on_a(i), simplex_.on_b(i)};
    }
  }

  /// The search that goes on where doubles end, and what it finds.
  [[gnu::noinline]] void run_slowly() {
    const SlowA a{{&pair_}};
    const SlowB b{{&pair_}};
    const GjkResult slow = gjk(ConvexView(a), ConvexView(b));
    result_.iterations += slow.iterations;
    result_.upper = slow.closest.distance;
    result_.on_a = slow.closest.on_a;
    result_.on_b = pair_.b_in_a().to_local(slow.closest.on_b);
    result_.between = slow.closest.on_b - slow.closest.on_a;
    bool agrees = raise_lower_bound(slow.lower_bound - pair_.rounding(), normalized(slow.axis));
    if (result_.upper > pair_.rounding()) {
      const Vec3 axis = normalized(result_.between);
      const Corner w = pair_.corner_toward(axis);
      agrees |= raise_lower_bound(-dot(axis, w.difference) - pair_.rounding(), axis);
    }
    result_.answered = agrees || stopped();
  }

private:
  /// Where the surfaces are smooth, Newton's method gets from here to the end: on with the corner that it finds, if that is nearer.
  [[gnu::noinline]] void jump() {
    const Vec3 axis = normalized(-simplex_.nearest());
    const RefinedAxis found = smooth_axis(pair_, axis, 0.25 * question_.agreement);
    result_.iterations += found.iterations;
    if (found.count == 0) return;
    Simplex smooth;
    smooth.keep(smooth.with(found.corners[0].corner));
    if (length_squared(smooth.nearest()) < length_squared(simplex_.nearest())) simplex_ = smooth;
  }

  /// Whether A - B may lie more than `above` along v: `along` is the least v . w of it.
  [[nodiscard]] bool is_beyond(double along, double v_squared) const {
    return along > 0 && along * along > above_squared_ * v_squared;
  }

  /// Not where all of A - B is known to be too far along v.
  bool found_inside(const Corner& w, double along, double v_squared) {
    if (!question_.any_points || (along > 0 && along * along > near_squared_ * v_squared))
      return false;
    return inner_.contains_origin_toward(w.difference) && inner_.take_points(&w, result_) &&
           (result_.answered = true);
  }

  /// All of B lies at least `bound` beyond A along the axis, a unit vector. True where that agrees with the upper bound: then it is the axis even where another gave a little
  /// more, so that it is along the line between the nearest points.
  bool raise_lower_bound(double bound, const Vec3& axis) {
    const bool agrees = result_.upper - bound <= question_.agreement;
    if (agrees || bound > result_.lower) {
      result_.lower = std::max(bound, 0.0);
      result_.axis = axis;
    }
    return agrees;
  }

  /// Whether the bounds are as the caller asked, before they agree.
  [[nodiscard]] bool stopped() const {
    const double apart = result_.upper - question_.radius;
    const double error = std::max(question_.absolute_error, question_.relative_error * apart);
    return result_.upper - result_.lower <= error || result_.upper <= question_.below ||
           result_.lower > question_.above;
  }

  /// The points that prove the upper bound. The weights of a thin simplex lose bits, and with them the points drift from v: false in that case.
  [[gnu::noinline]] bool take_points() {
    const Weights weights = simplex_.weights();
    Vec3 difference;
    double whole = 0;
    result_.on_a = {};
    result_.on_b = {};
    for (int i = 0; i < simplex_.count(); ++i) {
      result_.on_a += simplex_.on_a(i) * weights.of[i];
      result_.on_b += simplex_.on_b(i) * weights.of[i];
      difference += simplex_.difference(i) * weights.of[i];
      whole += weights.of[i];
    }
    result_.between = -difference;
    if (simplex_.contains_origin()) {
      result_.sure = simplex_.is_deep(weights, pair_);
      return result_.answered = true;
    }
    result_.upper = length(difference);
    // Up to a few roundings, which the bounds do not feel, and the direction little.
    const Vec3 drift = difference - simplex_.nearest();
    // Where the shapes touch, all corners are near the origin, and weights that do not add up show in the points only.
    const bool mixture = std::fabs(whole - 1) <= 4 * tolerance::epsilon;
    return result_.answered = mixture && max_abs(drift) <= 4 * pair_.rounding();
  }

  /// Inside a tetrahedron; only one that is not too flat for its weights is believed.
  bool overlapping() {
    if (!(max_abs(simplex_.nearest()) <= pair_.rounding())) return false;
    result_.upper = 0;
    result_.lower = 0;
    return take_points();
  }

  const CorePair& pair_;
  const CoreQuestion& question_;
  CoreDistance& result_;
  InnerDifference inner_;
  bool errors_asked_;
  bool may_jump_; ///< a curved pair, of which the distance itself is asked for
  double near_squared_, agreement_squared_, above_squared_;
  Simplex simplex_;
};

} // namespace

CoreDistance nearest_cores(const CorePair& pair, const CoreQuestion& question, PairCache* cache) {
  CoreDistance result;
  Search search(pair, question, result);
  if (!search.start(cache) && !search.run()) search.run_slowly();
  if (cache) search.keep(*cache);
  return result;
}

} // namespace carom
