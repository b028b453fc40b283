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

struct Simplex {
  Corner corner[4];
  double weight[4] = {1, 0, 0, 0};
  int count = 0;
  Vec3 v;                       ///< the nearest point to the origin: the corners, weighted
  bool contains_origin = false; ///< then v is not the nearest point but 0 up to rounding
};

Simplex only(const Corner& w) { return {{w}, {1, 0, 0, 0}, 1, w.difference}; }

/// The nearest point of the edge from w to a, w being new: never a alone.
Simplex nearest_on_edge(const Corner& a, const Corner& w) {
  const Vec3 e = a.difference - w.difference;
  const double along = -dot(w.difference, e);
  const double whole = dot(e, e);
  if (!(along > 0)) return only(w);
  const double t = along < whole ? along / whole : 1;
  return {{a, w}, {t, 1 - t, 0, 0}, 2, w.difference + e * t};
}

/// The nearest point of the triangle a, b, w, w being new: it is not on the edge from a to b.
Simplex nearest_on_triangle(const Corner& a, const Corner& b, const Corner& w) {
  const Vec3 ea = a.difference - w.difference;
  const Vec3 eb = b.difference - w.difference;
  const Vec3 p = -w.difference;
  const Vec3 n = cross(ea, eb);
  const double weight_a = dot(cross(p, eb), n);
  const double weight_b = dot(cross(ea, p), n);
  if (weight_a > 0 && weight_b > 0) {
    const double whole = dot(n, n);
    const double ta = weight_a / whole;
    const double tb = weight_b / whole;
    return {
        {a, b, w}, {ta, tb, std::max(0.0, 1 - ta - tb), 0}, 3, n * (dot(w.difference, n) / whole)};
  }
  // Beyond an edge of w: on one of them. Where both edges lead toward the origin, the nearer.
  const bool toward_a = dot(p, ea) > 0;
  const bool toward_b = dot(p, eb) > 0;
  if (toward_a && toward_b) {
    const Simplex on_a = nearest_on_edge(a, w);
    const Simplex on_b = nearest_on_edge(b, w);
    return length_squared(on_a.v) < length_squared(on_b.v) ? on_a : on_b;
  }
  return nearest_on_edge(toward_a ? a : b, w);
}

/// The nearest point of the tetrahedron a, b, c, w, w being new: the origin itself, or on a face that has w.
Simplex nearest_on_tetrahedron(const Corner& a, const Corner& b, const Corner& c, const Corner& w) {
  const Vec3 ea = a.difference - w.difference;
  const Vec3 eb = b.difference - w.difference;
  const Vec3 ec = c.difference - w.difference;
  const Vec3 p = -w.difference;
  const Vec3 bc = cross(eb, ec);
  const double whole = dot(ea, bc);
  const Vec3 pa = cross(p, ea);
  const double ta = dot(p, bc) / whole;
  const double tb = dot(pa, ec) / whole;
  const double tc = -dot(pa, eb) / whole;
  const double tw = 1 - ta - tb - tc;
  if (ta >= 0 && tb >= 0 && tc >= 0 && tw >= 0) {
    return {{a, b, c, w},
            {ta, tb, tc, tw},
            4,
            a.difference * ta + b.difference * tb + c.difference * tc + w.difference * tw,
            true};
  }
  Simplex best;
  const auto consider = [&](const Simplex& s) {
    if (best.count == 0 || length_squared(s.v) < length_squared(best.v)) best = s;
  };
  // NaN, from a flat tetrahedron, tries all.
  if (!(ta >= 0)) consider(nearest_on_triangle(b, c, w));
  if (!(tb >= 0)) consider(nearest_on_triangle(a, c, w));
  if (!(tc >= 0)) consider(nearest_on_triangle(a, b, w));
  if (best.count == 0) consider(nearest_on_triangle(a, b, w)); // only tw < 0: w did not help
  return best;
}

