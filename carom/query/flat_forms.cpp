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

#include <cmath>

namespace carom {
namespace {

/// Three are many. Boxes of very unlike size or proportions, close together, may take more: the search is better at those.
constexpr int max_rounds = 6;

/// A point of a core: its coordinates along the edges, and where that is in A's frame.
struct Foot {
  Vec3 local, point;
};

constexpr int bits_of(unsigned free) {
  return static_cast<int>((free & 1) + (free >> 1 & 1) + (free >> 2 & 1));
}

class FlatPoint {
public:
  FlatPoint(const Vec3& own, const Vec3& in_a) : own_(own), in_a_(in_a) {}

  [[nodiscard]] const Vec3& center() const { return in_a_; }
  [[nodiscard]] Foot nearest(const Vec3&) const { return {{}, in_a_}; }
  [[nodiscard]] Foot farthest(const Vec3&) const { return {{}, in_a_}; }
  [[nodiscard]] Vec3 own(const Vec3&) const { return own_; }
  /// Bit i: the point may move both ways along edge i.
  [[nodiscard]] static unsigned free(const Vec3&) { return 0; }
  [[nodiscard]] static Vec3 without(unsigned, const Vec3& v) { return v; }
  /// The edge of a point that is free along one only, and the point at a share of it.
  [[nodiscard]] Segment edge(unsigned, const Vec3&) const { return {in_a_, in_a_}; }
  [[nodiscard]] Foot on_edge(unsigned, const Vec3&, double) const { return {{}, in_a_}; }

private:
  Vec3 own_, in_a_;
};

/// The coordinate is the share of the way, in x.
class FlatSegment {
public:
  FlatSegment(const Segment& own, const Segment& in_a)
      : own_(own), in_a_(in_a), along_(in_a.direction()) {
    const double squared = length_squared(along_);
    per_squared_ = squared > 0 ? 1 / squared : 0;
  }

  [[nodiscard]] const Segment& in_a() const { return in_a_; }
  [[nodiscard]] Vec3 center() const { return in_a_.a + along_ * 0.5; }
  [[nodiscard]] Foot at(double t) const { return {{t, 0, 0}, in_a_.at(t)}; }
  [[nodiscard]] Foot nearest(const Vec3& p) const {
    const double t = dot(p - in_a_.a, along_) * per_squared_;
    return at(t > 0 ? t < 1 ? t : 1 : 0);
  }
  [[nodiscard]] Foot farthest(const Vec3& d) const { return at(dot(along_, d) > 0 ? 1 : 0); }
  [[nodiscard]] Vec3 own(const Vec3& local) const { return own_.at(local.x); }
  [[nodiscard]] static unsigned free(const Vec3& local) { return local.x > 0 && local.x < 1; }
  [[nodiscard]] Vec3 without(unsigned free, const Vec3& v) const {
    return free ? v - along_ * (dot(v, along_) * per_squared_) : v;
  }
  [[nodiscard]] Segment edge(unsigned, const Vec3&) const { return in_a_; }
  [[nodiscard]] Foot on_edge(unsigned, const Vec3&, double t) const { return at(t); }

private:
  Segment own_, in_a_;
  Vec3 along_;
  double per_squared_;
};

/// The box of A along its own axes: nothing to turn.
struct OwnPlace {
  [[nodiscard]] static const Vec3& to_world(const Vec3& p) { return p; }
  [[nodiscard]] static const Vec3& to_local(const Vec3& p) { return p; }
  [[nodiscard]] static const Vec3& direction_to_world(const Vec3& v) { return v; }
  [[nodiscard]] static const Vec3& direction_to_local(const Vec3& v) { return v; }
};

template<class Place>
class FlatBox {
public:
  /// `turned`: the box, where it does not lie along the axes of its own frame.
  FlatBox(const Vec3& half, const Place& place, const Obb* turned)
      : half_(half), place_(place), turned_(turned) {}

  [[nodiscard]] Vec3 center() const { return place_.to_world({}); }
  [[nodiscard]] Foot at(const Vec3& local) const { return {local, place_.to_world(local)}; }
  [[nodiscard]] Foot nearest(const Vec3& p) const {
    return at(min(max(place_.to_local(p), -half_), half_));
  }
  [[nodiscard]] Foot farthest(const Vec3& d) const {
    const Vec3 local = place_.direction_to_local(d);
    return at({std::copysign(half_.x, local.x), std::copysign(half_.y, local.y),
               std::copysign(half_.z, local.z)});
  }
  [[nodiscard]] Vec3 own(const Vec3& local) const {
    return turned_ ? turned_->frame().to_world(local) : local;
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
  Place place_;
  const Obb* turned_;
};

template<class X, class Y>
class Walk {
public:
  Walk(const CorePair& pair, const X& x, const Y& y, CoreDistance& result)
      : pair_(pair), x_(x), y_(y), result_(result) {}

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
    return distance_squared(p_.point, q_.point) > pair_.rounding() * pair_.rounding();
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
    Proposal r{x_.own(p_.local), y_.own(q_.local), q_.point - p_.point, 0, {}};
    r.distance = length(r.between);
    r.axis = r.between * (1 / r.distance);
    return take_if_proved(pair_, r, result_) || proved_along_features(r);
  }

