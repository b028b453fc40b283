// Round sets, and the view frustum, which shares their profile.
//
// Swept spheres: from the core's nearest point, a radius toward p.
//
// Solids of revolution: p and the axis span a half-plane, in which the solid is a trapezoid (distance from the axis, height along it).
// p is in it, or over one of its ends, or nearest to its slanted side: decided by signs, never by comparing distances, which cannot tell
// points apart that are as close as the root of epsilon. A view frustum, mirrored into x, y >= 0 of its own axes, has two rectangles
// and two trapezoids to offer; among those equally near, the proof decides (proven.h).
//
// Ellipsoid. In its own axes, by symmetry in the first octant, the nearest point to q outside is x_i = q_i r_i^2 / (r_i^2 + t) for the one
// t > 0 that puts it on the surface: |u(t)| = 1 with u_i = r_i q_i / (r_i^2 + t). Each |u_i| <= 1 gives the lower bound t >= r_i q_i - r_i^2;
// at the greatest of them 1 <= |u|^2 <= 3. From there Newton's method on 1 / |u(t)| = 1, whose left side is concave and nearly linear
// in t, goes up monotonically and converges within a few steps (it is the secular equation of trust regions). A bracket and bisection guard it
// against rounding. A radius 0 gives x_i = 0, and takes no part otherwise.
#include "carom/geometry/closest_point.h"

#include "carom/geometry/proven.h"
#include "carom/math/vec2.h"

#include <cmath>

