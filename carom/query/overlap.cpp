#include "carom/query/overlap.h"

#include "carom/query/composite_queries.h"
#include "carom/query/exact_cores.h"
#include "carom/query/half_space_pair.h"
#include "carom/query/rounded.h"

namespace carom {

ShapeOverlap overlap(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                     PairCache* cache) {
  if (!in_range(pose_a) || !in_range(pose_b)) return {{}, Status::bad_input};
  if (!a.convex() || !b.convex()) return composite_overlap(a, pose_a, b, pose_b);
  if (!a.bounded() || !b.bounded()) {
    const HalfSpaceAnswer h = half_space_pair(a, pose_a, b, pose_b);
    const SignedDistance& d = h.distance;
    const Overlap answer = d.value > 0 ? Overlap::separated(d.normal) : Overlap::at(h.common_point);
    return {answer, d.status, d.iterations};
  }
  const CorePair pair(a, pose_a, b, pose_b);
  const double radius = a.rounding() + b.rounding();
  const CoreQuestion question{.radius = radius,
                              .agreement = pair.tight_agreement(),
                              .below = radius,
                              .above = radius,
                              .any_points = true};
  CoreDistance cores = nearest_cores(pair, question, cache);
  if (radius == 0) settle(pair, cores);
  if (cores.lower > radius) {
    const Vec3 axis = pair.frame_a().direction_to_world(cores.axis);
    return {Overlap::separated(axis), Status::ok, cores.iterations};
  }
  // Not separated: a common point, or to within rounding one.
  const Status status = cores.answered ? Status::ok : Status::wide;
  return {Overlap::at(common_point(pair, cores, a.rounding(), b.rounding())), status,
          cores.iterations};
}

} // namespace carom
