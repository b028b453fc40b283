#include "carom/geometry/triangle_crossing.h"

#include "carom/math/predicates.h"

namespace carom {
namespace {

/// As seen from the positive end of an axis. Views keep what is counter-clockwise.
struct View {
  int right, up;

  explicit View(int axis) : right(axis == 2 ? 0 : axis + 1), up(axis == 0 ? 2 : axis - 1) {}
  [[nodiscard]] Vec2 operator()(const Vec3& p) const { return {p[right], p[up]}; }
};

/// What the side from u to v adds: its crossings of the ray from q to the left.
int side_crossing(const Vec2& u, const Vec2& v, const Vec2& q) {
  const bool u_below = u.y <= q.y;
  const bool v_below = v.y <= q.y;
  if (u_below == v_below) return 0;
  const int side = orient2d(u, v, q);
  // Upward with q to the right of it or on it: it passes to the left of q as it has been moved.
  if (u_below) return side <= 0 ? -1 : 0;
  return side >= 0 ? 1 : 0;
}

} // namespace

int crossing(const Triangle& t, const Vec3& point, const AxisRay& ray) {
  const View view(ray.axis);
  const Vec2 a = view(t.a);
  const Vec2 b = view(t.b);
  const Vec2 c = view(t.c);
  const Vec2 q = view(point);
  const int around = side_crossing(a, b, q) + side_crossing(b, c, q) + side_crossing(c, a, q);
  if (around == 0) return 0;
  // Wound around counter-clockwise, the triangle's front is up: it is above the point where the point is behind it. Where the point is on it, it is not above: the
  // sums of what is above and of what is not add up to that of all, which is 0 for a closed surface.
  const bool above = orient3d(t.a, t.b, t.c, point) == -around;
  if (above != ray.forward) return 0;
  return ray.forward ? around : -around;
}

} // namespace carom
