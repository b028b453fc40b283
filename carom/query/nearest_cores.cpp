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
#include "carom/query/newton.h"

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

/// Where a simplex comes nearest to the origin. The corner added last is part of every face that is looked at: without it the simplex was no nearer.
struct Nearest {
  Vec3 v;
  unsigned carriers; ///< bit i: corner i is a corner of the least face that has v
};

constexpr unsigned whole_tetrahedron = 0b1111;

Nearest nearest_on_edge(const Vec3* points, int a, int w) {
  const Vec3 e = points[a] - points[w];
  const double along = -dot(points[w], e);
  if (!(along > 0)) return {points[w], 1u << w};
  const double whole = dot(e, e);
  const double t = along < whole ? along / whole : 1;
  return {points[w] + e * t, 1u << a | 1u << w};
}

Nearest nearest_on_triangle(const Vec3* points, int a, int b, int w) {
  const Vec3 ea = points[a] - points[w];
  const Vec3 eb = points[b] - points[w];
  const Vec3 p = -points[w];
  const Vec3 n = cross(ea, eb);
  const double weight_a = dot(cross(p, eb), n);
  const double weight_b = dot(cross(ea, p), n);
  if (weight_a > 0 && weight_b > 0) {
    return {n * (dot(points[w], n) / dot(n, n)), 1u << a | 1u << b | 1u << w};
  }
  // Beyond an edge of w: on one of them. Where both edges lead toward the origin, the nearer.
  const bool toward_a = dot(p, ea) > 0;
  if (toward_a && dot(p, eb) > 0) {
    const Nearest on_a = nearest_on_edge(points, a, w);
    const Nearest on_b = nearest_on_edge(points, b, w);
    return length_squared(on_a.v) < length_squared(on_b.v) ? on_a : on_b;
  }
  return nearest_on_edge(points, toward_a ? a : b, w);
}

/// The weights of the corners at the origin; they add up to 1. Not finite where the tetrahedron is flat.
struct Weights {
  double of[4];
};

Weights weights_in_tetrahedron(const Vec3* points) {
  const Vec3 ea = points[0] - points[3];
  const Vec3 eb = points[1] - points[3];
  const Vec3 ec = points[2] - points[3];
  const Vec3 p = -points[3];
  const Vec3 bc = cross(eb, ec);
  const Vec3 pa = cross(p, ea);
  const double share = 1 / dot(ea, bc);
  const double ta = dot(p, bc) * share;
  const double tb = -dot(pa, ec) * share;
  const double tc = dot(pa, eb) * share;
  return {{ta, tb, tc, 1 - ta - tb - tc}};
}

/// Of four corners, w the last.
Nearest nearest_on_tetrahedron(const Vec3* points) {
  const auto [ta, tb, tc, tw] = weights_in_tetrahedron(points).of;
  if (ta >= 0 && tb >= 0 && tc >= 0 && tw >= 0) {
    return {points[0] * ta + points[1] * tb + points[2] * tc + points[3] * tw, whole_tetrahedron};
  }
  Nearest best{{}, 0};
  const auto consider = [&](int a, int b) {
    const Nearest face = nearest_on_triangle(points, a, b, 3);
    if (best.carriers == 0 || length_squared(face.v) < length_squared(best.v)) best = face;
  };
  // Beyond the faces opposite to the corners of negative weight. NaN, from a flat tetrahedron, tries all.
  if (!(ta >= 0)) consider(1, 2);
  if (!(tb >= 0)) consider(0, 2);
  if (!(tc >= 0)) consider(0, 1);
  if (best.carriers == 0) consider(0, 1); // only w's weight is negative: it did not help
  return best;
}

