// Box against ball: the point of the box nearest to the center is found by clamping, in the box's frame.
//
// The differences to the faces are rounded once each and the sum of their squares has no cancellation, so the distance is compared with the
// radius to within 3 epsilon of itself.
#include "carom/geometry/overlap_box.h"

namespace carom {
namespace {

bool within(const Vec3& difference, double radius) {
  return length_squared(difference) <= radius * radius;
}

/// p from the nearest point of the box -half <= x <= half.
Vec3 outside(const Vec3& p, const Vec3& half) {
  return p - max(-half, min(p, half));
}

/// p from the nearest point of the box.
Vec3 outside(const Vec3& p, const Aabb& box) {
  return p - max(box.min, min(p, box.max));
}

} // namespace

bool overlaps(const Aabb& a, const Sphere& b) {
  return !a.empty() && within(outside(b.center, a), b.radius);
}

bool overlaps(const Obb& a, const Sphere& b) {
  return within(outside(a.frame().to_local(b.center), a.half), b.radius);
}

Overlap overlap(const Aabb& a, const Sphere& b) {
  if (overlaps(a, b)) return Overlap::at(max(a.min, min(b.center, a.max)));
  return Overlap::separated(a.empty() ? Vec3{1, 0, 0} : normalized(outside(b.center, a)));
}

Overlap overlap(const Obb& a, const Sphere& b) {
  const Vec3 center = a.frame().to_local(b.center);
  const Vec3 off = outside(center, a.half);
  if (within(off, b.radius)) {
    return Overlap::at(a.frame().to_world(max(-a.half, min(center, a.half))));
  }
  return Overlap::separated(normalized(a.frame().direction_to_world(off)));
}

} // namespace carom