  /// The same without what rounding put into the axis.
  [[gnu::noinline]] bool proved_along_features(Proposal& r) const {
    const unsigned free_x = x_.free(p_.local);
    const unsigned free_y = y_.free(q_.local);
    if (!(r.distance > 0) || (free_x | free_y) == 0) return false;
    Vec3 n = y_.without(free_y, x_.without(free_x, r.between));
    if (bits_of(free_x) == 1 && bits_of(free_y) == 1) {
      // At right angles to both. Of parallel edges it is nothing, and the other will do.
      const Vec3 u = x_.edge(free_x, p_.local).direction();
      const Vec3 v = y_.edge(free_y, q_.local).direction();
      const Vec3 across = cross(u, v);
      if (length_squared(across) > 1e-16 * (length_squared(u) * length_squared(v)))
        n = across * (dot(across, r.between) < 0 ? -1 : 1);
    }
    r.axis = normalized(n);
    return take_if_proved(pair_, r, result_);
  }

  const CorePair& pair_;
  const X& x_;
  const Y& y_;
  CoreDistance& result_;
  Foot p_, q_;
};

/// A's core and B's, as they are in A's frame.
struct PlaceA {
  static FlatPoint flat(const Shape&, const CorePair&, const Vec3& p) { return {p, p}; }
  static FlatSegment flat(const Shape&, const CorePair&, const Segment& s) { return {s, s}; }
};
struct PlaceB {
  static FlatPoint flat(const Shape&, const CorePair& pair, const Vec3& p) {
    return {p, pair.b_in_a().to_world(p)};
  }
  static FlatSegment flat(const Shape&, const CorePair& pair, const Segment& s) {
    return {s, {pair.b_in_a().to_world(s.a), pair.b_in_a().to_world(s.b)}};
  }
  static FlatBox<Frame> flat(const Shape& shape, const CorePair& pair, const Obb& box) {
    const Frame& b = pair.b_in_a();
    if (shape.core_support().how() == CoreSupport::How::box) return {box.half, b, nullptr};
    return {box.half, {b.basis * box.axes, b.to_world(box.center)}, &box};
  }
};

template<class X, class Y>
bool walk(const CorePair& pair, const X& x, const Y& y, CoreDistance& result) {
  return Walk<X, Y>(pair, x, y, result).run();
}
bool walk(const CorePair& pair, const FlatSegment& x, const FlatSegment& y, CoreDistance& result) {
  return Walk<FlatSegment, FlatSegment>(pair, x, y, result).try_edges(1, 1);
}

} // namespace

template<class A, class B>
bool flat_form(const Shape& a, const Shape& b, const CorePair& pair, CoreDistance& result) {
  const A& core_a = *std::get_if<A>(&a.core());
  const auto y = PlaceB::flat(b, pair, *std::get_if<B>(&b.core()));
  if constexpr (std::is_same_v<A, Obb>) {
    if (a.core_support().how() == CoreSupport::How::box)
      return walk(pair, FlatBox<OwnPlace>(core_a.half, {}, nullptr), y, result);
    return walk(pair, FlatBox<Frame>(core_a.half, core_a.frame(), &core_a), y, result);
  } else {
    return walk(pair, PlaceA::flat(a, pair, core_a), y, result);
  }
}

template bool flat_form<Vec3, Vec3>(const Shape&, const Shape&, const CorePair&, CoreDistance&);
template bool flat_form<Vec3, Segment>(const Shape&, const Shape&, const CorePair&, CoreDistance&);
template bool flat_form<Vec3, Obb>(const Shape&, const Shape&, const CorePair&, CoreDistance&);
template bool flat_form<Segment, Vec3>(const Shape&, const Shape&, const CorePair&, CoreDistance&);
template bool flat_form<Segment, Segment>(const Shape&, const Shape&, const CorePair&,
                                          CoreDistance&);
template bool flat_form<Segment, Obb>(const Shape&, const Shape&, const CorePair&, CoreDistance&);
template bool flat_form<Obb, Vec3>(const Shape&, const Shape&, const CorePair&, CoreDistance&);
template bool flat_form<Obb, Segment>(const Shape&, const Shape&, const CorePair&, CoreDistance&);
template bool flat_form<Obb, Obb>(const Shape&, const Shape&, const CorePair&, CoreDistance&);

} // namespace carom