/// Up to four corners of A - B, and the nearest point of their hull.
class Simplex {
public:
  [[nodiscard]] int count() const { return count_; }
  /// The nearest point to the origin.
  [[nodiscard]] const Vec3& nearest() const { return v_; }
  /// Then the nearest point is 0 up to rounding.
  [[nodiscard]] bool contains_origin() const { return count_ == 4; }
  [[nodiscard]] const Vec3& on_a(int i) const { return on_a_[i]; }
  [[nodiscard]] const Vec3& on_b(int i) const { return on_b_[i]; }
  [[nodiscard]] const Vec3& difference(int i) const { return difference_[i]; }

  /// The nearest point once w is added; it stands behind the corners until `keep` or another call. Not for a simplex that contains the origin.
  [[gnu::always_inline]] Nearest with(const Corner& w) {
    difference_[count_] = w.difference;
    on_a_[count_] = w.on_a;
    on_b_[count_] = w.on_b;
    if (count_ == 1) return nearest_on_edge(difference_, 0, 1);
    if (count_ == 2) return nearest_on_triangle(difference_, 0, 1, 2);
    return count_ == 3 ? nearest_on_tetrahedron(difference_) : Nearest{w.difference, 1};
  }

  /// Drops the corners that do not carry the nearest point.
  void keep(const Nearest& next) {
    v_ = next.v;
    int kept = count_ + 1;
    if (next.carriers == (1u << kept) - 1) {
      count_ = kept;
      return;
    }
    kept = 0;
    for (int i = 0; i <= count_; ++i) {
      if (!(next.carriers >> i & 1)) continue;
      if (i != kept) {
        difference_[kept] = difference_[i];
        on_a_[kept] = on_a_[i];
        on_b_[kept] = on_b_[i];
      }
      ++kept;
    }
    count_ = kept;
  }

  /// The corners of last time, where they are now. Mostly all of them carry the nearest point still; else it is the best of all their faces.
  void take(const PairCache& cache, const CorePair& pair) {
    const unsigned all = (1u << std::clamp(cache.count, 0, 4)) - 1;
    if (all == 0 || take_inside(all, cache, pair)) return;
    Simplex best;
    for (unsigned face = 1; face < all; ++face) {
      if (take_inside(face, cache, pair) &&
          (best.count_ == 0 || length_squared(v_) < length_squared(best.v_)))
        best = *this;
    }
    *this = best;
  }

  /// With which the corners carry the nearest point: as it was found, from the corner that was added last.
  [[nodiscard]] Weights weights() const {
    const Vec3& w = difference_[count_ - 1];
    switch (count_) {
    case 1:
      return {{1}};
    case 2: {
      const Vec3 e = difference_[0] - w;
      const double t = std::min(-dot(w, e) / dot(e, e), 1.0);
      return {{t, 1 - t}};
    }
    case 3: {
      const Vec3 ea = difference_[0] - w;
      const Vec3 eb = difference_[1] - w;
      const Vec3 n = cross(ea, eb);
      const double share = 1 / dot(n, n);
      const double ta = dot(cross(eb, w), n) * share;
      const double tb = dot(cross(w, ea), n) * share;
      return {{ta, tb, std::max(0.0, 1 - ta - tb)}};
    }
    default:
      return weights_in_tetrahedron(difference_);
    }
  }

private:
  /// The corners whose bits are set, where the point nearest to the origin of all that they span is in their midst. Else the simplex is empty.
  bool take_inside(unsigned face, const PairCache& cache, const CorePair& pair) {
    count_ = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      if (!(face >> i & 1)) continue;
      const Corner c = pair.corner(cache.corners[i].on_a, cache.corners[i].on_b);
      difference_[count_] = c.difference;
      on_a_[count_] = c.on_a;
      on_b_[count_] = c.on_b;
      ++count_;
    }
    const Weights w = weights();
    v_ = {};
    bool inside = true;
    for (int i = 0; i < count_; ++i) {
      inside &= w.of[i] > 0;
      v_ += difference_[i] * w.of[i];
    }
    if (!inside) count_ = 0;
    return inside;
  }

  /// Only the first `count_` are set: to clear the others would be a twentieth of the time of a query.
  union {
    Vec3 difference_[4];
  };
  union {
    Vec3 on_a_[4];
  };
  union {
    Vec3 on_b_[4];
  };
  int count_ = 0;
  Vec3 v_;

