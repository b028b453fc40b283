// Box against plane and half-space: the signs of n . x - d at the two corners that are extreme along n, exactly.
//
// For a box of the world the corners are given numbers, and the extreme ones follow from the signs of n: no rounding anywhere. The corners
// of an oriented box are rounded, by a few epsilon of the size. Where the choice of a corner hangs on the sign of a rounded n . axis near 0,
// either is as good, to within the same.
#include "carom/geometry/overlap_box.h"
#include "carom/math/predicates.h"

namespace carom {
namespace {

struct Corners {
  Vec3 low, high; ///< the least and the greatest along the normal
};

Corners extreme_corners(const Aabb& box, const Vec3& n) {
  const int i = (n.x > 0 ? 1 : 0) | (n.y > 0 ? 2 : 0) | (n.z > 0 ? 4 : 0);
  return {box.corner(7 - i), box.corner(i)};
}

Corners extreme_corners(const Obb& box, const Vec3& n) {
  const Vec3 along = transpose_mul(box.axes, n);
  const int i = (along.x > 0 ? 1 : 0) | (along.y > 0 ? 2 : 0) | (along.z > 0 ? 4 : 0);
  return {box.corner(7 - i), box.corner(i)};
}

bool is_empty(const Aabb& box) {
  return box.empty();
}
bool is_empty(const Obb& /*box*/) {
  return false;
}

/// -1 or 1: all of the box lies below or above the plane. 0: they meet.
template<class Box>
int side(const Box& box, const Plane& plane) {
  const Corners c = extreme_corners(box, plane.normal);
  if (compare_dot(plane.normal, c.low, plane.offset) > 0) return 1;
  return compare_dot(plane.normal, c.high, plane.offset) < 0 ? -1 : 0;
}

template<class Box>
bool meets(const Box& box, const Plane& plane) {
  return !is_empty(box) && side(box, plane) == 0;
}

template<class Box>
bool meets(const Box& box, const HalfSpace& space) {
  return !is_empty(box) &&
         compare_dot(space.normal, extreme_corners(box, space.normal).low, space.offset) <= 0;
}

template<class Box>
Overlap prove(const Box& box, const Plane& plane) {
  const Vec3 n = normalized(plane.normal);
  if (is_empty(box)) return Overlap::separated(n);
  const int s = side(box, plane);
  if (s != 0) return Overlap::separated(s > 0 ? -n : n);
  // On the diagonal between the two corners, where the plane crosses it.
  const Corners c = extreme_corners(box, plane.normal);
  const double low = plane.offset - dot(plane.normal, c.low);
  const double high = dot(plane.normal, c.high) - plane.offset;
  const double t = low > 0 && high > 0 ? low / (low + high) : low > 0 ? 1 : 0;
  return Overlap::at(t == 1 ? c.high : lerp(c.low, c.high, t));
}

template<class Box>
Overlap prove(const Box& box, const HalfSpace& space) {
  if (!meets(box, space)) return Overlap::separated(-normalized(space.normal));
  return Overlap::at(extreme_corners(box, space.normal).low);
}

} // namespace

bool overlaps(const Aabb& a, const Plane& b) {
  return meets(a, b);
}
bool overlaps(const Obb& a, const Plane& b) {
  return meets(a, b);
}
bool overlaps(const Aabb& a, const HalfSpace& b) {
  return meets(a, b);
}
bool overlaps(const Obb& a, const HalfSpace& b) {
  return meets(a, b);
}
Overlap overlap(const Aabb& a, const Plane& b) {
  return prove(a, b);
}
Overlap overlap(const Obb& a, const Plane& b) {
  return prove(a, b);
}
Overlap overlap(const Aabb& a, const HalfSpace& b) {
  return prove(a, b);
}
Overlap overlap(const Obb& a, const HalfSpace& b) {
  return prove(a, b);
}

} // namespace carom
