// The narrowest cone around directions: its axis points to the centre of the least ball around the unit vectors (a cap that is less than
// half the sphere is what a ball cuts off).
//
// Angles are added without trigonometry: with theta the angle between the axis and a direction and alpha the half angle, a direction outside
// the cone is theta - alpha from the nearest one in it, and cos(theta - alpha) = cos theta cos alpha + sin theta sin alpha. The sine of theta is
// taken from the cross product, which is exact to a few roundings also where the cosine is nearly 1.
#include "carom/geometry/spherical_shell.h"

#include "carom/geometry/covariance.h"
#include "carom/geometry/enclose.h"
#include "carom/geometry/gjk.h"
#include "carom/geometry/minimum_sphere.h"
#include "carom/math/eigen3.h"
#include "carom/math/solve3.h"
#include "carom/math/trig.h"

#include <algorithm>
#include <vector>

namespace carom {
namespace {

constexpr double epsilon = tolerance::epsilon;

/// The unit vector at right angles to the axis on the side of v. Nearly parallel to the axis, v has a side only roughly; at right angles it is
/// always.
Vec3 side_of(const Vec3& axis, const Vec3& v) {
  return normalized_or(cross(cross(axis, v), axis), perpendicular(axis));
}

/// The cosine of the angle between a unit vector and the direction of the cone nearest to it.
double cosine_to_cone(const SphericalShell& s, const Vec3& unit) {
  const double along = dot(s.axis, unit);
  const double c = s.cosine();
  if (s.all_directions() || along >= c) return 1;
  return along * c + length(cross(s.axis, unit)) * s.sine();
}

/// How far the points of the shell are from q, at most.
double farthest_from(const SphericalShell& s, const Vec3& q) {
  const double d = distance(s.center, q);
  const double k = cosine_to_cone(s, normalized_or(s.center - q, s.axis));
  const auto at = [&](double r) { return std::sqrt(std::max(0.0, d * d + r * (r + 2 * d * k))); };
  return std::max(at(s.inner), at(s.outer));
}

Vec3 cone_axis(std::span<const Vec3> points, const Vec3& center) {
  std::vector<Vec3> directions;
  directions.reserve(points.size());
  for (const Vec3& p : points) {
    if (p != center) directions.push_back(normalized(p - center));
  }
  return normalized_or(minimum_sphere(directions).sphere.center, {0, 0, 1});
}

/// The centre of the sphere that is nearest in the sense of least squares of |p - c|^2 - r^2; false where the points lie in a plane.
/// With q = p - mean: 2 Cov x = mean of q |q|^2.
bool least_squares_center(std::span<const Vec3> points, const Covariance& spread, Vec3& center) {
  Vec3 third;
  for (const Vec3& p : points) {
    const Vec3 q = p - spread.mean;
    third += q * (length_squared(q) / static_cast<double>(points.size()));
  }
  const Solve3 x = solve(spread.covariance * 2, third);
  center = spread.mean + x.x;
  return x.status == SolveStatus::unique && is_finite(center);
}

} // namespace

SphericalShell fit_shell(std::span<const Vec3> points, const Vec3& center) {
  if (points.empty()) return {};
  SphericalShell s{center, cone_axis(points, center), 0, enclose::radius(points, center), 1};
  const double error = 8 * epsilon * (enclose::size(points) + max_abs(center));
  s.inner = -enclose::greatest(
      points, [&](const Vec3& p) { return -distance(p, center); }, error,
      [&](const Vec3& p) { return -enclose::distance_below(p, center); });
  // The least cosine, as minus the greatest of the opposite. A point at the centre has no direction, and may lie in any cone.
  const double angle_error = s.inner > 0 ? error / s.inner : INFINITY;
  s.cos_half_angle = -enclose::greatest(
      points,
      [&](const Vec3& p) { return p == center ? -1 : -dot(s.axis, normalized(p - center)); },
      angle_error,
      [&](const Vec3& p) {
        if (p == center) return -1.0;
        const IntervalVec3 q = IntervalVec3(p) - center;
        return -(dot(q, s.axis) / sqrt(length_squared(q))).lo;
      });
  return s;
}

SphericalShell fit_shell(std::span<const Vec3> points) {
  if (points.empty()) return {};
  const Covariance spread = point_covariance(points);
  const Vec3 thin = symmetric_eigen(spread.covariance).vectors.z;
  const double size = enclose::radius(points, spread.mean);
  SphericalShell best = fit_shell(points, spread.mean);
  const auto consider = [&](const Vec3& center) {
    const SphericalShell s = fit_shell(points, center);
    if (volume(s) < volume(best)) best = s;
  };
  Vec3 center;
  // Far away all shells look flat, and rounding eats the difference of the radii.
  if (least_squares_center(points, spread, center) && distance(center, spread.mean) <= 1e3 * size) {
    consider(center);
  }
  for (const double far : {1.0, 4.0}) {
    consider(spread.mean + thin * (far * size));
    consider(spread.mean - thin * (far * size));
  }
  return best;
}

SphericalShell merge(const SphericalShell& a, const SphericalShell& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  SphericalShell other = b;
  if (a.center != b.center) {
    // The whole ball of b as seen from the centre of a. A cosine near 1 cannot tell angles below 1e-8: it is rounded down.
    const double d = distance(a.center, b.center);
    const double r =
        b.outer * (1 + 4 * epsilon) + 4 * epsilon * (max_abs(a.center) + max_abs(b.center));
    other = {a.center, normalized(b.center - a.center), std::max(0.0, d - r), d + r,
             d > r ? std::sqrt((1 - r / d) * (1 + r / d)) - 4 * epsilon : -1};
  }
  SphericalShell both{a.center, a.axis, std::min(a.inner, other.inner),
                      std::max(a.outer, other.outer), -1};
  if (a.all_directions() || other.all_directions()) return both;
  const double angle_a = carom::acos(a.cosine());
  const double angle_b = carom::acos(other.cosine());
  const double between = carom::atan2(length(cross(a.axis, other.axis)), dot(a.axis, other.axis));
  const double half = std::max({angle_a, angle_b, 0.5 * (angle_a + between + angle_b)});
  // Turned from a's axis toward b's by what leaves a just inside; between 0 and all the way.
  const double turn = std::min(between, half - angle_a);
  const Vec3 side = side_of(a.axis, other.axis);
  both.axis = normalized(a.axis * carom::cos(turn) + side * carom::sin(turn));
  both.cos_half_angle = half < carom::pi ? carom::cos(half) - 16 * epsilon : -1;
  return both;
}

double volume(const SphericalShell& s) {
  if (s.empty()) return 0;
  const double thickness = s.outer - s.inner;
  const double squares = s.outer * s.outer + s.outer * s.inner + s.inner * s.inner;
  return 2 * carom::pi / 3 * (1 - s.cosine()) * thickness * squares;
}

double area(const SphericalShell& s) {
  if (s.empty()) return 0;
  const double c = s.cosine();
  const double caps = 2 * carom::pi * (1 - c) * (s.outer * s.outer + s.inner * s.inner);
  return caps + carom::pi * s.sine() * (s.outer - s.inner) * (s.outer + s.inner);
}

Vec3 support_point(const SphericalShell& s, const Vec3& d) {
  const Vec3 unit = normalized_or(d, s.axis);
  const double along = dot(s.axis, unit);
  const double c = s.cosine();
  // Inside the cone by the sine of the angle to its rim: near 1, cosines cannot tell small angles apart.
  const double beyond = length(cross(s.axis, unit)) * c - along * s.sine();
  const bool inside = beyond < 0 || (beyond == 0 && along * c >= 0);
  if (s.all_directions() || inside) return s.center + unit * s.outer;
  // On the rim of the cone, in the plane of the axis and d.
  const Vec3 side = side_of(s.axis, unit);
  const Vec3 rim = s.axis * c + side * s.sine();
  return s.center + rim * (dot(rim, unit) > 0 ? s.outer : s.inner);
}

double distance_lower_bound(const SphericalShell& a, const SphericalShell& b) {
  if (a.empty() || b.empty()) return INFINITY;
  const double size = std::max({max_abs(a.center), max_abs(b.center), a.outer, b.outer});
  const double hollow =
      std::max(a.inner - farthest_from(b, a.center), b.inner - farthest_from(a, b.center));
  const double hulls = gjk(ConvexView(a), ConvexView(b)).lower_bound;
  return std::max(0.0, std::max(hollow, hulls) - 32 * epsilon * size);
}

bool may_overlap(const SphericalShell& a, const SphericalShell& b) {
  return distance_lower_bound(a, b) <= 0;
}

} // namespace carom
