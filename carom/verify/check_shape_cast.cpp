#include "carom/verify/check_shape_cast.h"

#include <cmath>

namespace carom::verify {
namespace {

Verdict check_overlap_at_start(const SetView& a, const SetView& b, const ShapeCast& answer,
                               const ShapeCastTolerance& tolerance) {
  if (answer.t != 0) return Verdict::no("an overlap at the start, at another time");
  const double depth = gap(a, b, answer.normal);
  if (depth == -INFINITY) return Verdict::yes(); // half-spaces that no translation separates
  const double e = length(answer.on_b - answer.on_a - answer.normal * depth);
  if (!(e <= tolerance.depth))
    return Verdict::off("the points are not the depth along the normal apart", e);
  return Verdict::yes();
}

Verdict check_contact(const SetView& a, const Vec3& translation, const SetView& b,
                      const ShapeCast& answer, const ShapeCastTolerance& tolerance) {
  const double closing = dot(answer.normal, translation);
  if (answer.t > 0 && !(closing > 0))
    return Verdict::no("they do not come nearer along the normal");
  if (const double e = answer.t * closing - gap(a, b, answer.normal); !(e <= tolerance.sets))
    return Verdict::off("they are not apart along the normal", e);
  if (answer.status == Status::wide || answer.status == Status::stopped) return Verdict::yes();
  if (const double e = length(answer.on_b - answer.on_a); !(e <= tolerance.points))
    return Verdict::off("the points are not one", e);
  return Verdict::yes();
}

Verdict check_points(const SetView& a, const Vec3& translation, const SetView& b,
                     const ShapeCast& answer, const ShapeCastTolerance& tolerance) {
  const Vec3 moved = translation * answer.t;
  const double most = tolerance.sets;
  if (const double e = a.distance(answer.on_a - moved); !(e <= most))
    return Verdict::off("on_a is off A", e);
  if (const double e = b.distance(answer.on_b); !(e <= most))
    return Verdict::off("on_b is off B", e);
  if (answer.status == Status::wide || answer.status == Status::stopped) return Verdict::yes();
  const double common = tolerance.sets + tolerance.points;
  if (const double e = a.distance(answer.point - moved); !(e <= common))
    return Verdict::off("the common point is off A", e);
  if (const double e = b.distance(answer.point); !(e <= common))
    return Verdict::off("the common point is off B", e);
  return Verdict::yes();
}

} // namespace

Verdict check_shape_cast(const SetView& a, const Vec3& translation, const SetView& b,
                         const ShapeCast& answer, const ShapeCastTolerance& tolerance) {
  if (answer.status == Status::bad_input) return Verdict::no("there is no answer");
  if (!(answer.t >= 0 && answer.t <= 1)) return Verdict::no("t is out of range");
  if (!is_unit(answer.normal)) return Verdict::no("the normal is not a unit vector");
  if (!answer.hit) {
    if (answer.initial_overlap) return Verdict::no("a miss that overlaps at the start");
    const double start = gap(a, b, answer.normal);
    const double end = start - dot(answer.normal, translation);
    if (!(start >= -tolerance.sets))
      return Verdict::off("the normal does not separate at the start", -start);
    if (!(end >= -tolerance.sets))
      return Verdict::off("the normal does not separate at the end", -end);
    return Verdict::yes();
  }
  if (!is_finite(answer.on_a) || !is_finite(answer.on_b) || !is_finite(answer.point))
    return Verdict::no("a point is not finite");
  if (Verdict v = check_points(a, translation, b, answer, tolerance); !v) return v;
  return answer.initial_overlap ? check_overlap_at_start(a, b, answer, tolerance)
                                : check_contact(a, translation, b, answer, tolerance);
}

} // namespace carom::verify
