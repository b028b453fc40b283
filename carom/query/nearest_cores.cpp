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

/// Steps until the axis of a curved pair is near enough for Newton's method.
constexpr int first_jump = 4;
constexpr int second_jump = 9;
constexpr int last_jump = 24;

/// Which corners of a simplex carry its point nearest to the origin. The corner `w` is new: the nearest point is on a face that has it.
struct Face {
  Vec3 v; ///< the nearest point
  int count = 0;
  int index[4];                 ///< of the corners that carry it
  double weight[4];             ///< theirs; they add up to 1
  bool contains_origin = false; ///< then v is 0 up to rounding
};

Face only(const Vec3* points, int w) { return {points[w], 1, {w}, {1}}; }

Face nearest_on_edge(const Vec3* points, int a, int w) {
  const Vec3 e = points[a] - points[w];
  const double along = -dot(points[w], e);
  if (!(along > 0)) return only(points, w);
  const double whole = dot(e, e);
  const double t = along < whole ? along / whole : 1;
  return {points[w] + e * t, 2, {a, w}, {t, 1 - t}};
}

Face nearest_on_triangle(const Vec3* points, int a, int b, int w) {
  const Vec3 ea = points[a] - points[w];
  const Vec3 eb = points[b] - points[w];
  const Vec3 p = -points[w];
  const Vec3 n = cross(ea, eb);
  const double weight_a = dot(cross(p, eb), n);
  const double weight_b = dot(cross(ea, p), n);
  if (weight_a > 0 && weight_b > 0) {
    const double share = 1 / dot(n, n);
    const double ta = weight_a * share;
    const double tb = weight_b * share;
    return {n * (dot(points[w], n) * share), 3, {a, b, w}, {ta, tb, std::max(0.0, 1 - ta - tb)}};
  }
  // Beyond an edge of w: on one of them. Where both edges lead toward the origin, the nearer.
  const bool toward_a = dot(p, ea) > 0;
  if (toward_a && dot(p, eb) > 0) {
    const Face on_a = nearest_on_edge(points, a, w);
    const Face on_b = nearest_on_edge(points, b, w);
    return length_squared(on_a.v) < length_squared(on_b.v) ? on_a : on_b;
  }
  return nearest_on_edge(points, toward_a ? a : b, w);
}

/// Of four corners, w the last.
Face nearest_on_tetrahedron(const Vec3* points) {
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
  const double tw = 1 - ta - tb - tc;
  if (ta >= 0 && tb >= 0 && tc >= 0 && tw >= 0) {
    return {points[0] * ta + points[1] * tb + points[2] * tc + points[3] * tw,
            4,
            {0, 1, 2, 3},
            {ta, tb, tc, tw},
            true};
  }
  Face best;
  const auto consider = [&](int a, int b) {
    const Face face = nearest_on_triangle(points, a, b, 3);
    if (best.count == 0 || length_squared(face.v) < length_squared(best.v)) best = face;
  };
  // Beyond the faces opposite to the corners of negative weight. NaN, from a flat tetrahedron, tries all.
  if (!(ta >= 0)) consider(1, 2);
  if (!(tb >= 0)) consider(0, 2);
  if (!(tc >= 0)) consider(0, 1);
  if (best.count == 0) consider(0, 1); // only w's weight is negative: it did not help
  return best;
}

/// Up to four corners of A - B, and the weights of the nearest point of their hull.
struct Simplex {
  Vec3 difference[4]; ///< Corner::difference of each
  Vec3 on_a[4], on_b[4];
  double weight[4] = {1, 0, 0, 0};
  int count = 0;
  Vec3 v; ///< the nearest point to the origin
  bool contains_origin = false;

  /// The nearest face once w is added; it stands behind the corners until `keep` or another call.
  Face with(const Corner& w) {
    difference[count] = w.difference;
    on_a[count] = w.on_a;
    on_b[count] = w.on_b;
    switch (count) {
    case 0:
      return only(difference, 0);
    case 1:
      return nearest_on_edge(difference, 0, 1);
    case 2:
      return nearest_on_triangle(difference, 0, 1, 2);
    default:
      return nearest_on_tetrahedron(difference);
    }
  }

  /// Drops what is not part of the face. Its corners stand in rising order.
  void keep(const Face& face) {
    for (int k = 0; k < face.count; ++k) {
      const int i = face.index[k];
      weight[k] = face.weight[k];
      if (i == k) continue;
      difference[k] = difference[i];
      on_a[k] = on_a[i];
      on_b[k] = on_b[i];
    }
    count = face.count;
    v = face.v;
    contains_origin = face.contains_origin;
  }
};

class Search {
public:
  Search(const CorePair& pair, const CoreQuestion& question)
      : pair_(pair), question_(question), next_jump_(pair.curved() ? first_jump : max_iterations) {}

  /// From the corners of last time, or from a direction between the shapes.
  void start(const PairCache* cache) {
    if (cache && cache->id_a == pair_.id_a() && cache->id_b == pair_.id_b()) {
      for (int i = 0; i < std::min(cache->count, 4) && !simplex_.contains_origin; ++i) {
        const PairCache::Corner& c = cache->corners[static_cast<std::size_t>(i)];
        simplex_.keep(simplex_.with(pair_.corner(c.on_a, c.on_b)));
      }
    }
    if (simplex_.count == 0) {
      const Vec3 between = pair_.b_in_a().origin;
      simplex_.keep(
          simplex_.with(pair_.corner_toward(between == Vec3{} ? Vec3{1, 0, 0} : between)));
      ++result_.iterations;
    }
  }

