#include "carom/verify/check_ray_cast.h"

#include "carom/math/tolerance.h"
#include "carom/verify/check_cast.h"

#include <algorithm>
#include <cmath>

namespace carom::verify {

// As check_cast.h asks for them.
static double support(const SetView& set, const Vec3& d) { return set.support(d); }
static double distance(const Vec3& p, const SetView& set) { return set.distance(p); }

namespace {

using cast_check::off;

Verdict check_hit(const SetView& set, const Ray& ray, double max_t, const RayHit& answer,
                  double tolerance) {
  if (!(answer.t >= 0 && answer.t <= max_t && answer.t < INFINITY))
    return Verdict::no("t is out of range");
  if (const double e = length(answer.point - ray.at(answer.t)); !(e <= tolerance))
    return off("the point is off the ray", e, tolerance);
  const bool claimed = answer.status != Status::wide;
  if (const double e = set.distance(answer.point); claimed && !(e <= tolerance))
    return off("the point is off the set", e, tolerance);
  if (answer.inside) {
    if (answer.t != 0 || answer.point != ray.origin) return Verdict::no("inside, not at the start");
    return answer.normal == Vec3{} ? Verdict::yes() : Verdict::no("inside, but with a normal");
  }
  if (!is_unit(answer.normal)) return Verdict::no("the normal is not a unit vector");
  const double through = set.support(answer.normal) - dot(answer.normal, answer.point);
  if (!(through <= tolerance)) return off("the set is not behind the normal", through, tolerance);
  if (!(dot(answer.normal, ray.direction) < 0))
    return Verdict::no("the ray does not come from the front");
  return Verdict::yes();
}

/// Where the ray ends, or has left the set behind.
double end_of(const SetView& set, const Ray& ray, double max_t) {
  const double dd = length_squared(ray.direction);
  if (!(dd > 0)) return 0;
  const double behind = (set.support(ray.direction) - dot(ray.origin, ray.direction)) / dd;
  return std::min(max_t, std::max(behind, 0.0));
}

Verdict check_separation(const SetView& set, const Ray& ray, double max_t, const Vec3& normal,
                         double tolerance) {
  if (!is_unit(normal)) return Verdict::no("the normal is not a unit vector");
  const double reach = set.support(normal);
  if (const double e = reach - dot(normal, ray.origin); !(e <= tolerance))
    return off("the normal does not separate at the start", e, tolerance);
  const double end = end_of(set, ray, max_t);
  if (end < INFINITY) {
    const double e = reach - dot(normal, ray.at(end));
    return e <= tolerance ? Verdict::yes()
                          : off("the normal does not separate at the end", e, tolerance);
  }
  const double away = dot(normal, ray.direction);
  return away >= -4 * tolerance::epsilon * length(ray.direction)
             ? Verdict::yes()
             : Verdict::no("the ray comes through the plane that should separate");
}

Verdict search_for_hit(const SetView& set, const Ray& ray, double max_t, double tolerance) {
  if (!(cast_check::size(set) < INFINITY))
    return Verdict::no("a miss of an unbounded set, without a normal");
  return cast_check::check_miss(StraightPiece(ray, max_t), set, tolerance);
}

} // namespace

Verdict check_ray_cast(const SetView& set, const Ray& ray, double max_t, const RayHit& answer,
                       double tolerance) {
  if (answer.status == Status::bad_input) return Verdict::no("there is no answer");
  if (!is_finite(answer.point) || !is_finite(answer.normal))
    return Verdict::no("the answer is not finite");
  if (answer.hit) return check_hit(set, ray, max_t, answer, tolerance);
  if (answer.t != INFINITY) return Verdict::no("a miss with a time");
  if (max_t < 0) return Verdict::yes();
  return answer.normal == Vec3{} ? search_for_hit(set, ray, max_t, tolerance)
                                 : check_separation(set, ray, max_t, answer.normal, tolerance);
}

} // namespace carom::verify
