// Does the answer of a cast hold? By convexity alone, with the checker's own distances and supports.
//
// A hit: the point lies in the set and on the line, in range; and a plane through it has the whole set behind, and what came before in
// front. So nothing was met before.
// A miss: the distance from the set is a convex function of t, so its least is found by search. Where that is positive, the miss is
// true. Where it is zero, the line does run through the set: then it must be so close under the surface that a small step leaves it.
#pragma once

#include "carom/geometry/cast.h"
#include "carom/math/tolerance.h"
#include "carom/verify/check.h"

#include <algorithm>
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
};

namespace cast_check {

[[nodiscard]] inline Verdict off(const char* what, double amount, double tolerance) {
  return Verdict::no(std::string(what) + " by " + std::to_string(amount / tolerance) +
                     " tolerances");
}

/// The conditions on a hit that do not depend on the set.
[[nodiscard]] inline Verdict check_fields(const StraightPiece& line, const Cast& answer,
                                          double tolerance) {
  if (!std::isfinite(answer.t) || !is_finite(answer.point) || !is_finite(answer.normal)) {
    return Verdict::no("the hit is not finite");
  }
  if (!(answer.t >= line.low && answer.t <= line.high)) return Verdict::no("t is out of range");
  if (const double e = length(answer.point - line.at(answer.t)); !(e <= tolerance)) {
    return off("the point is off the line", e, tolerance);
  }
  if (answer.inside) {
    if (answer.normal != Vec3{}) return Verdict::no("inside, but with a normal");
    if (line.low == 0 && answer.t != 0) return Verdict::no("inside, but not at the start");
    return Verdict::yes();
  }
  if (!(std::fabs(length(answer.normal) - 1) <= 1e-12)) return Verdict::no("not a unit normal");
  return Verdict::yes();
}

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

/// Where f, convex, is least between low and high.
template<class F>
[[nodiscard]] double least(F&& f, double low, double high) {
  for (int i = 0; i < 120 && f((low + high) / 2) > 0; ++i) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    const bool falling = f(a) > f(b);
    (falling ? low : high) = falling ? a : b;
  }
  return (low + high) / 2;
}

/// The middle of the interval on which f is zero; f is zero at `inside`.
template<class F>
[[nodiscard]] double middle_of_zero(F&& f, double inside, double low, double high) {
  const auto end = [&](double out) {
    double in = inside;
    if (f(out) == 0) return out;
    for (int i = 0; i < 100; ++i) {
      const double m = (in + out) / 2;
      (f(m) == 0 ? in : out) = m;
    }
    return in;
  };
  return (end(low) + end(high)) / 2;
}

/// Whether p is at most about `depth` under the surface: steps of four times that, in directions all around, reach the outside.
template<class S>
[[nodiscard]] bool is_shallow(const Vec3& p, const S& set, double depth) {
  constexpr int grid =
      5; // the points of a cube's surface and inside: no direction is farther than 20 degrees from one
  for (int i = 0; i < grid * grid * grid; ++i) {
    const int x = i % grid - 2, y = i / grid % grid - 2, z = i / (grid * grid) - 2;
    const Vec3 v{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
    if (distance(p + normalized_or(v, {}) * (4 * depth), set) > depth / 2) return true;
  }
  return false;
}

} // namespace cast_check

namespace cast_check {

/// That no part of the line is in the set by more than the tolerance.
template<class S>
[[nodiscard]] Verdict check_miss(const StraightPiece& line, const S& set, double tolerance) {
  const auto [low, high] = extent(line, set);
  if (!(low <= high)) return Verdict::yes(); // before or after the set
  const auto f = [&](double t) { return distance(line.at(t), set); };
  const double t = least(f, low, high);
  if (f(t) > 0) return Verdict::yes();
  const Vec3 p = line.at(middle_of_zero(f, t, low, high));
  if (!is_shallow(p, set, tolerance)) return Verdict::no("it runs through the set unseen");
  return Verdict::yes();
}

/// That the plane at the hit keeps the set from what comes before.
template<class S>
[[nodiscard]] Verdict check_plane(const StraightPiece& line, const S& set, const Cast& answer,
                                  double tolerance) {
  const double beyond = support(set, answer.normal) - dot(answer.normal, answer.point);
  if (!(beyond <= tolerance)) return off("the set is not behind the normal", beyond, tolerance);
  // From where the set begins to where it is met, the line may not come up from behind the plane.
  const double before = std::max(0.0, answer.t - extent(line, set).first);
  const double lean = dot(answer.normal, line.direction);
  if (lean * before <= tolerance) return Verdict::yes();
  // Where it grazes, rounding of the point turns the normal by its root. Then the part before is searched.
  if (lean > 1e-3 * length(line.direction)) {
    return off("the normal does not face the line", lean * before, tolerance);
  }
  StraightPiece rest = line;
  rest.high = answer.t;
  return check_miss(rest, set, tolerance);
}

} // namespace cast_check

template<class S>
[[nodiscard]] Verdict check_cast(const StraightPiece& line, const S& set, const Cast& answer,
                                 double tolerance) {
  using namespace cast_check;
  if (!answer.hit) return check_miss(line, set, tolerance);
  if (Verdict v = check_fields(line, answer, tolerance); !v) return v;
  if (const double e = distance(answer.point, set); !(e <= tolerance)) {
    return off("the point is off the set", e, tolerance);
  }
  return answer.inside ? Verdict::yes() : check_plane(line, set, answer, tolerance);
}

/// For an intersection of half-spaces with unit normals, bounded or not. Here a point is off the set by the most it is outside of any
/// one: what rounding of the planes can do, where their edges are sharp.
[[nodiscard]] Verdict check_faces_cast(const StraightPiece& line, std::span<const HalfSpace> faces,
                                       const Cast& answer, double tolerance);

} // namespace verify
} // namespace carom
