// The distance of a point from a segment or a rectangle is at most its distance from any point of it. So the parameters of a nearest
// point are found in plain doubles, clamped to the range, and only the distance from that one point is bounded by intervals: no
// cancellation, and the bound holds however badly the parameters were found.
#include "carom/geometry/enclose.h"

#include <algorithm>

namespace carom::enclose {
namespace {

constexpr double epsilon = tolerance::epsilon;

double clamp(double x, double low, double high) { return x > low ? (x < high ? x : high) : low; }

double length_above(const IntervalVec3& v) { return sqrt(length_squared(v)).hi; }

/// Where on the segment, 0 to 1.
double parameter(const Vec3& p, const Segment& s) {
  const Vec3 d = s.b - s.a;
  const double dd = length_squared(d);
  return dd > 0 ? clamp(dot(p - s.a, d) / dd, 0, 1) : 0;
}

double size_of(const Segment& s) { return std::max(max_abs(s.a), max_abs(s.b)); }
double size_of(const Rectangle& r) { return max_abs(r.center) + r.half_u + r.half_v; }

template<class Core>
double core_radius(std::span<const Sphere> balls, const Core& core) {
  double size = size_of(core);
  for (const Sphere& b : balls) size = std::max({size, max_abs(b.center), b.radius});
  return std::max(
      0.0, greatest(
               balls, [&](const Sphere& b) { return distance_near(b.center, core) + b.radius; },
               32 * epsilon * size,
               [&](const Sphere& b) {
                 return rounding::add(distance_above(b.center, core), b.radius).upper();
               }));
}

} // namespace

double distance_above(const Vec3& p, const Vec3& q) {
  return length_above(IntervalVec3(p) - IntervalVec3(q));
}

double distance_below(const Vec3& p, const Vec3& q) {
  return sqrt(length_squared(IntervalVec3(p) - IntervalVec3(q))).lo;
}

double distance_near(const Vec3& p, const Segment& s) { return length(p - s.at(parameter(p, s))); }

double distance_near(const Vec3& p, const Rectangle& r) {
  const Vec3 from = p - r.center;
  return length(p - r.at(clamp(dot(from, r.u), -r.half_u, r.half_u),
                         clamp(dot(from, r.v), -r.half_v, r.half_v)));
}

double distance_above(const Vec3& p, const Segment& s) {
  const double t = parameter(p, s);
  if (t == 0) return distance_above(p, s.a);
  if (t == 1) return distance_above(p, s.b);
  return length_above(IntervalVec3(p) - (IntervalVec3(s.a) + (IntervalVec3(s.b) - s.a) * t));
}

double distance_above(const Vec3& p, const Rectangle& r) {
  const Vec3 from = p - r.center;
  const double s = clamp(dot(from, r.u), -r.half_u, r.half_u);
  const double t = clamp(dot(from, r.v), -r.half_v, r.half_v);
  return length_above(IntervalVec3(p) - r.center - IntervalVec3(r.u) * s - IntervalVec3(r.v) * t);
}

double reach(std::span<const Vec3> points, const Vec3& origin, const Vec3& direction) {
  // Of a dot product: half an epsilon for each difference, product and sum of the terms' size.
  const double error = 4 * epsilon * (size(points) + max_abs(origin)) *
                       (std::fabs(direction.x) + std::fabs(direction.y) + std::fabs(direction.z));
  return greatest(
      points, [&](const Vec3& p) { return dot(p - origin, direction); }, error,
      [&](const Vec3& p) { return dot(IntervalVec3(p) - origin, IntervalVec3(direction)).hi; });
}

double reach(const Vec3& point, const Frame& frame, const Vec3& direction) {
  const IntervalVec3 placed = IntervalVec3(frame.basis.x) * point.x +
                              IntervalVec3(frame.basis.y) * point.y +
                              IntervalVec3(frame.basis.z) * point.z + frame.origin;
  return dot(placed, IntervalVec3(direction)).hi;
}

double reach(std::span<const Vec3> points, const Frame& frame, const Vec3& direction) {
  // The direction is turned into the points' frame once. Its components, like those of the basis, are at most a few.
  const Vec3 local = transpose_mul(frame.basis, direction);
  const double length_1 = std::fabs(direction.x) + std::fabs(direction.y) + std::fabs(direction.z);
  const double error = 32 * epsilon * size(points) * length_1;
  return greatest(
      points, [&](const Vec3& p) { return dot(p, local); }, error,
      [&](const Vec3& p) { return reach(p, frame, direction); });
}

double radius(std::span<const Vec3> points, const Vec3& center) {
  const double error = 8 * epsilon * (size(points) + max_abs(center));
  return std::max(0.0, greatest(
                           points, [&](const Vec3& p) { return length(p - center); }, error,
                           [&](const Vec3& p) { return distance_above(p, center); }));
}

double radius(std::span<const Sphere> balls, const Segment& core) {
  return core_radius(balls, core);
}
double radius(std::span<const Sphere> balls, const Rectangle& core) {
  return core_radius(balls, core);
}

} // namespace carom::enclose
