// All three are a slab between two planes and a round wall whose radius changes linearly along the axis. Seen along the axis the line is a
// line in a plane. Two cases, each from the point of the line where it is well conditioned:
//
// Flatter than the wall: from where the line is nearest to the axis. Its distance from it is sqrt(gap^2 + s^2), the wall there
// radius + widening s with |widening| < 1 (line_clipper.cpp). Cylinders have widening 0.
//
// Steeper than the wall, or parallel to it or to the axis: from the height of the apex, where the wall has radius 0. With m the
// line's point there, d its direction across the axis and k its widening, |m + t d| <= k t is
//   (k^2 - |d|^2) t^2 - 2 (m.d) t - |m|^2 >= 0,   k t >= 0:
// one root, from (m.d)^2 + (k^2 - |d|^2) |m|^2, a sum of positive terms.
//
// Both ask for a wall of positive radius, so the other half of the double cone never shows.
#include "carom/geometry/cast_cone.h"

#include "carom/geometry/line_clipper.h"
#include "carom/math/tolerance.h"

#include <algorithm>

namespace carom {
namespace {

using cast_detail::across;
using cast_detail::approach;
using cast_detail::Approach;
using cast_detail::clip_or_touch;
using cast_detail::Clipper;
using cast_detail::cut_wall;
using tolerance::epsilon;

// The line relative to the axis of a solid of revolution.
struct AxisView {
  double z, speed;  // height over the foot of the axis at t = 0, and its change
  Vec3 m, d;        // the origin and the direction, across the axis
  Approach nearest; // of those
};

AxisView view(const Line& line, const Vec3& foot, const Vec3& axis) {
  const Vec3 m = line.origin - foot;
  AxisView seen{
      dot(axis, m), dot(axis, line.direction), across(m, axis), across(line.direction, axis), {}};
  if (max_abs(seen.d) <= 2 * epsilon * max_abs(line.direction)) seen.d = {}; // along the axis
  seen.nearest = approach(seen.m, seen.d);
  // Close to the axis what is left of m is its rounding error, which need not be at right angles to the axis, nor to the line.
  seen.nearest.nearest = across(across(seen.nearest.nearest, axis), seen.nearest.along);
  seen.nearest.gap = length(seen.nearest.nearest);
  return seen;
}

// The wall that is foot_radius + taper z wide, met by a line for which it widens by `widening` a unit of t, at least as fast as
// the line goes sideways.
template<class Outward>
void cut_steep(Clipper& clipper, const AxisView& line, const Vec3& axis, double foot_radius,
               double taper, Outward&& outward) {
  const double at_apex = -(foot_radius / taper + line.z) / line.speed;
  const Vec3 m = across(line.m + line.d * at_apex, axis);
  const double widening = taper * line.speed, way = widening > 0 ? 1 : -1;
  const double md = dot(m, line.d) * way, mm = length_squared(m);
  const double dd = line.nearest.speed, k = std::fabs(widening);
  const double faster = (k - dd) * (k + dd);
  const double root = std::sqrt(md * md + faster * mm);
  double t = 0;
  if (md > 0) {
    t = (md + root) / faster;
  } else if (mm > 0) {
    t = mm / (root - md);
  }
  const Vec3 u = m + line.d * (t * way);
  const Vec3 fallback = dd > 0 ? line.nearest.along * -way : perpendicular(axis);
  const Vec3 normal = outward(max_abs(u) > 0 ? u : fallback);
  if (way > 0) {
    clipper.enter_at(at_apex + t, normal);
  } else {
    clipper.exit_at(at_apex - t, normal);
  }
}

// Within the wall of radius foot_radius + taper z.
void cut_taper(Clipper& clipper, const AxisView& line, const Vec3& axis, double foot_radius,
               double taper) {
  const auto outward = [&](const Vec3& u) { return normalized(normalized(u) - axis * taper); };
  const double widening = taper * line.speed;
  if (widening != 0 && std::fabs(widening) >= line.nearest.speed) {
    cut_steep(clipper, line, axis, foot_radius, taper, outward);
  } else {
    const double radius = foot_radius + taper * (line.z + line.speed * line.nearest.t);
    const double slope = line.nearest.speed > 0 ? widening / line.nearest.speed : 0;
    cut_wall(clipper, line.nearest, radius, slope, outward);
  }
}

LineSpan clip_frustum(const Line& line, const ConeFrustum& f, double slack) {
  const AxisView seen = view(line, f.a, f.axis);
  Clipper clipper;
  clipper.cut(f.height + slack - seen.z, seen.speed, f.axis);
  clipper.cut(seen.z + slack, -seen.speed, -f.axis);
  // The widest cylinder around it holds even where the taper is so steep that rounding of z would matter.
  cut_taper(clipper, seen, f.axis, std::max(f.radius_a, f.radius_b) + slack, 0);
  if (f.radius_a != f.radius_b && f.height > 0) {
    const double taper = (f.radius_b - f.radius_a) / f.height;
    cut_taper(clipper, seen, f.axis, f.radius_a + slack * (1 + std::fabs(taper)), taper);
  }
  return clipper.finish();
}

} // namespace

LineSpan clip(const Line& line, const ConeFrustum& frustum) {
  const double size =
      max_abs(line.origin - frustum.a) + frustum.height + frustum.radius_a + frustum.radius_b;
  return clip_or_touch(8 * epsilon * size,
                       [&](double slack) { return clip_frustum(line, frustum, slack); });
}

LineSpan clip(const Line& line, const Cylinder& cylinder) {
  return clip(line, to_frustum(cylinder));
}

LineSpan clip(const Line& line, const Cone& cone) {
  return clip(line, to_frustum(cone));
}

} // namespace carom
