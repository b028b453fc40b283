// Growing: a ball and a point outside it have a least common ball. Its far end stays where it was, on the other side of the old ball, and
// its near end is the point. That is done in plain doubles; at the end the radius is taken anew from all points, rounded up.
#include "carom/geometry/fit_sphere.h"

#include "carom/geometry/covariance.h"
#include "carom/geometry/enclose.h"
#include "carom/math/eigen3.h"
#include "carom/math/random_order.h"

namespace carom {
namespace {

Sphere over(const Vec3& a, const Vec3& b) { return {a * 0.5 + b * 0.5, distance(a, b) / 2}; }

void grow(Sphere& ball, const Vec3& p) {
  const double d = distance(ball.center, p);
  if (!(d > ball.radius) || !(d < INFINITY)) return;
  const double radius = (ball.radius + d) / 2;
  ball.center += (p - ball.center) * ((radius - ball.radius) / d);
  ball.radius = radius;
}

Sphere finished(std::span<const Vec3> points, const Vec3& center) {
  return {center, enclose::radius(points, center)};
}

/// The points with the least and the greatest direction . p.
struct Ends {
  Vec3 low, high;
};
Ends ends_along(std::span<const Vec3> points, const Vec3& direction) {
  Ends ends{points[0], points[0]};
  double low = INFINITY;
  double high = -INFINITY;
  for (const Vec3& p : points) {
    const double x = dot(p, direction);
    if (x < low) {
      low = x;
      ends.low = p;
    }
    if (x > high) {
      high = x;
      ends.high = p;
    }
  }
  return ends;
}

Sphere grown_over(std::span<const Vec3> points, Sphere ball) {
  for (const Vec3& p : points) grow(ball, p);
  return finished(points, ball.center);
}

} // namespace

Sphere ritter_sphere(std::span<const Vec3> points) {
  if (points.empty()) return {{}, -1};
  Sphere ball{points[0], -1};
  for (int i = 0; i < 3; ++i) {
    const Ends ends = ends_along(points, unit_axis(i));
    const Sphere candidate = over(ends.low, ends.high);
    if (candidate.radius > ball.radius) ball = candidate;
  }
  return grown_over(points, ball);
}

Sphere principal_axis_sphere(std::span<const Vec3> points) {
  if (points.empty()) return {{}, -1};
  const Eigen3 axes = symmetric_eigen(point_covariance(points).covariance);
  const Ends ends = ends_along(points, axes.vectors.x);
  return grown_over(points, over(ends.low, ends.high));
}

Sphere iterated_ritter_sphere(std::span<const Vec3> points, int rounds) {
  Sphere best = ritter_sphere(points);
  for (int round = 0; round < rounds && !points.empty(); ++round) {
    const RandomOrder order(points.size(), static_cast<std::uint64_t>(round));
    Sphere ball{best.center, best.radius * 0.95};
    for (std::size_t i = 0; i < points.size(); ++i) grow(ball, points[order[i]]);
    const Sphere candidate = finished(points, ball.center);
    if (candidate.radius < best.radius) best = candidate;
  }
  return best;
}

Sphere fit_sphere(const Aabb& box) {
  if (box.empty()) return {{}, -1};
  const Vec3 center = box.center();
  std::array<Vec3, 8> corners;
  for (int i = 0; i < 8; ++i) corners[static_cast<std::size_t>(i)] = box.corner(i);
  return finished(corners, center);
}

} // namespace carom
