// The point of a box nearest to a given one is a matter of clamping its coordinates; that of a segment, of one dot product. So go to and fro: from a point of A to
// the nearest of B, from there to the nearest of A. Where a step leads back to where it came from, each of the two points is nearest to the other, and
// convex sets have no other such pairs but their nearest points.
//
// As soon as one of the two is the right corner, the next step is the last. That is the commonest case by far. What is left would take many small steps, and is made in one:
// - an edge against an edge: to the nearest points of the two edges;
// - a face against an edge or a face, not quite parallel: to the end that is nearest to the face.
//
// Rounding. The difference of nearby points is off by roundings of their coordinates, which tilts the axis, the more so the nearer they are. Along an edge or a face on
// which one of the points lies the axis has no component: without it the axis is right again, to a few roundings of its own length.
#include "carom/query/flat_forms.h"

#include "carom/geometry/closest_line.h"
#include "carom/query/formula_axes.h"

#include <cmath>

namespace carom {
namespace {

/// Three are many. Boxes of very unlike size or proportions, close together, may take more: the search is better at those.
constexpr int max_rounds = 6;

/// A point of a core: its coordinates along the edges, and where that is from A's position.
struct Foot {
  Vec3 local, point;
};

constexpr int bits_of(unsigned free) {
  return static_cast<int>((free & 1) + (free >> 1 & 1) + (free >> 2 & 1));
}

class FlatPoint {
public:
  FlatPoint(const Vec3& core, const Quat& rotation, const Vec3& origin)
      : at_(core == Vec3{} ? origin : to_matrix(rotation) * core + origin) {}

  [[nodiscard]] const Vec3& center() const { return at_; }
  [[nodiscard]] Foot nearest(const Vec3&) const { return {{}, at_}; }
  [[nodiscard]] Foot farthest(const Vec3&) const { return {{}, at_}; }
  /// Bit i: the point may move both ways along edge i.
  [[nodiscard]] static unsigned free(const Vec3&) { return 0; }
  [[nodiscard]] static Vec3 without(unsigned, const Vec3& v) { return v; }
  /// How much farther along d the core reaches than its point there.
  [[nodiscard]] static double slack(const Vec3&, const Vec3&) { return 0; }
  /// The edge of a point that is free along one only, and the point at a share of it.
  [[nodiscard]] Segment edge(unsigned, const Vec3&) const { return {at_, at_}; }
  [[nodiscard]] Foot on_edge(unsigned, const Vec3&, double) const { return {{}, at_}; }

private:
  Vec3 at_;
};

/// The coordinate is the share of the way, in x.
class FlatSegment {
public:
  FlatSegment(const Segment& core, const Quat& rotation, const Vec3& origin) {
    const Mat3 turn = to_matrix(rotation);
    ends_ = {turn * core.a + origin, turn * core.b + origin};
    along_ = ends_.direction();
    const double squared = length_squared(along_);
    per_squared_ = squared > 0 ? 1 / squared : 0;
  }

  [[nodiscard]] Vec3 center() const { return ends_.a + along_ * 0.5; }
  [[nodiscard]] Foot at(double t) const { return {{t, 0, 0}, ends_.at(t)}; }
  [[nodiscard]] Foot nearest(const Vec3& p) const {
    const double t = dot(p - ends_.a, along_) * per_squared_;
    return at(t > 0 ? t < 1 ? t : 1 : 0);
  }
  [[nodiscard]] Foot farthest(const Vec3& d) const { return at(dot(along_, d) > 0 ? 1 : 0); }
  [[nodiscard]] static unsigned free(const Vec3& local) { return local.x > 0 && local.x < 1; }
  [[nodiscard]] Vec3 without(unsigned free, const Vec3& v) const {
    return free ? v - along_ * (dot(v, along_) * per_squared_) : v;
  }
  [[nodiscard]] double slack(const Vec3& local, const Vec3& d) const {
    const double rise = dot(along_, d);
    return rise > 0 ? rise * (1 - local.x) : -rise * local.x;
  }
  [[nodiscard]] Segment edge(unsigned, const Vec3&) const { return ends_; }
  [[nodiscard]] Foot on_edge(unsigned, const Vec3&, double t) const { return at(t); }

private:
  Segment ends_;
  Vec3 along_;
  double per_squared_;
};

/// The coordinates are those of the box.
class FlatBox {
public:
  FlatBox(const Obb& core, const Quat& rotation, const Vec3& origin)
      : half_(core.half), place_{to_matrix(rotation), origin} {}
  /// Of one that does not lie along the axes of its own frame.
  FlatBox(const Obb& core, const Frame& place)
      : half_(core.half), place_{place.basis * core.axes, place.to_world(core.center)} {}

