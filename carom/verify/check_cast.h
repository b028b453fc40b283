// Does the answer of a cast hold? By convexity alone, with the checker's own distances and supports.
//
// A hit: the point lies in the set and on the line, in range; and a plane through it has the whole set behind, and what came before in
// front. So nothing was met before.
//
// A miss is refuted where the line *clearly* meets the set: where it still meets it after a move by four tolerances, whichever way. (So a
// touch, or an end that is just in, may be missed.) The distance from the set is a convex function of t: where its least is
// positive, the line is off the set. Else moves in directions all around are tried, and one that takes the line off the set
// bears the miss out. This holds for solids and for flat sets alike: no move frees a line that crosses a disc off its rim, though
// every point of it is next to the outside.
//
// Flat sets with corners are decided without search. The moves that keep a line crossing a polygon fill a prism, whose depth is computed
// from exact products (flat_depth). A line exactly in the plane of the polygon is judged within that plane.
#pragma once

#include "carom/geometry/cast.h"
#include "carom/math/tolerance.h"
#include "carom/verify/check.h"

#include <algorithm>
#include <array>
#include <span>

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// A straight thing as a range of t.
struct StraightPiece {
  Vec3 origin, direction;
  double low, high;

  StraightPiece(const Line& l)
      : origin(l.origin), direction(l.direction), low(-INFINITY), high(INFINITY) {}
  StraightPiece(const Ray& r, double t_max = INFINITY)
      : origin(r.origin), direction(r.direction), low(0), high(t_max) {}
  StraightPiece(const Segment& s) : origin(s.a), direction(s.b - s.a), low(0), high(1) {}
  [[nodiscard]] Vec3 at(double t) const { return origin + direction * t; }
  [[nodiscard]] bool is_line() const { return low == -INFINITY; }
  [[nodiscard]] StraightPiece moved(const Vec3& by) const {
    StraightPiece result = *this;
    result.origin += by;
    return result;
  }
};

