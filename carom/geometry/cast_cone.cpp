// All three are a slab between two planes and a round wall whose radius changes linearly along the axis. Seen along the axis the line is a
// line in a plane, and its distance from the axis sqrt(gap^2 + s^2); the wall there is radius + widening s. That condition is solved
// without cancellation in line_clipper.cpp, for cylinders (widening 0), cones, and lines steeper than the cone alike. The condition
// asks for a wall of positive radius, so the other half of the double cone never shows.
//
// A line along the axis, to within rounding, has no such s: it is cut where the wall is as wide as its distance from the axis.
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
  double z, speed; // height over the foot of the axis at t = 0, and its change
  Approach sideways;
};

AxisView view(const Line& line, const Vec3& foot, const Vec3& axis) {
  const Vec3 m = line.origin - foot;
  Vec3 d = across(line.direction, axis);
  if (max_abs(d) <= 2 * epsilon * max_abs(line.direction)) d = {}; // along the axis
  return {dot(axis, m), dot(axis, line.direction), approach(across(m, axis), d)};
}

// Within the wall of radius foot_radius + taper z.
void cut_taper(Clipper& clipper, const AxisView& line, const Vec3& axis, double foot_radius,
               double taper) {
  const auto outward = [&](const Vec3& u) { return normalized(normalized(u) - axis * taper); };
  const Approach& sideways = line.sideways;
  if (sideways.speed > 0) {
    const double radius = foot_radius + taper * (line.z + line.speed * sideways.t);
    cut_wall(clipper, sideways, radius, taper * line.speed / sideways.speed, outward);
  } else {
    const Vec3 u = sideways.gap > 0 ? sideways.nearest : perpendicular(axis);
    const double room = foot_radius + taper * line.z - sideways.gap;
    clipper.cut(room, -taper * line.speed, outward(u));
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