  [[nodiscard]] const Vec3& center() const { return place_.origin; }
  [[nodiscard]] Foot at(const Vec3& local) const { return {local, place_.to_world(local)}; }
  [[nodiscard]] Foot nearest(const Vec3& p) const {
    return at(min(max(place_.to_local(p), -half_), half_));
  }
  [[nodiscard]] Foot farthest(const Vec3& d) const {
    const Vec3 local = place_.direction_to_local(d);
    return at({std::copysign(half_.x, local.x), std::copysign(half_.y, local.y),
               std::copysign(half_.z, local.z)});
  }
  [[nodiscard]] unsigned free(const Vec3& local) const {
    const Vec3 p = abs(local);
    return static_cast<unsigned>(p.x < half_.x) | static_cast<unsigned>(p.y < half_.y) << 1 |
           static_cast<unsigned>(p.z < half_.z) << 2;
  }
  [[nodiscard]] Vec3 without(unsigned free, const Vec3& v) const {
    const Vec3 local = place_.direction_to_local(v);
    return place_.direction_to_world(
        {free & 1 ? 0 : local.x, free & 2 ? 0 : local.y, free & 4 ? 0 : local.z});
  }
  [[nodiscard]] double slack(const Vec3& local, const Vec3& d) const {
    const Vec3 n = place_.direction_to_local(d);
    return dot(abs(n), half_) - dot(n, local);
  }
  [[nodiscard]] Segment edge(unsigned free, const Vec3& local) const {
    return {on_edge(free, local, 0).point, on_edge(free, local, 1).point};
  }
  [[nodiscard]] Foot on_edge(unsigned free, Vec3 local, double t) const {
    const int i = static_cast<int>(free >> 1); // of 1, 2, 4
    local[i] = half_[i] * (2 * t - 1);
    return at(local);
  }

private:
  Vec3 half_;
  Frame place_;
};

template<class X, class Y>
class Walk {
public:
  Walk(const FormPair& pair, const X& x, const Y& y, FormAnswer& answer)
      : pair_(pair), x_(x), y_(y), answer_(answer) {}

  bool run() {
    start_at(x_.nearest(y_.center()));
    for (int round = 0; round < max_rounds && apart(); ++round) {
      const Foot back = x_.nearest(q_.point);
      if (back.local == p_.local) return proved();
      p_ = back;
      const Foot forth = y_.nearest(p_.point);
      if (forth.local == q_.local) return proved();
      q_ = forth;
      if (jumped_to_the_end()) return true;
    }
    return false;
  }

  /// Whether the nearest points of two edges are those of the cores; if not, they are where to go on from.
  bool try_edges(unsigned free_x, unsigned free_y) {
    const ClosestLines c =
        closest_points(x_.edge(free_x, p_.local), y_.edge(free_y, q_.local));
    p_ = x_.on_edge(free_x, p_.local, c.s);
    q_ = y_.on_edge(free_y, q_.local, c.t);
    return proved();
  }

private:
  void start_at(const Foot& p) {
    p_ = p;
    q_ = y_.nearest(p.point);
  }

  [[nodiscard]] bool apart() const {
    return distance_squared(p_.point, q_.point) > pair_.rounding * pair_.rounding;
  }

  [[gnu::noinline]] bool jumped_to_the_end() {
    const unsigned free_x = x_.free(p_.local);
    const unsigned free_y = y_.free(q_.local);
    const int across_x = bits_of(free_x);
    const int across_y = bits_of(free_y);
    if (across_x == 1 && across_y == 1) {
      if (try_edges(free_x, free_y)) return true;
      start_at(p_);
    } else if (across_x + across_y > 2 && apart()) {
      const Vec3 n = q_.point - p_.point;
      start_at(across_x > 1 ? x_.nearest(y_.farthest(-n).point) : x_.farthest(n));
    }
    return false;
  }