Simplex with_corner(const Simplex& s, const Corner& w) {
  switch (s.count) {
  case 0:
    return only(w);
  case 1:
    return nearest_on_edge(s.corner[0], w);
  case 2:
    return nearest_on_triangle(s.corner[0], s.corner[1], w);
  default:
    return nearest_on_tetrahedron(s.corner[0], s.corner[1], s.corner[2], w);
  }
}

class Search {
public:
  Search(const CorePair& pair, const CoreQuestion& question) : pair_(pair), question_(question) {}

  /// From the corners of last time, or from a direction between the shapes.
  void start(const PairCache* cache) {
    if (cache && cache->id_a == pair_.id_a() && cache->id_b == pair_.id_b()) {
      for (int i = 0; i < cache->count && !simplex_.contains_origin; ++i) {
        const PairCache::Corner& c = cache->corners[static_cast<std::size_t>(i)];
        simplex_ = with_corner(simplex_, pair_.corner(c.on_a, c.on_b));
      }
    }
    if (simplex_.count == 0) {
      simplex_ = only(pair_.corner_toward(normalized(pair_.b_in_a().origin)));
      ++result_.iterations;
    }
  }

  /// True where the question is answered; false where doubles get no further.
  bool run() {
    while (result_.iterations < max_iterations) {
      if (simplex_.contains_origin) return overlapping();
      const double upper = length(simplex_.v);
      result_.upper = upper;
      if (answered()) return true;
      if (!(upper > pair_.rounding())) return false;
      const Vec3 d = simplex_.v / upper;
      const Corner w = pair_.corner_toward(-d);
      ++result_.iterations;
      raise_lower_bound(dot(d, w.difference) - pair_.rounding(), -d);
      if (answered()) return true;
      const Simplex next = with_corner(simplex_, w);
      if (!next.contains_origin && !(length_squared(next.v) < length_squared(simplex_.v)))
        return false;
      simplex_ = next;
    }
    return false;
  }

  CoreDistance finish(bool done) {
    if (!done) {
      run_slowly();
    } else {
      for (int i = 0; i < simplex_.count; ++i) {
        result_.on_a += simplex_.corner[i].on_a * simplex_.weight[i];
        result_.on_b += simplex_.corner[i].on_b * simplex_.weight[i];
      }
      result_.between = -simplex_.v;
      result_.answered = true;
    }
    return result_;
  }

  void keep(PairCache& cache) const {
    cache.id_a = pair_.id_a();
    cache.id_b = pair_.id_b();
    cache.count = simplex_.count;
    for (int i = 0; i < simplex_.count; ++i) {
      cache.corners[static_cast<std::size_t>(i)] = {simplex_.corner[i].on_a,
                                                    simplex_.corner[i].on_b};
    }
  }

private:
  void raise_lower_bound(double bound, const Vec3& axis) {
    if (bound <= result_.lower) return;
    result_.lower = bound;
    result_.axis = axis;
  }

  [[nodiscard]] bool answered() const {
    const double apart = result_.upper - question_.radius;
    const double error =
        std::max({pair_.agreement(), question_.absolute_error, question_.relative_error * apart});
    return result_.upper - result_.lower <= error || result_.upper <= question_.below ||
           result_.lower > question_.above;
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
    // The slow search knows one kind of question: above or below?
    const double question = question_.below == question_.above ? question_.below : NAN;
    const GjkResult slow = gjk(ConvexView(a), ConvexView(b), question);
    result_.iterations += slow.iterations;
    result_.upper = slow.closest.distance;
    result_.on_a = slow.closest.on_a;
    result_.on_b = pair_.b_in_a().to_local(slow.closest.on_b);
    result_.between = slow.closest.on_b - slow.closest.on_a;
    raise_lower_bound(slow.lower_bound - pair_.rounding(), slow.axis);
    result_.answered = answered();
  }

  const CorePair& pair_;
  const CoreQuestion& question_;
  Simplex simplex_;
  CoreDistance result_;
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