public:
  Simplex() {} // NOLINT: leaves the unions alone
};

/// The ball inside A - B that the balls inside A and B make, grown by the distance that is near enough. Together with a corner of A - B, grown as much, it makes a tapered capsule: where that holds
/// the origin, there are points near enough.
class InnerDifference {
public:
  InnerDifference(const CorePair& pair, double near_enough)
      : pair_(pair), near_enough_(near_enough), center_(pair.inner_difference()),
        // Smaller by what the coordinates may be off.
        narrowing_(std::max(0.0, pair.inner_a().radius + pair.inner_b().radius - pair.rounding())),
        radius_(narrowing_ + near_enough), outside_(length_squared(center_) - radius_ * radius_) {}

  [[nodiscard]] const Vec3& center() const { return center_; }
  [[nodiscard]] bool contains_origin() const { return outside_ <= 0; }

  /// Whether the origin is in the tapered capsule up to w. At the share s of the way its radius is radius_ - s narrowing_; the origin is inside where a quadratic in s is
  /// not positive for some s, and its least value tells.
  [[nodiscard]] bool contains_origin_toward(const Vec3& w) const {
    const Vec3 e = w - center_;
    const double a = length_squared(e) - narrowing_ * narrowing_;
    const double b = dot(center_, e) + radius_ * narrowing_;
    return b < 0 && -b < a && b * b >= a * outside_;
  }

  /// Points of the cores at most near_enough apart: at the share of the way from the ball's centre to w. False where it was rounding that
  /// made it seem so.
  [[gnu::noinline]] bool take_points(const Corner* w, CoreDistance& result) const {
    double share = 0;
    Vec3 p = center_;
    result.on_a = pair_.inner_a().center;
    result.on_b = pair_.inner_b().center;
    if (w) {
      const Vec3 e = w->difference - center_;
      share =
          -(dot(center_, e) + radius_ * narrowing_) / (length_squared(e) - narrowing_ * narrowing_);
      p += e * share;
      result.on_a = lerp(result.on_a, w->on_a, share);
      result.on_b = lerp(result.on_b, w->on_b, share);
    }
    // Both balls reach toward each other, as far as is needed.
    const double apart = length(p);
    const double reach = (1 - share) * narrowing_;
    const double used = std::min(apart, reach);
    const double sum = pair_.inner_a().radius + pair_.inner_b().radius;
    if (used > 0) {
      const Vec3 step = p * (used / (apart * sum));
      result.on_a -= step * pair_.inner_a().radius;
      result.on_b += pair_.b_in_a().direction_to_local(step) * pair_.inner_b().radius;
    }
    result.upper = apart - used;
    result.between = p * -(result.upper > 0 ? result.upper / apart : 0);
    return result.upper <= near_enough_;
  }

private:
  const CorePair& pair_;
  double near_enough_;
  Vec3 center_;
  double narrowing_; ///< by how much the radius is smaller at the far end
  double radius_;
  double outside_; ///< the power of the origin: not positive inside
};

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
    result_.on_a = {};
    result_.on_b = {};
    for (int i = 0; i < simplex_.count(); ++i) {
      result_.on_a += simplex_.on_a(i) * weights.of[i];
      result_.on_b += simplex_.on_b(i) * weights.of[i];
      difference += simplex_.difference(i) * weights.of[i];
    }
    result_.between = -difference;
    if (simplex_.contains_origin()) return result_.answered = true;
    result_.upper = length(difference);
    // Up to a few roundings, which the bounds do not feel, and the direction little.
    const Vec3 drift = difference - simplex_.nearest();
    return result_.answered = max_abs(drift) <= 4 * pair_.rounding();
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