namespace cast_check {

/// How far a line is moved to see whether it leaves the set, and how far off the set it must be then, in tolerances.
inline constexpr double move = 4, free = 0.5;

[[nodiscard]] inline Verdict off(const char* what, double amount, double tolerance) {
  return Verdict::no(std::string(what) + " by " + std::to_string(amount / tolerance) +
                     " tolerances");
}

/// The conditions on a hit that do not depend on the set. `endless`: the set reaches to infinity against the direction.
[[nodiscard]] Verdict check_fields(const StraightPiece& line, const Cast& answer, bool endless,
                                   double tolerance);

/// The t between which the set lies, seen along the line; the rest cannot be nearer.
template<class S>
[[nodiscard]] std::pair<double, double> extent(const StraightPiece& line, const S& set) {
  const double dd = length_squared(line.direction);
  if (!(dd > 0)) return {0, 0};
  const double start = dot(line.origin, line.direction);
  const double low = (-support(set, -line.direction) - start) / dd;
  const double high = (support(set, line.direction) - start) / dd;
  return {std::max(low, line.low), std::min(high, line.high)};
}

/// Where the piece is nearest to the set, as far as needed to say whether it comes within a distance `within` of it.
struct Approach {
  bool meets = false;
  double t = 0;
};
template<class S>
[[nodiscard]] Approach approach(const StraightPiece& line, const S& set, double within) {
  auto [low, high] = extent(line, set);
  if (!(low <= high)) return {}; // it ends before the set begins
  const double speed = length(line.direction);
  const auto f = [&](double t) { return distance(line.at(t), set); };
  for (const double t : {low, high}) {
    if (f(t) <= within) return {true, t};
  }
  for (int i = 0; i < 120; ++i) {
    const double third = (high - low) / 3, a = low + third, b = high - third;
    const double fa = f(a), fb = f(b);
    if (std::min(fa, fb) <= within) return {true, fa < fb ? a : b};
    // No distance changes faster than the line goes: nothing between is near enough.
    if (std::min(fa, fb) - speed * third > within) break;
    const bool falling = fa > fb;
    (falling ? low : high) = falling ? a : b;
  }
  return {};
}

/// Whether some move of the line by `step` takes it off the set: meets(moved) is false. Tried are the points on the surface of a cube's
/// grid, seen from its middle: no direction is farther than 20 degrees from one. Those that take a point at which it meets the set
/// farthest off, by off_set(moved point), come first.
template<class Meets, class OffSet>
[[nodiscard]] bool leaves(const StraightPiece& line, const Vec3& meeting, double step,
                          Meets&& meets, OffSet&& off_set) {
  std::array<std::pair<double, Vec3>, 98> moves;
  std::size_t n = 0;
  for (int i = 0; i < 5 * 5 * 5; ++i) {
    const Vec3 v{i % 5 - 2.0, i / 5 % 5 - 2.0, i / 25 - 2.0};
    if (max_abs(v) < 2) continue;
    const Vec3 by = normalized(v) * step;
    moves[n++] = {off_set(meeting + by), by};
  }
  std::stable_sort(moves.begin(), moves.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  return std::any_of(moves.begin(), moves.end(),
                     [&](const auto& m) { return m.first > 0 && !meets(line.moved(m.second)); });
}

/// A flat convex polygon: `corners` in order, up to rounding in one plane. `exact`: the corners are the numbers given, so that a
/// line can be in their plane exactly.
[[nodiscard]] Verdict check_flat_miss(const StraightPiece& line, std::span<const Vec3> corners,
                                      bool exact, double tolerance);

inline std::array<Vec3, 3> flat_corners(const Triangle& t) { return {t.a, t.b, t.c}; }
inline std::array<Vec3, 4> flat_corners(const Quad& q) { return q.vertices(); }
inline std::array<Vec3, 4> flat_corners(const Rectangle& r) { return r.vertices(); }
inline std::span<const Vec3> flat_corners(const Polygon& p) { return p.vertices; }

template<class S>
concept Flat = requires(const S& set) {
  flat_corners(set);
};

/// That the line does not clearly meet the set.
template<class S>
[[nodiscard]] Verdict check_miss(const StraightPiece& line, const S& set, double tolerance) {
  if constexpr (Flat<S>) {
    return check_flat_miss(line, flat_corners(set), !std::same_as<S, Rectangle>, tolerance);
  } else {
    const double within = free * tolerance;
    const Approach nearest = approach(line, set, within);
    if (!nearest.meets) return Verdict::yes();
    const auto meets = [&](const StraightPiece& moved) {
      return approach(moved, set, within).meets;
    };
    const auto off_set = [&](const Vec3& p) { return distance(p, set) - within; };
    if (leaves(line, line.at(nearest.t), move * tolerance, meets, off_set)) return Verdict::yes();
    return Verdict::no("it runs through the set unseen");
  }
}

/// The greatest extent of the set along an axis.
template<class S>
[[nodiscard]] double size(const S& set) {
  double result = 0;
  for (int i = 0; i < 3; ++i) {
    result = std::max(result, support(set, unit_axis(i)) + support(set, -unit_axis(i)));
  }
  return result;
}

/// That the plane at the hit keeps the set from what comes before.
template<class S>
[[nodiscard]] Verdict check_plane(const StraightPiece& line, const S& set, const Cast& answer,
                                  double tolerance) {
  const double beyond = support(set, answer.normal) - dot(answer.normal, answer.point);
  if (!(beyond <= tolerance)) return off("the set is not behind the normal", beyond, tolerance);
  // Turned to be level with the line, the plane must not move by more than the tolerance over the whole set.
  const double lean = dot(answer.normal, normalized(line.direction));
  if (!(lean * size(set) <= tolerance && lean < 0.5)) {
    return off("the normal does not face the line", lean * size(set), tolerance);
  }
  if constexpr (Flat<S>) {
    // A line in the plane of a flat set is level with its normal all along: that says nothing about where it came in.
    StraightPiece before = line;
    before.high = answer.t;
    return check_miss(before, set, tolerance);
  }
  return Verdict::yes();
}

} // namespace cast_check

/// For bounded convex sets that have a distance and a support here. The tolerance is in units of length: how far the point may
/// be off the set and the line, and the set beyond the plane of the hit.
template<class S>
[[nodiscard]] Verdict check_cast(const StraightPiece& line, const S& set, const Cast& answer,
                                 double tolerance) {
  using namespace cast_check;
  if (!answer.hit) return check_miss(line, set, tolerance);
  if (Verdict v = check_fields(line, answer, false, tolerance); !v) return v;
  if (const double e = distance(answer.point, set); !(e <= tolerance)) {
    return off("the point is off the set", e, tolerance);
  }
  return answer.inside ? Verdict::yes() : check_plane(line, set, answer, tolerance);
}

/// For an intersection of half-spaces with unit normals, bounded or not. Here a point is off the set by the most it is outside of any
/// one: what rounding of the planes can do, where their edges are sharp.
[[nodiscard]] Verdict check_faces_cast(const StraightPiece& line, std::span<const HalfSpace> faces,
                                       const Cast& answer, double tolerance);

[[nodiscard]] Verdict check_cast(const StraightPiece& line, const HalfSpace& half_space,
                                 const Cast& answer, double tolerance);
/// As two half-spaces, back to back.
[[nodiscard]] Verdict check_cast(const StraightPiece& line, const Plane& plane, const Cast& answer,
                                 double tolerance);

} // namespace verify
} // namespace carom
