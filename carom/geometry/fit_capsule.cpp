// Points are balls of radius 0, and the same steps serve both.
//
// Capsule. Seen along the axis, the core is a point and ball i a disc at distance d_i from it: the radius is R = max(d_i + r_i).
// Along the axis, ball i at t_i is inside the round end where the core reaches to within w_i = sqrt((R - r_i)^2 - d_i^2) of it. So the
// core need only go from min(t_i + w_i) to max(t_i - w_i); where those cross, it is their middle.
//
// Lozenge. R is half the thickness along the normal, h_i the height over the middle plane, w_i as above with h for d: ball i needs the
// core within w_i of its foot. Each side is drawn in by that alone. A foot beyond two sides at once may then be too far from the
// corner; the corner is moved toward it by what is missing: each side by the most that any needs. The core only grows by that, so no ball is
// lost again.
//
// At the end the radius is taken from all of them once more, rounded up: it covers what the steps above lost by rounding.
#include "carom/geometry/fit_capsule.h"

#include "carom/geometry/covariance.h"
#include "carom/geometry/enclose.h"
#include "carom/geometry/measure.h"
#include "carom/geometry/minimum_sphere.h"
#include "carom/math/eigen3.h"
#include "carom/math/vec2.h"

#include <algorithm>
#include <vector>

namespace carom {
namespace {

std::vector<Sphere> as_balls(std::span<const Vec3> points) {
  std::vector<Sphere> balls;
  balls.reserve(points.size());
  for (const Vec3& p : points) balls.push_back({p, 0});
  return balls;
}

/// sqrt(a^2 - b^2), or 0.
double leg(double a, double b) { return a > b ? std::sqrt((a - b) * (a + b)) : 0; }

/// Along the line through `on` with the unit direction `axis`.
Capsule along_line(std::span<const Sphere> balls, const Vec3& on, const Vec3& axis) {
  double radius = 0;
  for (const Sphere& b : balls) {
    const Vec3 q = b.center - on;
    radius = std::max(radius, length(q - axis * dot(q, axis)) + b.radius);
  }
  double from = INFINITY;
  double to = -INFINITY;
  for (const Sphere& b : balls) {
    const Vec3 q = b.center - on;
    const double t = dot(q, axis);
    const double w = leg(radius - b.radius, length(q - axis * t));
    from = std::min(from, t + w);
    to = std::max(to, t - w);
  }
  if (from > to) from = to = 0.5 * (from + to);
  Capsule c{on + axis * from, on + axis * to, 0};
  c.radius = enclose::radius(balls, c.core());
  return c;
}

struct Range {
  double low = INFINITY, high = -INFINITY;

  void order() {
    if (low > high) low = high = 0.5 * (low + high);
  }
  /// How far x is beyond the nearer end, with its sign; 0 between them.
  [[nodiscard]] double beyond(double x) const {
    return x > high ? x - high : x < low ? x - low : 0;
  }
  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
};

} // namespace

Capsule fit_capsule_along(std::span<const Sphere> balls, const Vec3& axis) {
  if (balls.empty()) return {{}, {}, -1};
  const Vec3 origin = balls[0].center;
  std::vector<Vec3> seen;
  seen.reserve(balls.size());
  for (const Sphere& b : balls) {
    const Vec3 q = b.center - origin;
    seen.push_back(q - axis * dot(q, axis));
  }
  return along_line(balls, origin + minimum_sphere(seen).sphere.center, axis);
}

Capsule fit_capsule_on(std::span<const Sphere> balls, const Segment& core) {
  if (balls.empty()) return {{}, {}, -1};
  return along_line(balls, core.a * 0.5 + core.b * 0.5, normalized(core.direction()));
}

Capsule fit_capsule_along(std::span<const Vec3> points, const Vec3& axis) {
  return fit_capsule_along(as_balls(points), axis);
}

Capsule fit_capsule(std::span<const Vec3> points) {
  if (points.empty()) return {{}, {}, -1};
  const std::vector<Sphere> balls = as_balls(points);
  const Sphere ball = minimum_sphere(points).sphere;
  Capsule best{ball.center, ball.center, ball.radius};
  const Mat3 axes = symmetric_eigen(point_covariance(points).covariance).vectors;
  for (int i = 0; i < 3; ++i) {
    const Capsule c = fit_capsule_along(balls, axes[i]);
    if (volume(c) < volume(best)) best = c;
  }
  return best;
}

Lozenge fit_lozenge_along(std::span<const Sphere> balls, const Mat3& axes) {
  if (balls.empty()) return {{}, -1};
  const Vec3 origin = balls[0].center;
  Range thickness;
  for (const Sphere& b : balls) {
    const double h = dot(b.center - origin, axes.z);
    thickness.add(h - b.radius);
    thickness.add(h + b.radius);
  }
  const double middle = 0.5 * (thickness.low + thickness.high);
  const double radius = 0.5 * (thickness.high - thickness.low);
  const auto foot = [&](const Sphere& b) {
    const Vec3 q = transpose_mul(axes, b.center - origin);
    return Vec3{q.x, q.y, leg(radius - b.radius, std::fabs(q.z - middle))};
  };
  Range u;
  Range v;
  for (const Sphere& b : balls) {
    const Vec3 f = foot(b);
    u.low = std::min(u.low, f.x + f.z);
    u.high = std::max(u.high, f.x - f.z);
    v.low = std::min(v.low, f.y + f.z);
    v.high = std::max(v.high, f.y - f.z);
  }
  u.order();
  v.order();
  Range more_u{0, 0};
  Range more_v{0, 0};
  for (const Sphere& b : balls) {
    const Vec3 f = foot(b);
    const Vec2 out{u.beyond(f.x), v.beyond(f.y)};
    const double d = length(out);
    if (!(d > f.z)) continue;
    more_u.add(out.x * (1 - f.z / d));
    more_v.add(out.y * (1 - f.z / d));
  }
  u = {u.low + more_u.low, u.high + more_u.high};
  v = {v.low + more_v.low, v.high + more_v.high};
  const Vec3 center = origin + axes * Vec3{0.5 * (u.low + u.high), 0.5 * (v.low + v.high), middle};
  Lozenge l{{center, axes.x, axes.y, 0.5 * (u.high - u.low), 0.5 * (v.high - v.low)}, 0};
  l.radius = enclose::radius(balls, l.core);
  return l;
}

Lozenge fit_lozenge_along(std::span<const Vec3> points, const Mat3& axes) {
  return fit_lozenge_along(as_balls(points), axes);
}

Lozenge fit_lozenge(std::span<const Vec3> points) {
  const std::vector<Sphere> balls = as_balls(points);
  const Mat3 axes = symmetric_eigen(point_covariance(points).covariance).vectors;
  Lozenge best = fit_lozenge_along(balls, axes);
  for (int i = 0; i < 2; ++i) {
    const Lozenge l = fit_lozenge_along(balls, {axes[(i + 1) % 3], axes[(i + 2) % 3], axes[i]});
    if (volume(l) < volume(best)) best = l;
  }
  return best;
}

} // namespace carom