  /// True where the question is answered; false where doubles get no further.
  bool run() {
    while (result_.iterations < max_iterations) {
      if (simplex_.contains_origin) return overlapping();
      if (result_.iterations >= next_jump_) jump();
      const double upper = length(simplex_.v);
      result_.upper = upper;
      if (stopped()) return true;
      if (!(upper > pair_.rounding())) return false;
      const Vec3 v = simplex_.v;
      const Corner w = pair_.corner_toward(-v);
      ++result_.iterations;
      if (raise_lower_bound(dot(v, w.difference) / upper - pair_.rounding(), v) || stopped())
        return true;
      const Face next = simplex_.with(w);
      if (!next.contains_origin && !(length_squared(next.v) < upper * upper)) return false;
      simplex_.keep(next);
    }
    return false;
  }

  /// The answer; its axis becomes a unit vector only here.
  CoreDistance finish(bool done) {
    if (!done || !take_points()) run_slowly();
    result_.axis = normalized(result_.axis);
    return result_;
  }

  void keep(PairCache& cache) const {
    cache.id_a = pair_.id_a();
    cache.id_b = pair_.id_b();
    cache.count = simplex_.count;
    for (int i = 0; i < simplex_.count; ++i) {
      cache.corners[static_cast<std::size_t>(i)] = {simplex_.on_a[i], simplex_.on_b[i]};
    }
  }

private:
  /// Curved pairs: Newton's method from here, and on with the corners that carry its axis where they are nearer. First the quick one, for where the
  /// surfaces are smooth; where that failed, the search goes on for a while before the thorough one.
  void jump() {
    const Vec3 axis = normalized(-simplex_.v);
    const double enough = 0.25 * question_.agreement;
    const bool quick = next_jump_ < last_jump;
    const RefinedAxis found = quick ? smooth_axis(pair_, axis, enough) : refine_axis(pair_, axis, enough);
    result_.iterations += found.iterations;
    next_jump_ = next_jump_ == first_jump ? second_jump : quick ? last_jump : max_iterations;
    Simplex carrying;
    for (int i = 0; i < found.count; ++i)
      carrying.keep(carrying.with(found.corners[static_cast<std::size_t>(i)].corner));
    if (found.count > 0 && length_squared(carrying.v) < length_squared(simplex_.v))
      simplex_ = carrying;
  }

  /// All of A - B lies at least `bound` along v. True where that agrees with the upper bound: then v is the axis even where another gave a little more,
  /// so that the axis is along the line between the nearest points.
  bool raise_lower_bound(double bound, const Vec3& v) {
    const bool agrees = result_.upper - bound <= question_.agreement;
    if (agrees || bound > result_.lower) {
      result_.lower = std::max(bound, 0.0);
      result_.axis = -v;
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
  bool take_points() {
    Vec3 difference;
    for (int i = 0; i < simplex_.count; ++i) {
      result_.on_a += simplex_.on_a[i] * simplex_.weight[i];
      result_.on_b += simplex_.on_b[i] * simplex_.weight[i];
      difference += simplex_.difference[i] * simplex_.weight[i];
    }
    result_.between = -difference;
    if (simplex_.contains_origin) return result_.answered = true;
    result_.upper = length(difference);
    // Up to a few roundings, which the bounds do not feel, and the direction little.
    const Vec3 drift = difference - simplex_.v;
    return result_.answered = max_abs(drift) <= 4 * pair_.rounding();
  }

  /// Inside a tetrahedron; only one that is not too flat for its weights is believed.
  bool overlapping() {
    if (!(max_abs(simplex_.v) <= pair_.rounding())) {
      simplex_.contains_origin = false;
      return false;
    }
    result_.upper = 0;
    result_.lower = 0;
    return true;
  }

  void run_slowly() {
    const SlowA a{{&pair_}};
    const SlowB b{{&pair_}};
    const GjkResult slow = gjk(ConvexView(a), ConvexView(b));
    result_.iterations += slow.iterations;
    result_.upper = slow.closest.distance;
    result_.on_a = slow.closest.on_a;
    result_.on_b = pair_.b_in_a().to_local(slow.closest.on_b);
    result_.between = slow.closest.on_b - slow.closest.on_a;
    bool agrees = raise_lower_bound(slow.lower_bound - pair_.rounding(), -slow.axis);
    if (result_.upper > pair_.rounding()) {
      const Vec3 v = -result_.between;
      const Corner w = pair_.corner_toward(-v);
      agrees |= raise_lower_bound(dot(v, w.difference) / length(v) - pair_.rounding(), v);
    }
    result_.answered = agrees || stopped();
  }

  const CorePair& pair_;
  const CoreQuestion& question_;
  Simplex simplex_;
  CoreDistance result_;
  int next_jump_; ///< the step before which Newton's method is tried
};

} // namespace

CoreDistance nearest_cores(const CorePair& pair, const CoreQuestion& question, PairCache* cache) {
  Search search(pair, question);
  search.start(cache);
  const CoreDistance result = search.finish(search.run());
  if (cache) search.keep(*cache);
  return result;
}

} // namespace carom
