// Does the signed distance of a point from a shape hold?
#pragma once

#include "carom/query/answer.h"
#include "carom/verify/check.h"

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// As check_signed_distance of the point p and the set (check_query.h), with the normal outward: the point lies in the set and is p - value * normal, to within
/// `points_tolerance`; the set is behind the plane through it, to within both; outside, that proves the rest; inside, no direction of many leads out
/// sooner than upper_bound says.
[[nodiscard]] Verdict check_closest_point(const Vec3& p, const SetView& set,
                                          const SurfacePoint& answer, double tolerance,
                                          double points_tolerance, int directions = 64);

} // namespace verify
} // namespace carom
