// One corner p shared, and not in one plane: the planes cross in a line through p. A triangle has more of it than p where its other corners are on different sides of the
// other's plane, or in it; then from p to a point x of its edge opposite p. If both have, what is left to tell is whether they have the same half of the line: whether x lies between the
// directions of the other's edges at p. With x a mixture of a1 and a2, the two determinants that say so are those already known, times a positive weight.
#include "carom/geometry/triangle_neighbours.h"

#include "carom/geometry/triangle_triangle.h"
#include "carom/math/predicates.h"

namespace carom {
namespace {

Vec2 seen_along(const Vec3& v, int axis) { return {v[(axis + 1) % 3], v[(axis + 2) % 3]}; }

/// p, q, c and d are in one plane, p, q, c not on one line.
bool same_side(const Vec3& p, const Vec3& q, const Vec3& c, const Vec3& d) {
  for (int axis = 0; axis < 3; ++axis) {
    const Vec2 from = seen_along(p, axis), to = seen_along(q, axis);
    const int side = orient2d(from, to, seen_along(c, axis));
    if (side != 0) return side * orient2d(from, to, seen_along(d, axis)) > 0;
  }
  return false;
}

/// Whether the angles at p, from a1 to a2 and from b1 to b2, have a direction in common, all in one plane.
bool share_a_direction_in_plane(const Vec3& p, const Vec3& a1, const Vec3& a2, const Vec3& b1,
                                const Vec3& b2) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto turn = [&](const Vec3& from, const Vec3& to) {
      return orient2d(seen_along(p, axis), seen_along(from, axis), seen_along(to, axis));
    };
    const int turn_a = turn(a1, a2), turn_b = turn(b1, b2);
    if (turn_a == 0) continue; // edge-on
    const auto between = [&](const Vec3& x, const Vec3& from, const Vec3& to, int way) {
      return turn(from, x) * way >= 0 && turn(x, to) * way >= 0;
    };
    return between(b1, a1, a2, turn_a) || between(b2, a1, a2, turn_a) ||
           between(a1, b1, b2, turn_b) || between(a2, b1, b2, turn_b);
  }
  return false;
}

/// Whether the triangles p a1 a2 and p b1 b2 have more than p in common. Neither is degenerate.
bool share_a_direction(const Vec3& p, const Vec3& a1, const Vec3& a2, const Vec3& b1,
                       const Vec3& b2) {
  const int side_b1 = orient3d(p, a1, a2, b1), side_b2 = orient3d(p, a1, a2, b2);
  if (side_b1 * side_b2 > 0) return false;
  const int side_a1 = orient3d(p, b1, b2, a1), side_a2 = orient3d(p, b1, b2, a2);
  if (side_a1 * side_a2 > 0) return false;
  if (side_a1 == 0 && side_a2 == 0) return share_a_direction_in_plane(p, a1, a2, b1, b2);
  const int way = side_a1 != 0 ? side_a1 : -side_a2;
  return side_b1 * way <= 0 && side_b2 * way >= 0;
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

bool is_degenerate(const Triangle& t) {
  for (int axis = 0; axis < 3; ++axis)
    if (orient2d(seen_along(t.a, axis), seen_along(t.b, axis), seen_along(t.c, axis)) != 0)
      return false;
  return true;
}

bool meet_beyond_shared(const Triangle& a, const Triangle& b) {
  const Shared s = shared_corners(a, b);
  if (s.count == 0) return overlaps(a, b) && !is_degenerate(a) && !is_degenerate(b);
  if (is_degenerate(a) || is_degenerate(b)) return false;
  if (s.count == 3) return true;
  if (s.count == 2) {
    const int i = s.in_b[0] < 0 ? 0 : s.in_b[1] < 0 ? 1 : 2; // not shared
    const Vec3 &p = a[(i + 1) % 3], &q = a[(i + 2) % 3];
    const Vec3& other = b[3 - s.in_b[(i + 1) % 3] - s.in_b[(i + 2) % 3]];
    return orient3d(p, q, a[i], other) == 0 && same_side(p, q, a[i], other);
  }
  const int i = s.in_b[0] >= 0 ? 0 : s.in_b[1] >= 0 ? 1 : 2, j = s.in_b[i];
  return share_a_direction(a[i], a[(i + 1) % 3], a[(i + 2) % 3], b[(j + 1) % 3], b[(j + 2) % 3]);
}

} // namespace carom
