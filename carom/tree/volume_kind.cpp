// The kinds whose placing is simple: balls, boxes, lozenges, shells. K-DOPs: volume_kind_kdop.cpp.
#include "carom/tree/volume_kind.h"

#include "carom/geometry/closest_flat.h"
#include "carom/geometry/closest_point.h"
#include "carom/geometry/enclose.h"
#include "carom/geometry/fit_aabb.h"
#include "carom/geometry/fit_capsule.h"
#include "carom/geometry/fit_obb.h"
#include "carom/geometry/measure.h"
#include "carom/geometry/merge.h"
#include "carom/geometry/minimum_sphere.h"
#include "carom/geometry/moved.h"

#include <algorithm>

namespace carom {
namespace {

constexpr double epsilon = tolerance::epsilon;

/// Where the cone is wider than a half-space, it is all of space here: what lies between points of it is in it, too.
SphericalShell with_convex_cone(SphericalShell s) {
  if (s.cos_half_angle < 0) s.cos_half_angle = -1;
  return s;
}

/// The box around a lozenge's rectangle: of no thickness.
Obb flat_box(const Rectangle& r) {
  return {r.center, {r.u, r.v, cross(r.u, r.v)}, {r.half_u, r.half_v, 0}};
}

} // namespace

// Balls.

Sphere VolumeKind<Sphere>::fit(const VolumeInput& input) {
  return minimum_sphere(input.points).sphere;
}
Sphere VolumeKind<Sphere>::merge(const Sphere& a, const Sphere& b) { return carom::merge(a, b); }
double VolumeKind<Sphere>::distance_below(const Sphere& s, const Vec3& p) {
  return std::max(0.0, distance(s.center, p) - s.radius);
}
double VolumeKind<Sphere>::Relative::distance_below(const Sphere& a, const Sphere& b,
                                                    double) const {
  return std::max(0.0, distance(a.center, frame_.to_world(b.center)) - a.radius - b.radius);
}

// Boxes along the axes.

Aabb VolumeKind<Aabb>::fit(const VolumeInput& input) { return fit_aabb(input.points); }
Aabb VolumeKind<Aabb>::merge(const Aabb& a, const Aabb& b) { return carom::merge(a, b); }
Aabb VolumeKind<Aabb>::grown(const Aabb& b, double by) {
  const Vec3 v{by, by, by};
  return {b.min - v, b.max + v};
}
double VolumeKind<Aabb>::distance_below(const Aabb& b, const Vec3& p) {
  return length(max(max(b.min - p, p - b.max), Vec3{}));
}

// Boxes along their own axes.

Obb VolumeKind<Obb>::fit(const VolumeInput& input) {
  const Obb straight = fit_obb(input.points, Mat3::identity());
  Covariance spread = surface_covariance(input.points, input.triangles);
  if (!(spread.weight > 0)) spread = point_covariance(input.points);
  const Obb turned = fit_obb(input.points, spread);
  return area(turned) < area(straight) ? turned : straight;
}
Obb VolumeKind<Obb>::merge(const Obb& a, const Obb& b) { return carom::merge(a, b); }
double VolumeKind<Obb>::distance_below(const Obb& b, const Vec3& p) {
  return length(max(abs(transpose_mul(b.axes, p - b.center)) - b.half, Vec3{}));
}

// Lozenges.

Lozenge VolumeKind<Lozenge>::fit(const VolumeInput& input) { return fit_lozenge(input.points); }
Lozenge VolumeKind<Lozenge>::merge(const Lozenge& a, const Lozenge& b) {
  return carom::merge(a, b);
}
Sphere VolumeKind<Lozenge>::ball(const Lozenge& l) {
  return {l.core.center, length(Vec3{l.core.half_u, l.core.half_v, 0}) + l.radius};
}
double VolumeKind<Lozenge>::distance_below(const Lozenge& l, const Vec3& p) {
  return std::max(0.0, closest_point(p, l.core).distance - l.radius);
}
double VolumeKind<Lozenge>::Relative::distance_below(const Lozenge& a, const Lozenge& b,
                                                     double enough) const {
  const double radii = a.radius + b.radius;
  const Obb box_a = flat_box(a.core);
  const Obb box_b = flat_box(b.core);
  const double gap = box_gap(box_a.half, box_b.half, boxes_.place(box_a, box_b)) - radii;
  if (gap > enough) return gap;
  return std::max(0.0, closest_points(a.core, moved(b.core, frame_)).distance - radii);
}

// Shells.

// A triangle between points of a shell may dip into the hollow, and, where the cone is not convex, leave it.
SphericalShell VolumeKind<SphericalShell>::fit(const VolumeInput& input) {
  SphericalShell s = fit_shell(input.points);
  const double error = 64 * epsilon * (enclose::size(input.points) + max_abs(s.center));
  for (const IndexTriple& t : input.triangles) {
    const Triangle triangle{input.points[t[0]], input.points[t[1]], input.points[t[2]]};
    s.inner = std::min(s.inner, closest_point(s.center, triangle).distance - error);
  }
  s.inner = std::max(s.inner, 0.0);
  return with_convex_cone(s);
}
SphericalShell VolumeKind<SphericalShell>::merge(const SphericalShell& a, const SphericalShell& b) {
  return with_convex_cone(carom::merge(a, b));
}

// Of a cone no wider than a half-space: the ball around the cylinder about its axis that contains it.
Sphere VolumeKind<SphericalShell>::ball(const SphericalShell& s) {
  if (!(s.cos_half_angle > 0)) return {s.center, s.outer};
  const double low = s.inner * s.cosine();
  const Vec3 reach{0.5 * (s.outer - low), s.outer * s.sine(), 0};
  return {s.center + s.axis * (0.5 * (low + s.outer)), length(reach)};
}

// A point moved by `by`, at least `inner` from the centre, turns by an angle whose sine is at most by / inner. The cosine falls by less than
// twice that where it is small.
SphericalShell VolumeKind<SphericalShell>::grown(const SphericalShell& s, double by) {
  const bool narrow = s.cos_half_angle > -1 && by < 0.25 * s.inner;
  const double widened = narrow ? s.cos_half_angle - 2 * by / s.inner - 8 * epsilon : -1;
  return {s.center, s.axis, std::max(0.0, s.inner - by), s.outer + by, widened};
}

// With theta the angle from the axis and alpha the cone's: outside the cone by less than a right angle, the nearest of its rays is
// d sin(theta - alpha) away; beyond that, its apex is nearest.
double VolumeKind<SphericalShell>::distance_below(const SphericalShell& s, const Vec3& p) {
  const Vec3 q = p - s.center;
  const double d = length(q);
  double bound = std::max({0.0, d - s.outer, s.inner - d});
  if (s.cos_half_angle > 0 && d > 0) {
    const double along = dot(s.axis, q);
    const double across = length(cross(s.axis, q));
    if (along < d * s.cosine()) {
      const bool beyond = along * s.cosine() + across * s.sine() <= 0;
      bound = std::max(bound, beyond ? d : across * s.cosine() - along * s.sine());
    }
  }
  return std::max(0.0, bound - 16 * epsilon * (d + s.outer));
}

double VolumeKind<SphericalShell>::Relative::distance_below(const SphericalShell& a,
                                                            const SphericalShell& b,
                                                            double enough) const {
  const SphericalShell placed = moved(b, frame_);
  const Sphere ball_a = ball(a);
  const Sphere ball_b = ball(placed);
  // Shells may have far centres: what is rounded there may be more than the size of the mesh suggests.
  const double error =
      64 * epsilon * (max_abs(a.center) + a.outer + max_abs(placed.center) + placed.outer);
  const double gap = distance(ball_a.center, ball_b.center) - ball_a.radius - ball_b.radius - error;
  if (gap > enough) return gap;
  return std::max(0.0, distance_lower_bound(a, placed) - error);
}

} // namespace carom
