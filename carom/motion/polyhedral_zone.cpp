#include "carom/motion/polyhedral_zone.h"

#include "carom/geometry/closest_line.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Of the size. Edges that are parallel but for an angle s are resolved to within rounding / s across them, and where that is more than the zone, their end points must
/// see each other: that asks for a zone of about the square root of the rounding.
constexpr double default_thickness = 0x1p-24;
constexpr double least_thickness = 0x1p-34;
/// Of the size: some dozens of roundings, of two poses, a change of frame and a formula.
constexpr double rounding_length = 0x1p-46;
/// Of the zone.
constexpr double lateral_share = 0x1p-4;

Vec3 nearest_on_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 d = b - a;
  const double dd = length_squared(d);
  const double t = dd > 0 ? std::clamp(dot(p - a, d) / dd, 0.0, 1.0) : 0.0;
  return t == 1 ? b : a + d * t;
}

bool before(const Vec3& a, const Vec3& b) {
  return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

} // namespace

ExpelZone ExpelZone::of(double size, double all, double thickness) {
  ExpelZone zone;
  const double wanted = thickness > 0 ? thickness : default_thickness * size;
  zone.thickness = std::max(wanted, least_thickness * all);
  zone.rounding = rounding_length * all;
  zone.lateral = lateral_share * zone.thickness;
  return zone;
}

FeaturePoints nearest_points(const Vec3& point, const PolygonView& polygon) {
  const std::size_t n = polygon.corners.size();
  bool inside = n > 2;
  double best = INFINITY;
  Vec3 nearest = point;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3& a = polygon.corners[i];
    const Vec3& b = polygon.corners[i + 1 == n ? 0 : i + 1];
    if (dot(cross(polygon.plane.normal, b - a), point - a) >= 0) continue;
    inside = false;
    const Vec3 q = nearest_on_segment(point, a, b);
    const double d = distance_squared(point, q);
    if (d < best) {
      best = d;
      nearest = q;
    }
  }
  if (inside) {
    const double h = polygon.plane.signed_distance(point);
    return {point, point - polygon.plane.normal * h, std::fabs(h)};
  }
  return {point, nearest, std::sqrt(best)};
}

FeaturePoints nearest_points(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const ClosestLines c2 = closest_points(Segment{a, b}, Segment{c, d});
  return {c2.on_a, c2.on_b, c2.distance};
}

bool is_over(const Vec3& point, const PolygonView& polygon) {
  const std::size_t n = polygon.corners.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3& a = polygon.corners[i];
    const Vec3& b = polygon.corners[i + 1 == n ? 0 : i + 1];
    if (dot(cross(polygon.plane.normal, b - a), point - a) < 0) return false;
  }
  return n > 2;
}

double passing_side(const Vec3& point, const Vec3& motion, const Vec3& from, const Vec3& to) {
  // One order of the two ends, so that both polygons at the edge get the same number.
  const bool turned = before(to, from);
  const Vec3& a = turned ? to : from;
  const Vec3& b = turned ? from : to;
  const double s = dot(cross(b - a, motion), point - a);
  return turned ? -s : s;
}

} // namespace carom
