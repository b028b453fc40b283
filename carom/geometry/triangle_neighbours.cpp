// One corner p shared: what the triangles have in common is convex, and has p in it. If there is more, then all of it from p to some other point; going on in that
// direction, the first triangle that ends does so at its edge opposite p. So one of these two edges has a point in the other triangle.
#include "carom/geometry/triangle_neighbours.h"

#include "carom/geometry/triangle_triangle.h"
#include "carom/math/predicates.h"

namespace carom {
namespace {

Vec2 seen_along(const Vec3& v, int axis) { return {v[(axis + 1) % 3], v[(axis + 2) % 3]}; }

bool degenerate(const Triangle& t) {
  for (int axis = 0; axis < 3; ++axis)
    if (orient2d(seen_along(t.a, axis), seen_along(t.b, axis), seen_along(t.c, axis)) != 0)
      return false;
  return true;
}

/// p, q, c and d are in one plane, p, q, c not on one line.
bool same_side(const Vec3& p, const Vec3& q, const Vec3& c, const Vec3& d) {
  for (int axis = 0; axis < 3; ++axis) {
    const Vec2 from = seen_along(p, axis), to = seen_along(q, axis);
    const int side = orient2d(from, to, seen_along(c, axis));
    if (side != 0) return side * orient2d(from, to, seen_along(d, axis)) > 0;
  }
  return false;
}

/// Which corner of b is corner i of a: -1 where none is.
struct Shared {
  int in_b[3];
  int count;
};
Shared shared_corners(const Triangle& a, const Triangle& b) {
  Shared s{{-1, -1, -1}, 0};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (s.in_b[i] < 0 && a[i] == b[j]) {
        s.in_b[i] = j;
        ++s.count;
      }
  return s;
}

} // namespace

bool meet_beyond_shared(const Triangle& a, const Triangle& b) {
  const Shared s = shared_corners(a, b);
  if (s.count == 0) return overlaps(a, b) && !degenerate(a) && !degenerate(b);
  if (degenerate(a) || degenerate(b)) return false;
  if (s.count == 3) return true;
  if (s.count == 2) {
    const int i = s.in_b[0] < 0 ? 0 : s.in_b[1] < 0 ? 1 : 2; // not shared
    const Vec3 &p = a[(i + 1) % 3], &q = a[(i + 2) % 3];
    const Vec3& other = b[3 - s.in_b[(i + 1) % 3] - s.in_b[(i + 2) % 3]];
    return orient3d(p, q, a[i], other) == 0 && same_side(p, q, a[i], other);
  }
  const int i = s.in_b[0] >= 0 ? 0 : s.in_b[1] >= 0 ? 1 : 2, j = s.in_b[i];
  const Vec3 &a1 = a[(i + 1) % 3], &a2 = a[(i + 2) % 3];
  const Vec3 &b1 = b[(j + 1) % 3], &b2 = b[(j + 2) % 3];
  return overlaps({a1, a2, a2}, b) || overlaps({b1, b2, b2}, a);
}

} // namespace carom
