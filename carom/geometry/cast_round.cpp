// A ball is the round wall of line_clipper.h about a point. A capsule is two balls and the piece of a cylinder between them, a
// lozenge four capsules and a box: hulls of spans, since the whole is convex. An ellipsoid is a ball in coordinates divided by its radii.
//
// Where two of these pieces are met at the same t but for rounding, their normals may differ by the root of it. So the normals of capsules
// and lozenges come from the nearest point of the core instead.
#include "carom/geometry/cast_round.h"

#include "carom/geometry/cast_box.h"
#include "carom/geometry/line_clipper.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <array>

namespace carom {
namespace {

using cast_detail::across;
using cast_detail::approach;
using cast_detail::clip_or_touch;
using cast_detail::Clipper;
using cast_detail::cut_wall;
using cast_detail::join;

// Relative to the distances from the solid: a difference, two projections, a length.
constexpr double rounding = 8 * tolerance::epsilon;

Vec3 unit(const Vec3& u) { return normalized(u); }

LineSpan clip_ball(const Line& line, const Vec3& center, double radius) {
  Clipper clipper;
  cut_wall(clipper, approach(line.origin - center, line.direction), radius, 0, unit);
  return clipper.finish();
}

// The points within `radius` of the segment from a to b, and between its ends.
LineSpan clip_tube(const Line& line, const Vec3& a, const Vec3& b, double radius) {
  const double height = length(b - a);
  if (!(height > 0)) return {};
  const Vec3 axis = (b - a) / height;
  const Vec3 m = line.origin - a;
  const double z = dot(axis, m), speed = dot(axis, line.direction);
  Clipper clipper;
  clipper.cut(height - z, speed, axis);
  clipper.cut(z, -speed, -axis);
  cut_wall(clipper, approach(across(m, axis), across(line.direction, axis)), radius, 0, unit);
  return clipper.finish();
}

LineSpan clip_capsule(const Line& line, const Vec3& a, const Vec3& b, double radius) {
  const LineSpan balls = join(clip_ball(line, a, radius), clip_ball(line, b, radius));
  return join(balls, clip_tube(line, a, b, radius));
}

// The unit normal, at the line's t, of all that is within some radius of a core. `way` is -1 where the line goes in, 1 where it
// comes out.
//
// It points from the core's nearest point to the line's. Coordinates in which the line is within the core, but for rounding, do not count:
// without them it supports the core as well, however small the radius is.
//
// Where the line grazes, rounding moves the point along it by the root of what it moves it across, and the normal may lean the wrong way.
// Then it is turned to be level with the line: toward the line itself, if that lifts the plane off the core by no more than rounding (it turns by
// the least angle), else in the coordinates that are free: those that count, and those in which the point is at the end of the core that the
// line comes by. One in which that would turn it to the other side of the core is not free after all.
Vec3 swept_normal(const Line& line, const Obb& core, double t, double way) {
  const Vec3 d = core.frame().direction_to_local(line.direction);
  const Vec3 p = core.frame().to_local(line.origin) + d * t;
  const double noise =
      rounding * (max_abs(line.origin - core.center) + max_abs(p) + max_abs(core.half));
  Vec3 out, free;
  for (int i = 0; i < 3; ++i) {
    const double beyond = p[i] - std::clamp(p[i], -core.half[i], core.half[i]);
    const bool counts = !(core.half[i] > 0) || std::fabs(beyond) > noise;
    const bool at_end = std::fabs(p[i]) >= core.half[i] - noise && p[i] * d[i] * way > 0;
    if (counts) out[i] = beyond;
    if (counts || at_end) free[i] = d[i];
  }
  if (max_abs(out) <= noise) out = {}; // no radius to speak of: it faces the line
  if (dot(out, d) * way < 0) {
    const Vec3 level = across(out, normalized(d));
    if (dot(abs(level - out), core.half) <= noise * length(out)) {
      return core.axes * normalized_or(level, normalized(d) * way);
    }
  }
  for (int pass = 0; pass < 3; ++pass) { // each but the last finds one that is not free
    // Of a line nearly along the core, what is left of its direction is rounding.
    const bool steep = length_squared(free) > 0x1p-64 * length_squared(d);
    if (!steep || !(dot(out, free) * way < 0)) break;
    const Vec3 level = across(out, normalized(free));
    bool turned = false;
    for (int i = 0; i < 3; ++i) {
      if (!(core.half[i] > 0 && level[i] * p[i] < 0)) continue;
      out[i] = free[i] = 0;
      turned = true;
    }
    if (!turned) out = level;
  }
  return core.axes * normalized_or(out, normalized_or(free * way, unit_axis(2)));
}

LineSpan with_swept_normals(LineSpan span, const Line& line, const Obb& core) {
  if (!span.hit) return span;
  if (span.enter > -INFINITY) span.enter_normal = swept_normal(line, core, span.enter, -1);
  if (span.exit < INFINITY) span.exit_normal = swept_normal(line, core, span.exit, 1);
  return span;
}

} // namespace

LineSpan clip(const Line& line, const Sphere& sphere) {
  const double size = max_abs(line.origin - sphere.center) + sphere.radius;
  return clip_or_touch(rounding * size, [&](double slack) {
    return clip_ball(line, sphere.center, sphere.radius + slack);
  });
}

// Capsules and lozenges are moved to the origin first, so that their own size counts, not where they are.

LineSpan clip(const Line& line, const Capsule& capsule) {
  const Line moved{line.origin - capsule.a, line.direction};
  const Vec3 b = capsule.b - capsule.a;
  const double size = max_abs(moved.origin) + max_abs(b) + capsule.radius;
  const LineSpan span = clip_or_touch(rounding * size, [&](double slack) {
    return clip_capsule(moved, {}, b, capsule.radius + slack);
  });
  const Vec3 x = normalized(b), y = perpendicular(x);
  return with_swept_normals(span, moved, {b * 0.5, {x, y, cross(x, y)}, {length(b) * 0.5, 0, 0}});
}

LineSpan clip(const Line& line, const Lozenge& lozenge) {
  Rectangle r = lozenge.core;
  const Line moved{line.origin - r.center, line.direction};
  r.center = {};
  const std::array<Vec3, 4> corners = r.vertices();
  const double size = max_abs(moved.origin) + r.half_u + r.half_v + lozenge.radius;
  const Obb core{{}, {r.u, r.v, cross(r.u, r.v)}, {r.half_u, r.half_v, 0}};
  const LineSpan span = clip_or_touch(rounding * size, [&](double slack) {
    const double radius = lozenge.radius + slack;
    LineSpan joined = clip(moved, Obb{{}, core.axes, {r.half_u, r.half_v, radius}});
    for (std::size_t i = 0; i < 4; ++i) {
      joined = join(joined, clip_capsule(moved, corners[i], corners[(i + 1) % 4], radius));
    }
    return joined;
  });
  return with_swept_normals(span, moved, core);
}

LineSpan clip(const Line& line, const Ellipsoid& e) {
  const Vec3 m = transpose_mul(e.axes, line.origin - e.center);
  const Vec3 d = transpose_mul(e.axes, line.direction);
  const double size = max_abs(line.origin - e.center) + max_abs(e.radii);
  return clip_or_touch(rounding * size, [&](double slack) {
    Clipper clipper;
    const Vec3 radii = e.radii + Vec3{slack, slack, slack};
    Vec3 scaled_m, scaled_d;
    for (int i = 0; i < 3; ++i) {
      if (radii[i] > 0) {
        scaled_m[i] = m[i] / radii[i];
        scaled_d[i] = d[i] / radii[i];
      } else { // flat: a slab of no thickness
        clipper.cut(-m[i], d[i], e.axes[i]);
        clipper.cut(m[i], -d[i], -e.axes[i]);
      }
    }
    // The gradient of the sum of (x_i / r_i)^2.
    const auto outward = [&](const Vec3& u) {
      Vec3 gradient;
      for (int i = 0; i < 3; ++i) gradient[i] = radii[i] > 0 ? u[i] / radii[i] : 0;
      return e.axes * normalized(gradient);
    };
    cut_wall(clipper, approach(scaled_m, scaled_d), 1, 0, outward);
    return clipper.finish();
  });
}

} // namespace carom
