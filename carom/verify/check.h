// Does an answer's proof hold? Each check takes the two sets, the answer and a tolerance in units of length, and says what fails.
#pragma once

#include "carom/geometry/answer.h"
#include "carom/verify/distance.h"
#include "carom/verify/support.h"

#include <cmath>
#include <string>

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// Whether a proof holds; if not, the sentence says which part of it.
struct Verdict {
  bool ok = true;
  std::string why;

  [[nodiscard]] explicit operator bool() const { return ok; }
  [[nodiscard]] static Verdict yes() { return {}; }
  [[nodiscard]] static Verdict no(std::string why) { return {false, std::move(why)}; }
};

/// How far apart A and B are in the unit direction d: the width of the empty slab between them, negative where there is none.
template<class A, class B>
[[nodiscard]] double gap(const A& a, const B& b, const Vec3& d) {
  return -support(b, -d) - support(a, d);
}

/// The nearest points of convex A and B: in the sets, `distance` apart, with an empty slab of that width between.
template<class A, class B>
[[nodiscard]] Verdict check_closest(const A& a, const B& b, const ClosestPair& answer,
                                    double tolerance) {
  const auto off = [](const char* what, double amount) {
    return Verdict::no(std::string(what) + " by " + std::to_string(amount) + " (" +
                       std::to_string(std::log10(amount)) + " decades)");
  };
  if (!(answer.distance >= 0) || !is_finite(answer.on_a) || !is_finite(answer.on_b)) {
    return Verdict::no("the answer is not finite, or the distance is negative");
  }
  if (const double e = verify::distance(answer.on_a, a); !(e <= tolerance))
    return off("on_a is off A", e);
  if (const double e = verify::distance(answer.on_b, b); !(e <= tolerance))
    return off("on_b is off B", e);
  const double between = length(answer.on_b - answer.on_a);
  if (const double e = std::fabs(between - answer.distance); !(e <= tolerance)) {
    return off("the distance is not that of the points", e);
  }
  if (between <= tolerance) return Verdict::yes(); // a common point, to within the tolerance
  const double width = gap(a, b, (answer.on_b - answer.on_a) / between);
  if (!(width >= between - tolerance))
    return off("the slab between the points is not empty", between - width);
  return Verdict::yes();
}

template<class A>
[[nodiscard]] Verdict check_closest(const Vec3& p, const A& a, const ClosestPoint& answer,
                                    double tolerance) {
  return check_closest(p, a, ClosestPair{p, answer.point, answer.distance}, tolerance);
}

/// Overlap: the common point lies in both, or the axis has unit length and separates. The tolerance is how far the point may be
/// outside, or how deep the sets may reach into each other's side.
template<class A, class B>
[[nodiscard]] Verdict check_overlap(const A& a, const B& b, const Overlap& answer,
                                    double tolerance) {
  if (answer.hit) {
    if (const double e = verify::distance(answer.point, a); !(e <= tolerance)) {
      return Verdict::no("the common point is outside A by " + std::to_string(e));
    }
    if (const double e = verify::distance(answer.point, b); !(e <= tolerance)) {
      return Verdict::no("the common point is outside B by " + std::to_string(e));
    }
    return Verdict::yes();
  }
  if (!(std::fabs(length(answer.axis) - 1) <= 1e-12))
    return Verdict::no("the axis is not a unit vector");
  if (const double g = gap(a, b, answer.axis); !(g >= -tolerance)) {
    return Verdict::no("the axis does not separate: the gap is " + std::to_string(g));
  }
  return Verdict::yes();
}

} // namespace verify
} // namespace carom