  bool proved() {
    answer_.take_points(p_.point, q_.point);
    const Vec3 n = (q_.point - p_.point) * (1 / answer_.distance);
    return proved_along(n) || proved_along_features();
  }
  bool proved_along(const Vec3& n) {
    return answer_.take_axis(pair_, n, x_.slack(p_.local, n), y_.slack(q_.local, -n));
  }

  /// Without what rounding put into the axis.
  [[gnu::noinline]] bool proved_along_features() {
    const unsigned free_x = x_.free(p_.local);
    const unsigned free_y = y_.free(q_.local);
    const Vec3 between = q_.point - p_.point;
    if (!(answer_.distance > 0) || (free_x | free_y) == 0) return false;
    Vec3 n = y_.without(free_y, x_.without(free_x, between));
    if (bits_of(free_x) == 1 && bits_of(free_y) == 1) {
      // At right angles to both. Of parallel edges it is nothing, and the other will do.
      const Vec3 u = x_.edge(free_x, p_.local).direction();
      const Vec3 v = y_.edge(free_y, q_.local).direction();
      const Vec3 across = cross(u, v);
      if (length_squared(across) > 1e-16 * (length_squared(u) * length_squared(v)))
        n = across * (dot(across, between) < 0 ? -1 : 1);
    }
    return proved_along(normalized(n));
  }

  const FormPair& pair_;
  const X& x_;
  const Y& y_;
  FormAnswer& answer_;
  Foot p_, q_;
};

template<class X, class Y>
bool walk(const FormPair& pair, const X& x, const Y& y, FormAnswer& answer) {
  Walk<X, Y> w(pair, x, y, answer);
  if constexpr (std::is_same_v<X, FlatSegment> && std::is_same_v<Y, FlatSegment>) {
    return w.try_edges(1, 1);
  } else {
    return w.run();
  }
}

FlatPoint flat(const Vec3& core, const Shape&, const Quat& rotation, const Vec3& origin) {
  return {core, rotation, origin};
}
FlatSegment flat(const Segment& core, const Shape&, const Quat& rotation, const Vec3& origin) {
  return {core, rotation, origin};
}
FlatBox flat(const Obb& core, const Shape& shape, const Quat& rotation, const Vec3& origin) {
  if (shape.core_support().how() == CoreSupport::How::box) return {core, rotation, origin};
  return {core, Frame{to_matrix(rotation), origin}};
}

/// Whether a core is what its form takes it for.
bool usable(const Vec3&, const Shape&) { return true; }
bool usable(const Segment&, const Shape&) { return true; }
bool usable(const Obb& core, const Shape& shape) {
  return shape.core_support().how() == CoreSupport::How::box || is_orthonormal(core.axes);
}

} // namespace

template<class A, class B>
bool flat_form(const FormPair& pair, FormAnswer& answer) {
  const A& a = *std::get_if<A>(&pair.a.core());
  const B& b = *std::get_if<B>(&pair.b.core());
  if (!usable(a, pair.a) || !usable(b, pair.b)) return false;
  return walk(pair, flat(a, pair.a, pair.pose_a.rotation, {}),
              flat(b, pair.b, pair.pose_b.rotation, pair.translation), answer);
}

template bool flat_form<Vec3, Vec3>(const FormPair&, FormAnswer&);
template bool flat_form<Vec3, Segment>(const FormPair&, FormAnswer&);
template bool flat_form<Vec3, Obb>(const FormPair&, FormAnswer&);
template bool flat_form<Segment, Vec3>(const FormPair&, FormAnswer&);
template bool flat_form<Segment, Segment>(const FormPair&, FormAnswer&);
template bool flat_form<Segment, Obb>(const FormPair&, FormAnswer&);
template bool flat_form<Obb, Vec3>(const FormPair&, FormAnswer&);
template bool flat_form<Obb, Segment>(const FormPair&, FormAnswer&);
template bool flat_form<Obb, Obb>(const FormPair&, FormAnswer&);

} // namespace carom
