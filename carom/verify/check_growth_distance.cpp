#include "carom/verify/check_growth_distance.h"

#include <algorithm>
#include <cmath>

namespace carom::verify {
namespace {

/// How far the set reaches from its centre along d.
double extent(const GrowingSet& g, const Vec3& d) { return g.set.support(d) - dot(g.center, d); }

bool is_bounded(const GrowingSet& g) {
  bool bounded = true;
  for (int i = 0; i < 3; ++i) {
    bounded = bounded && g.set.support(unit_axis(i)) < INFINITY &&
              g.set.support(-unit_axis(i)) < INFINITY;
  }
  return bounded;
}

/// How far p is from the scaled set. Scaled by 0, it is its centre; an unbounded one is a cone, for which a tiny scale stands in.
double distance(const GrowingSet& g, double scale, const Vec3& p) {
  if (scale == 0 && is_bounded(g)) return length(p - g.center);
  const double s = std::max(scale, 0x1p-50);
  return s * g.set.distance(g.center + (p - g.center) / s);
}

Verdict check_points(const GrowingSet& a, const GrowingSet& b, const GrowthDistance& answer,
                     double tolerance, double points_tolerance) {
  // Between the centres as far as the scaled sets reach, roundings are of that size.
  const double growth = std::max(1.0, answer.value);
  const double most = growth * tolerance;
  if (const double e = distance(a, answer.value, answer.on_a); !(e <= most))
    return Verdict::off("on_a is off the scaled A", e);
  if (const double e = distance(b, answer.value, answer.on_b); !(e <= most))
    return Verdict::off("on_b is off the scaled B", e);
  const double apart = length(answer.on_b - answer.on_a);
  if (!(apart <= growth * points_tolerance)) return Verdict::off("the points are not one", apart);
  return Verdict::yes();
}

} // namespace

Verdict check_growth_distance(const GrowingSet& a, const GrowingSet& b,
                              const GrowthDistance& answer, double tolerance,
                              double points_tolerance) {
  if (answer.status == Status::bad_input) return Verdict::no("there is no answer");
  if (!(answer.lower_bound >= 0 && answer.lower_bound <= answer.value &&
        answer.value <= answer.upper_bound)) {
    return Verdict::no("the bounds are not around the value");
  }
  if (!is_unit(answer.normal)) return Verdict::no("the normal is not a unit vector");
  if (!is_finite(answer.on_a) || !is_finite(answer.on_b))
    return Verdict::no("a point is not finite");
  const double between = dot(answer.normal, b.center - a.center);
  if (answer.lower_bound > 0) {
    const double reach = extent(a, answer.normal) + extent(b, -answer.normal);
    if (!(between > 0)) return Verdict::no("the centres are not apart along the normal");
    const double grown = between / std::min(answer.lower_bound, 1e300);
    if (!(reach - grown <= tolerance))
      return Verdict::off("the scaled sets overlap along the normal", reach - grown);
  }
  if (answer.value == INFINITY || answer.status == Status::wide) return Verdict::yes();
  return check_points(a, b, answer, tolerance, points_tolerance);
}

} // namespace carom::verify