namespace carom {
namespace {

/// p where it is within the radius of the core, else the point on the surface toward p.
ClosestPoint swept(const Vec3& p, const ClosestPoint& core, double radius) {
  if (core.distance <= radius) return {p, 0};
  return {core.point + (p - core.point) * (radius / core.distance), core.distance - radius};
}

struct Foot {
  Vec2 point{};
  bool inside = false;
};

/// The point nearest to q of the trapezoid 0 <= y <= height, 0 <= x <= width(y), with a width that goes linearly from `low` to `high`.
/// q.x >= 0: the side along x = 0 is an axis of symmetry, not an edge.
Foot nearest_in_trapezoid(const Vec2& q, double height, double low, double high) {
  const double widest = low > high ? low : high;
  const Vec2 side{high - low, height};
  if (q.y >= 0 && q.y <= height && q.x <= widest && side.x * q.y >= side.y * (q.x - low)) {
    return {q, true};
  }
  if (q.y < 0 && q.x <= low) return {{q.x, 0}};
  if (q.y > height && q.x <= high) return {{q.x, height}};
  const double ss = side.x * side.x + side.y * side.y;
  const double along = ss > 0 ? ((q.x - low) * side.x + q.y * side.y) / ss : 0;
  const double t = along > 0 ? (along < 1 ? along : 1) : 0;
  return {{low * (1 - t) + high * t, height * t}};
}

} // namespace

ClosestPoint closest_point(const Vec3& p, const Sphere& sphere) {
  return swept(p, {sphere.center, length(p - sphere.center)}, sphere.radius);
}

ClosestPoint closest_point(const Vec3& p, const Capsule& capsule) {
  return swept(p, closest_point(p, capsule.core()), capsule.radius);
}

ClosestPoint closest_point(const Vec3& p, const Lozenge& lozenge) {
  return swept(p, closest_point(p, lozenge.core), lozenge.radius);
}

ClosestPoint closest_point(const Vec3& p, const Cylinder& cylinder) {
  return closest_point(p, to_frustum(cylinder));
}

ClosestPoint closest_point(const Vec3& p, const Cone& cone) {
  return closest_point(p, to_frustum(cone));
}

ClosestPoint closest_point(const Vec3& p, const ConeFrustum& f) {
  const Vec3 offset = p - f.a;
  const double y = dot(offset, f.axis);
  // Twice, so that it is at right angles to the axis even where little is left.
  Vec3 outward = offset - f.axis * y;
  outward -= f.axis * dot(outward, f.axis);
  const double x = length(outward);
  const Foot foot = nearest_in_trapezoid({x, y}, f.height, f.radius_a, f.radius_b);
  if (foot.inside) return {p, 0};
  const double share =
      x > 0 ? foot.point.x / x : 0; // x = 0 gives foot.point.x = 0, or a tie all around
  const Vec3 around = x > 0 ? outward * share : perpendicular(f.axis) * foot.point.x;
  const Vec3 point = f.a + f.axis * foot.point.y + around;
  return {point, length(p - point)};
}

ClosestPoint closest_point(const Vec3& p, const Ellipsoid& e) {
  const Vec3 local = transpose_mul(e.axes, p - e.center);
  const Vec3 q = abs(local), r = e.radii;
  Vec3 u; // at t
  const auto level = [&](double t) {
    for (int i = 0; i < 3; ++i) u[i] = r[i] > 0 ? r[i] * q[i] / (r[i] * r[i] + t) : 0;
    return length_squared(u);
  };
  double t = 0;
  bool solid = true;
  for (int i = 0; i < 3; ++i) {
    const double bound = r[i] * (q[i] - r[i]);
    t = bound > t ? bound : t;
    solid = solid && (r[i] > 0 || q[i] == 0);
  }
  const bool over = t == 0 && level(0) <= 1; // inside, or straight over a flat one
  if (over && solid) return {p, 0};
  if (!over) {
    double low = t, high = INFINITY;
    constexpr int steps = 64; // five or six are enough; with a NaN none are
    for (int i = 0; i < steps; ++i) {
      const double squared = level(t), size = std::sqrt(squared);
      (size > 1 ? low : high) = t;
      double slope = 0; // minus half the derivative of |u|^2
      for (int k = 0; k < 3; ++k) slope += r[k] > 0 ? u[k] * u[k] / (r[k] * r[k] + t) : 0;
      double next = t + (size - 1) * (squared / slope);
      if (!(next >= low && next <= high)) next = high < INFINITY ? low + 0.5 * (high - low) : low;
      if (next == t) break;
      t = next;
    }
  }
  Vec3 x;
  for (int i = 0; i < 3; ++i) {
    const double size = r[i] > 0 ? q[i] * (r[i] * r[i] / (r[i] * r[i] + t)) : 0;
    x[i] = local[i] < 0 ? -size : size;
  }
  const Vec3 point = e.center + e.axes * x;
  return {point, length(p - point)};
}

ClosestPoint closest_point(const Vec3& p, const ViewFrustum& f) {
  if (!(f.near <= f.far)) return {p, INFINITY};
  const Vec3 local = transpose_mul(f.axes, p - f.eye);
  const Vec3 q{std::fabs(local.x), std::fabs(local.y), local.z};
  if (q.z >= f.near && q.z <= f.far && q.x <= f.slope_x * q.z && q.y <= f.slope_y * q.z) {
    return {p, 0};
  }
  const auto lesser = [](double a, double b) { return a < b ? a : b; };
  const auto cap = [&](double z) {
    return Vec3{lesser(q.x, f.slope_x * z), lesser(q.y, f.slope_y * z), z};
  };
  // The side at the greatest of coordinate `across`: coordinates along its slope, from the near plane on, and along its width.
  const auto side = [&](double across, double width, double slope, double width_slope) {
    const double stretch = std::sqrt(1 + slope * slope);
    const double along = (slope * across + q.z) / stretch - f.near * stretch;
    const Foot foot = nearest_in_trapezoid({width, along}, (f.far - f.near) * stretch,
                                           width_slope * f.near, width_slope * f.far);
    const double z = f.near + foot.point.y / stretch;
    return Vec3{slope * z, foot.point.x, z};
  };
  const Vec3 right = side(q.x, q.y, f.slope_x, f.slope_y);
  const Vec3 top = side(q.y, q.x, f.slope_y, f.slope_x);
  const Vec3 candidates[] = {cap(f.near), cap(f.far), right, {top.y, top.x, top.z}};
  const auto corner = [&](int i) {
    const double z = i & 4 ? f.far : f.near;
    return Vec3{(i & 1 ? f.slope_x : -f.slope_x) * z, (i & 2 ? f.slope_y : -f.slope_y) * z, z};
  };
  const Vec3 corners[] = {corner(0), corner(1), corner(2), corner(3),
                          corner(4), corner(5), corner(6), corner(7)};
  double least = INFINITY, proved = -INFINITY;
  for (const Vec3& c : candidates) least = distance(c, q) < least ? distance(c, q) : least;
  const double limit = equal_distance(least, max_abs(q) + max_abs(corners[7]));
  Vec3 best = candidates[0];
  for (const Vec3& c : candidates) {
    const double width = clear_width(q, {}, c, corners);
    if (distance(c, q) <= limit && width > proved) {
      proved = width;
      best = c;
    }
  }
  const Vec3 mirrored{local.x < 0 ? -best.x : best.x, local.y < 0 ? -best.y : best.y, best.z};
  const Vec3 point = f.eye + f.axes * mirrored;
  return {point, length(p - point)};
}

} // namespace carom
