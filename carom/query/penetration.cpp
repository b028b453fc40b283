#include "carom/query/penetration.h"

#include "carom/query/signed_distance.h"

#include <algorithm>

namespace carom {

Penetration penetration(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        PairCache* cache) {
  const SignedDistance s = signed_distance(a, pose_a, b, pose_b, {.limit = 0}, cache);
  Penetration p;
  p.depth = std::max(-s.value, 0.0);
  p.lower_bound = std::max(-s.upper_bound, 0.0);
  p.upper_bound = std::max(-s.lower_bound, 0.0);
  p.normal = s.normal;
  p.on_a = s.on_a;
  p.on_b = s.on_b;
  p.status =
      s.status == Status::stopped ? Status::ok : s.status; // apart: that is all there is to know
  p.iterations = s.iterations;
  return p;
}

} // namespace carom
