#include "carom/verify/check_closest_point.h"

#include "carom/verify/check_query.h"

namespace carom::verify {

Verdict check_closest_point(const Vec3& p, const SetView& set, const SurfacePoint& answer,
                            double tolerance, double points_tolerance, int directions) {
  if (answer.status == Status::bad_input) return Verdict::no("there is no answer");
  const double through = set.support(answer.normal) - dot(answer.normal, answer.point);
  if (!(through <= tolerance + points_tolerance))
    return Verdict::no("the set is not behind the plane through the point");
  SignedDistance same;
  same.value = answer.value;
  same.lower_bound = answer.lower_bound;
  same.upper_bound = answer.upper_bound;
  same.on_a = p;
  same.on_b = answer.point;
  same.normal = -answer.normal;
  return check_signed_distance(SetView(p), set, same, tolerance, points_tolerance, directions);
}

} // namespace carom::verify
