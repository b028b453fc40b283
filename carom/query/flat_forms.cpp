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
#include "carom/query/relative_frame.h"

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
  explicit FlatPoint(const Vec3& at) : at_(at) {}

  [[nodiscard]] const Vec3& center() const { return at_; }
  [[nodiscard]] Foot nearest(const Vec3&) const { return {{}, at_}; }
  [[nodiscard]] Foot farthest(const Vec3&) const { return {{}, at_}; }
  [[nodiscard]] static bool same(const Vec3&, const Vec3&) { return true; }
  /// Bit i: the point may move both ways along edge i.
  [[nodiscard]] static unsigned free_along(const Vec3&) { return 0; }
  [[nodiscard]] static Vec3 without(unsigned, const Vec3& v) { return v; }
  /// How much farther along d the core reaches than its point there, and how much farther against it.
  [[nodiscard]] static double slack_along(const Vec3&, const Vec3&) { return 0; }
  [[nodiscard]] static double slack_against(const Vec3&, const Vec3&) { return 0; }
  /// The edge of a point that is free along one only, and the point at a share of it.
  [[nodiscard]] Segment edge(unsigned, const Vec3&) const { return {at_, at_}; }
  [[nodiscard]] Foot on_edge(unsigned, const Vec3&, double) const { return {{}, at_}; }

private:
  Vec3 at_;
};

/// The coordinate is the share of the way, in x.
class FlatSegment {
public:
  explicit FlatSegment(const Segment& ends) : ends_(ends), along_(ends.direction()) {
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
  [[nodiscard]] static bool same(const Vec3& p, const Vec3& q) { return p.x == q.x; }
  [[nodiscard]] static unsigned free_along(const Vec3& local) { return local.x > 0 && local.x < 1; }
  [[nodiscard]] Vec3 without(unsigned free, const Vec3& v) const {
    return free ? v - along_ * (dot(v, along_) * per_squared_) : v;
  }
  [[nodiscard]] double slack_along(const Vec3& local, const Vec3& d) const {
    const double rise = dot(along_, d);
    return rise > 0 ? rise * (1 - local.x) : -rise * local.x;
  }
  [[nodiscard]] double slack_against(const Vec3& local, const Vec3& d) const {
    return slack_along(local, -d);
  }
  [[nodiscard]] Segment edge(unsigned, const Vec3&) const { return ends_; }
  [[nodiscard]] Foot on_edge(unsigned, const Vec3&, double t) const { return at(t); }

private:
  Segment ends_;
  Vec3 along_;
  double per_squared_;
};

/// The place of a box whose frame is the one that all is seen from.
struct OwnPlace {
  [[nodiscard]] static Vec3 to_world(const Vec3& p) { return p; }
  [[nodiscard]] static Vec3 to_local(const Vec3& p) { return p; }
  [[nodiscard]] static Vec3 direction_to_world(const Vec3& v) { return v; }
  [[nodiscard]] static Vec3 direction_to_local(const Vec3& v) { return v; }
};

/// The coordinates are those of the box.
template<class Place>
class FlatBox {
public:
  FlatBox(const Vec3& half, const Place& place) : half_(half), low_(-half), place_(place) {}

  [[nodiscard]] const Vec3& center() const { return place_.origin; }
  [[nodiscard]] Foot at(const Vec3& local) const { return {local, place_.to_world(local)}; }
  [[nodiscard]] Foot nearest(const Vec3& p) const {
    return at(min(max(place_.to_local(p), low_), half_));
  }
  [[nodiscard]] Foot farthest(const Vec3& d) const {
    const Vec3 local = place_.direction_to_local(d);
    return at({std::copysign(half_.x, local.x), std::copysign(half_.y, local.y),
               std::copysign(half_.z, local.z)});
  }
  /// In one, for one branch.
  [[nodiscard]] static bool same(const Vec3& p, const Vec3& q) {
    return static_cast<int>(p.x == q.x) & static_cast<int>(p.y == q.y) &
           static_cast<int>(p.z == q.z);
  }
  [[nodiscard]] unsigned free_along(const Vec3& local) const {
    const Vec3 p = abs(local);
    return static_cast<unsigned>(p.x < half_.x) | static_cast<unsigned>(p.y < half_.y) << 1 |
           static_cast<unsigned>(p.z < half_.z) << 2;
  }
  [[nodiscard]] Vec3 without(unsigned free, const Vec3& v) const {
    const Vec3 local = place_.direction_to_local(v);
    return place_.direction_to_world(
        {free & 1 ? 0 : local.x, free & 2 ? 0 : local.y, free & 4 ? 0 : local.z});
  }
  [[nodiscard]] double slack_along(const Vec3& local, const Vec3& d) const {
    const Vec3 n = place_.direction_to_local(d);
    return dot(abs(n), half_) - dot(n, local);
  }
  [[nodiscard]] double slack_against(const Vec3& local, const Vec3& d) const {
    const Vec3 n = place_.direction_to_local(d);
    return dot(abs(n), half_) + dot(n, local);
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
  Vec3 half_, low_;
  Place place_;
};

/// A point of each core.
struct Feet {
  Foot p, q;
  bool mutual = false; ///< each is nearest to the other on the edges that they are on
};

/// A walk between two cores. The feet are passed by value: they stay in registers, away from what is seldom called.
template<class X, class Y>
class Walk {
public:
  Walk(const FormPair& pair, const X& x, const Y& y) : pair_(pair), x_(x), y_(y) {}

