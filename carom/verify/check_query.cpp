#include "carom/verify/check_query.h"

#include "carom/math/trig.h"

#include <algorithm>
#include <cmath>

namespace carom::verify {
namespace {

/// Improves a direction by steps to all sides, each half as long as the last once none helps.
double climbed(const SetView& a, const SetView& b, Vec3 d) {
  double best = gap(a, b, d);
  for (double step = 0.5; step > 1e-4; step *= 0.5) {
    bool better = true;
    for (int tries = 0; tries < 50 && better; ++tries) {
      better = false;
      const Vec3 u = perpendicular(d);
      const Vec3 v = cross(d, u);
      for (const Vec3& side : {u, v, -u, -v}) {
        const Vec3 tried = normalized(d + side * step);
        const double value = gap(a, b, tried);
        if (!(value > best)) continue;
        best = value;
        d = tried;
        better = true;
        break;
      }
    }
  }
  return best;
}

} // namespace

Verdict check_distance(const SetView& a, const SetView& b, const Distance& answer,
                       double tolerance) {
  if (!(answer.value >= 0) || !is_finite(answer.on_a) || !is_finite(answer.on_b))
    return Verdict::no("the answer is not finite, or the distance is negative");
  if (!(answer.lower_bound >= 0 && answer.lower_bound <= answer.value))
    return Verdict::no("the lower bound is negative or above the value");
  if (!is_unit(answer.normal)) return Verdict::no("the normal is not a unit vector");
  if (const double e = a.distance(answer.on_a); !(e <= tolerance))
    return Verdict::off("on_a is off A", e);
  if (const double e = b.distance(answer.on_b); !(e <= tolerance))
    return Verdict::off("on_b is off B", e);
  const double between = length(answer.on_b - answer.on_a);
  if (const double e = between - answer.value; !(std::fabs(e) <= tolerance))
    return Verdict::off("the value is not the distance of the points", e);
  if (answer.lower_bound == 0) return Verdict::yes();
  if (const double e = answer.lower_bound - gap(a, b, answer.normal); !(e <= tolerance))
    return Verdict::off("the slab is narrower than the lower bound", e);
  return Verdict::yes();
}

Verdict check_signed_distance(const SetView& a, const SetView& b, const SignedDistance& answer,
                              double tolerance, double points_tolerance, int directions) {
  if (!std::isfinite(answer.value) || !is_finite(answer.on_a) || !is_finite(answer.on_b))
    return Verdict::no("the answer is not finite");
  if (!(answer.lower_bound <= answer.value && answer.value <= answer.upper_bound))
    return Verdict::no("the bounds are not around the value");
  if (!is_unit(answer.normal)) return Verdict::no("the normal is not a unit vector");
  if (const double e = a.distance(answer.on_a); !(e <= tolerance))
    return Verdict::off("on_a is off A", e);
  if (const double e = b.distance(answer.on_b); !(e <= tolerance))
    return Verdict::off("on_b is off B", e);
  const Vec3 between = answer.on_b - answer.on_a;
  if (const double e = length(between - answer.normal * answer.value); !(e <= points_tolerance))
    return Verdict::off("the points are not value * normal apart", e);
  if (const double e = answer.lower_bound - gap(a, b, answer.normal); !(e <= tolerance))
    return Verdict::off("the sets are nearer along the normal than the lower bound", e);
  if (answer.value > 0) {
    const double e = length(between) - answer.upper_bound;
    return e <= tolerance ? Verdict::yes()
                          : Verdict::off("the points are farther apart than the upper bound", e);
  }
  const double e = greatest_gap(a, b, directions) - answer.upper_bound;
  return e <= tolerance ? Verdict::yes()
                        : Verdict::off("another direction is better than the upper bound", e);
}

Verdict check_penetration(const SetView& a, const SetView& b, const Penetration& answer,
                          double tolerance, double points_tolerance, int directions) {
  if (!(answer.lower_bound >= 0 && answer.lower_bound <= answer.depth &&
        answer.depth <= answer.upper_bound))
    return Verdict::no("the bounds are negative, or not around the depth");
  if (!is_unit(answer.normal)) return Verdict::no("the normal is not a unit vector");
  if (const double e = -answer.upper_bound - gap(a, b, answer.normal); !(e <= tolerance))
    return Verdict::off("moved by the upper bound, B is still in A", e);
  if (answer.depth == 0) return Verdict::yes();
  SignedDistance s;
  s.value = -answer.depth;
  s.lower_bound = -answer.upper_bound;
  s.upper_bound = -answer.lower_bound;
  s.normal = answer.normal;
  s.on_a = answer.on_a;
  s.on_b = answer.on_b;
  return check_signed_distance(a, b, s, tolerance, points_tolerance, directions);
}

double greatest_gap(const SetView& a, const SetView& b, int directions) {
  // A spiral from pole to pole that turns by the golden angle: directions of about equal spacing.
  constexpr double golden_angle = 2.399963229728653;
  double best = -INFINITY;
  for (int i = 0; i < directions; ++i) {
    const double z = 1 - (2 * i + 1) / static_cast<double>(directions);
    const double r = std::sqrt(1 - z * z);
    const double turn = golden_angle * i;
    best = std::max(best,
                    climbed(a, b, normalized(Vec3{r * carom::cos(turn), r * carom::sin(turn), z})));
  }
  return best;
}

} // namespace carom::verify
