#include "carom/geometry/overlap_round.h"

namespace carom {

bool overlaps(const Sphere& a, const Sphere& b) {
  return distance(a.center, b.center) <= a.radius + b.radius;
}

Overlap overlap(const Sphere& a, const Sphere& b) {
  const Vec3 between = b.center - a.center;
  if (!overlaps(a, b)) return Overlap::separated(normalized(between));
  const double reach = a.radius + b.radius;
  return Overlap::at(a.center + between * (reach > 0 ? a.radius / reach : 0));
}

} // namespace carom