  [[gnu::always_inline]] bool run(FormAnswer& answer) const {
    Foot p = x_.nearest(y_.center());
    Foot q = y_.nearest(p.point);
    for (int round = 0; round < max_rounds; ++round) {
      // There and back again in one, with one branch: which of the two steps is the last is a coin's toss.
      p = x_.nearest(q.point);
      const Foot forth = y_.nearest(p.point);
      if (y_.same(forth.local, q.local)) return proved(p, q, answer);
      const Feet next = jump(p, forth);
      if (next.mutual && proved(next.p, next.q, answer)) return true;
      if (!apart(next)) return false;
      q = next.q;
    }
    return false;
  }

  /// The nearest points of the two edges that these lie on.
  [[nodiscard]] Feet on_edges(unsigned free_x, unsigned free_y, const Feet& f) const {
    const ClosestLines c = closest_points(x_.edge(free_x, f.p.local), y_.edge(free_y, f.q.local));
    return {x_.on_edge(free_x, f.p.local, c.s), y_.on_edge(free_y, f.q.local, c.t), true};
  }

  [[gnu::always_inline]] bool proved(const Foot& p, const Foot& q, FormAnswer& answer) const {
    const Vec3 between = q.point - p.point;
    const double l = length(between);
    const Vec3 n = between * (1 / l);
    const bool yes = answer.take_straight(pair_, p.point, between, l, n, x_.slack_along(p.local, n),
                                          y_.slack_against(q.local, n));
    return yes || proved_along_features({p, q}, answer);
  }

private:
  [[nodiscard]] bool apart(const Feet& f) const {
    return distance_squared(f.p.point, f.q.point) > pair_.rounding * pair_.rounding;
  }

  /// On from where each step is small.
  [[nodiscard, gnu::noinline]] Feet jump(const Foot p, const Foot q) const {
    const unsigned free_x = x_.free_along(p.local);
    const unsigned free_y = y_.free_along(q.local);
    const int across_x = bits_of(free_x);
    const int across_y = bits_of(free_y);
    if (across_x == 1 && across_y == 1) return on_edges(free_x, free_y, {p, q});
    if (across_x + across_y <= 2) return {p, q};
    const Vec3 n = q.point - p.point;
    const Foot from = across_x > 1 ? x_.nearest(y_.farthest(-n).point) : x_.farthest(n);
    return {from, y_.nearest(from.point)};
  }

  /// Without what rounding put into the axis.
  [[gnu::noinline]] bool proved_along_features(const Feet f, FormAnswer& answer) const {
    const unsigned free_x = x_.free_along(f.p.local);
    const unsigned free_y = y_.free_along(f.q.local);
    const Vec3 between = f.q.point - f.p.point;
    if (!(max_abs(between) > 0) || (free_x | free_y) == 0) return false;
    Vec3 n = y_.without(free_y, x_.without(free_x, between));
    if (bits_of(free_x) == 1 && bits_of(free_y) == 1) {
      // At right angles to both. Of parallel edges it is nothing, and the other will do.
      const Vec3 u = x_.edge(free_x, f.p.local).direction();
      const Vec3 v = y_.edge(free_y, f.q.local).direction();
      const Vec3 across = cross(u, v);
      if (length_squared(across) > 1e-16 * (length_squared(u) * length_squared(v)))
        n = across * (dot(across, between) < 0 ? -1 : 1);
    }
    n = normalized(n);
    return answer.take(pair_, f.p.point, between, length(between), n, x_.slack_along(f.p.local, n),
                       y_.slack_against(f.q.local, n));
  }

