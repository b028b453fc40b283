#include "carom/verify/check_composite.h"

#include "carom/verify/part_pairs.h"

#include <algorithm>
#include <cmath>

namespace carom::verify {
namespace {

Verdict check_all_apart(const PlacedShape& a, const Vec3& sweep, const PlacedShape& b,
                        double wanted, double tolerance, const Vec3& hint) {
  if (Verdict v = check_pairs_apart(a, sweep, b, wanted, tolerance, hint); !v) return v;
  if (Verdict v = check_outside(a, b, tolerance); !v) return v;
  return check_outside(b, a, tolerance);
}

} // namespace

Verdict check_composite_distance(const PlacedShape& a, const PlacedShape& b, const Distance& answer,
                                 double tolerance) {
  if (!(answer.value >= 0 && answer.value < INFINITY) || !is_finite(answer.on_a) ||
      !is_finite(answer.on_b))
    return Verdict::no("the answer is not finite, or the distance is negative");
  if (!(answer.lower_bound >= 0 && answer.lower_bound <= answer.value))
    return Verdict::no("the lower bound is negative or above the value");
  if (!is_unit(answer.normal)) return Verdict::no("the normal is not a unit vector");
  if (Verdict v = check_part("on_a is off A", answer.on_a, a, answer.part_a, tolerance); !v)
    return v;
  if (Verdict v = check_part("on_b is off B", answer.on_b, b, answer.part_b, tolerance); !v)
    return v;
  const Vec3 between = answer.on_b - answer.on_a;
  if (const double e = length(between) - answer.value; !(std::fabs(e) <= tolerance))
    return Verdict::off("the value is not the distance of the points", e);
  if (answer.lower_bound == 0) return Verdict::yes();
  return check_all_apart(a, {}, b, answer.lower_bound, tolerance, answer.normal);
}

Verdict check_composite_overlap(const PlacedShape& a, const PlacedShape& b,
                                const ShapeOverlap& answer, double tolerance) {
  if (!answer.hit) return check_all_apart(a, {}, b, 0, tolerance, answer.axis);
  if (Verdict v = check_part("the point is off A", answer.point, a, answer.part_a, tolerance); !v)
    return v;
  return check_part("the point is off B", answer.point, b, answer.part_b, tolerance);
}

Verdict check_composite_span(const PlacedShape& a, const PlacedShape& b, const Span& answer,
                             double tolerance) {
  if (!is_unit(answer.direction)) return Verdict::no("the direction is not a unit vector");
  if (!(answer.value <= answer.upper_bound))
    return Verdict::no("the upper bound is below the value");
  if (answer.value == INFINITY)
    return a.shape.bounded() && b.shape.bounded() ? Verdict::no("bounded shapes, an infinite span")
                                                  : Verdict::yes();
  if (const double e = distance(answer.on_a, a); !(e <= tolerance))
    return Verdict::off("on_a is off A", e);
  if (const double e = distance(answer.on_b, b); !(e <= tolerance))
    return Verdict::off("on_b is off B", e);
  const Vec3 between = answer.on_b - answer.on_a;
  if (const double e = length(between - answer.direction * answer.value); !(e <= tolerance))
    return Verdict::off("the points are not the value along the direction apart", e);
  const double e = greatest_span(a, b) - answer.upper_bound;
  return e <= tolerance ? Verdict::yes()
                        : Verdict::off("points are farther apart than the upper bound", e);
}

Verdict check_composite_shape_cast(const PlacedShape& a, const Vec3& translation,
                                   const PlacedShape& b, double max_t, const ShapeCast& answer,
                                   double tolerance, double points) {
  if (!(answer.t >= 0 && answer.t <= 1)) return Verdict::no("t is out of range");
  if (!is_unit(answer.normal)) return Verdict::no("the normal is not a unit vector");
  if (!answer.hit)
    return answer.initial_overlap
               ? Verdict::no("a miss that overlaps at the start")
               : check_all_apart(a, translation * max_t, b, 0, tolerance, answer.normal);
  if (!(answer.t <= max_t)) return Verdict::no("a hit after the end");
  const Vec3 moved = translation * answer.t;
  const double common = tolerance + points;
  if (Verdict v = check_part("the point is off A", answer.point - moved, a, answer.part_a, common);
      !v)
    return v;
  if (Verdict v = check_part("the point is off B", answer.point, b, answer.part_b, common); !v)
    return v;
  if (answer.initial_overlap)
    return answer.t == 0 ? Verdict::yes() : Verdict::no("an overlap at the start, at another time");
  if (const double e = length(answer.on_b - answer.on_a); !(e <= points))
    return Verdict::off("the points are not one", e);
  if (const double e = distance(answer.on_a - moved, a); !(e <= tolerance))
    return Verdict::off("on_a is off A", e);
  if (const double e = distance(answer.on_b, b); !(e <= tolerance))
    return Verdict::off("on_b is off B", e);
  return check_all_apart(a, moved, b, 0, tolerance, answer.normal);
}

} // namespace carom::verify
