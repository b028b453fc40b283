#include "carom/verify/check.h"

#include <cstdio>

namespace carom::verify {

Verdict Verdict::off(const char* what, double amount) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", amount);
  return no(std::string(what) + " by " + text);
}

double gap(const SetView& a, const SetView& b, const Vec3& d) {
  return -b.support(-d) - a.support(d);
}

Verdict check_closest(const SetView& a, const SetView& b, const ClosestPair& answer,
                      double tolerance) {
  if (!(answer.distance >= 0) || !is_finite(answer.on_a) || !is_finite(answer.on_b)) {
    return Verdict::no("the answer is not finite, or the distance is negative");
  }
  if (const double e = a.distance(answer.on_a); !(e <= tolerance))
    return Verdict::off("on_a is off A", e);
  if (const double e = b.distance(answer.on_b); !(e <= tolerance))
    return Verdict::off("on_b is off B", e);
  const double between = length(answer.on_b - answer.on_a);
  if (const double e = std::fabs(between - answer.distance); !(e <= tolerance)) {
    return Verdict::off("the distance is not that of the points", e);
  }
  if (between <= tolerance) return Verdict::yes(); // a common point, to within the tolerance
  const double width = gap(a, b, (answer.on_b - answer.on_a) / between);
  if (!(width >= between - tolerance))
    return Verdict::off("the slab between the points is not empty", between - width);
  return Verdict::yes();
}

Verdict check_closest(const Vec3& p, const SetView& a, const ClosestPoint& answer,
                      double tolerance) {
  return check_closest(SetView(p), a, ClosestPair{p, answer.point, answer.distance}, tolerance);
}

Verdict check_overlap(const SetView& a, const SetView& b, const Overlap& answer, double tolerance) {
  if (answer.hit) {
    if (const double e = a.distance(answer.point); !(e <= tolerance)) {
      return Verdict::off("the common point is outside A", e);
    }
    if (const double e = b.distance(answer.point); !(e <= tolerance)) {
      return Verdict::off("the common point is outside B", e);
    }
    return Verdict::yes();
  }
  if (!(std::fabs(length(answer.axis) - 1) <= 1e-12))
    return Verdict::no("the axis is not a unit vector");
  if (const double g = gap(a, b, answer.axis); !(g >= -tolerance)) {
    return Verdict::off("the axis does not separate: the sets overlap along it", -g);
  }
  return Verdict::yes();
}

} // namespace carom::verify