  const FormPair& pair_;
  const X& x_;
  const Y& y_;
};

template<class X, class Y>
[[gnu::always_inline]] inline bool walk(const FormPair& pair, const X& x, const Y& y,
                                        FormAnswer& answer) {
  return Walk<X, Y>(pair, x, y).run(answer);
}
inline bool walk(const FormPair& pair, const FlatSegment& x, const FlatSegment& y,
                 FormAnswer& answer) {
  const Walk<FlatSegment, FlatSegment> w(pair, x, y);
  const Feet f = w.on_edges(1, 1, {});
  return w.proved(f.p, f.q, answer);
}

/// A core and where it is from A's position.
template<class Core>
struct Placed {
  const Core& core;
  const Shape& shape;
  const Quat& rotation;
  Vec3 origin;

  [[nodiscard]] Frame frame() const { return {to_matrix(rotation), origin}; }
};

[[gnu::always_inline]] inline FlatPoint flat(const Placed<Vec3>& p) {
  return FlatPoint(p.core == Vec3{} ? p.origin : p.frame().to_world(p.core));
}
[[gnu::always_inline]] inline FlatPoint flat(const Placed<Vec3>& p, const Frame& from) {
  return FlatPoint(from.to_local(flat(p).center()));
}
[[gnu::always_inline]] inline FlatSegment flat(const Placed<Segment>& p) {
  const Frame frame = p.frame();
  return FlatSegment({frame.to_world(p.core.a), frame.to_world(p.core.b)});
}
[[gnu::always_inline]] inline FlatSegment flat(const Placed<Segment>& p, const Frame& from) {
  const Frame frame = p.frame();
  return FlatSegment(
      {from.to_local(frame.to_world(p.core.a)), from.to_local(frame.to_world(p.core.b))});
}

[[gnu::always_inline]] inline bool is_plain(const Placed<Obb>& p) {
  return p.shape.core_support().how() == CoreSupport::How::box;
}
/// The frame in which the box lies along the axes.
[[gnu::always_inline]] inline Frame box_frame(const Placed<Obb>& p) {
  const Frame frame = p.frame();
  if (is_plain(p)) return frame;
  return {frame.basis * p.core.axes, frame.to_world(p.core.center)};
}
[[gnu::always_inline]] inline FlatBox<Frame> flat(const Placed<Obb>& p, const Frame& from) {
  return {p.core.half, seen_from(from, box_frame(p))};
}

/// Whether the axes are what a form takes them for.
[[gnu::always_inline]] inline bool usable(const Placed<Vec3>&) { return true; }
[[gnu::always_inline]] inline bool usable(const Placed<Segment>&) { return true; }
[[gnu::always_inline]] inline bool usable(const Placed<Obb>& p) {
  return is_plain(p) || is_orthonormal(p.core.axes);
}

/// Seen from the box.
template<class Other>
[[gnu::always_inline]] inline bool box_walk(const FormPair& pair, const Placed<Obb>& box,
                                            const Placed<Other>& other, FormAnswer& answer) {
  const Frame from = box_frame(box);
  if (!walk(pair, FlatBox<OwnPlace>(box.core.half, {}), flat(other, from), answer)) return false;
  answer.on_a = from.to_world(answer.on_a);
  answer.between = from.direction_to_world(answer.between);
  answer.normal = from.direction_to_world(answer.normal);
  return true;
}

} // namespace

template<class A, class B>
bool flat_form(const FormPair& pair, FormAnswer& answer) {
  const Placed<A> a{std::get<A>(pair.a.core()), pair.a, pair.pose_a.rotation, {}};
  const Placed<B> b{std::get<B>(pair.b.core()), pair.b, pair.pose_b.rotation, pair.translation};
  if (!usable(a) || !usable(b)) return false;
  if constexpr (std::is_same_v<A, Obb>) {
    return box_walk(pair, a, b, answer);
  } else if constexpr (std::is_same_v<B, Obb>) {
    if (!box_walk(pair, b, a, answer)) return false;
    answer.on_a += answer.between;
    answer.between = -answer.between;
    answer.normal = -answer.normal;
    return true;
  } else {
    return walk(pair, flat(a), flat(b), answer);
  }
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
