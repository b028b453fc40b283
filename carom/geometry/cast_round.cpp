// A ball is the round wall of line_clipper.h about a point. A capsule is two balls and the piece of a cylinder between them, a
// lozenge four capsules and a box: hulls of spans, since the whole is convex. An ellipsoid is a ball in coordinates divided by its radii.
//
// Inner faces (the ends of the cylinder in a capsule, the sides of the box in a lozenge) are covered by the balls beside them, so a line
// meets one first only where both meet the outer surface; there the normal is that of the outer surface.
#include "carom/geometry/cast_round.h"

#include "carom/geometry/line_clipper.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <array>

namespace carom {
namespace {

using cast_detail::across;
using cast_detail::approach;
using cast_detail::Approach;
using cast_detail::clip_or_touch;
using cast_detail::Clipper;
using cast_detail::cut_wall;
using cast_detail::join;

// Relative to the distances from the solid: a difference, two projections, a length.
constexpr double rounding = 8 * tolerance::epsilon;

Vec3 unit(const Vec3& u) {
  return normalized(u);
}

LineSpan clip_ball(const Line& line, const Vec3& center, double radius) {
  Clipper clipper;
  cut_wall(clipper, approach(line.origin - center, line.direction), radius, 0, unit);
  return clipper.finish();
}

// Gives the inner faces, which were cut with zero normals, the outer normal there.
template<class Outer>
LineSpan with_outer_normals(LineSpan span, Outer&& outer) {
  if (!span.hit) return span;
  if (span.enter > -INFINITY && span.enter_normal == Vec3{}) span.enter_normal = outer(span.enter);
  if (span.exit < INFINITY && span.exit_normal == Vec3{}) span.exit_normal = outer(span.exit);
  return span;
}

// The points within `radius` of the segment from a to b, and between its ends.
LineSpan clip_tube(const Line& line, const Vec3& a, const Vec3& b, double radius) {
  const double height = length(b - a);
  if (!(height > 0)) return {};
  const Vec3 axis = (b - a) / height;
  const Vec3 m = line.origin - a;
  const double z = dot(axis, m), speed = dot(axis, line.direction);
  Clipper clipper;
  clipper.cut(height - z, speed, {});
  clipper.cut(z, -speed, {});
  const Approach sideways = approach(across(m, axis), across(line.direction, axis));
  cut_wall(clipper, sideways, radius, 0, unit);
  return with_outer_normals(clipper.finish(), [&](double t) {
    return normalized(sideways.nearest + sideways.along * ((t - sideways.t) * sideways.speed));
  });
}

LineSpan clip_capsule(const Line& line, const Vec3& a, const Vec3& b, double radius) {
  const LineSpan balls = join(clip_ball(line, a, radius), clip_ball(line, b, radius));
  return join(balls, clip_tube(line, a, b, radius));
}

// The points of a lozenge over its rectangle.
LineSpan clip_over(const Line& line, const Rectangle& r, double radius) {
  const Vec3 w = cross(r.u, r.v);
  const Vec3 m = line.origin - r.center;
  Clipper clipper;
  const auto slab = [&](const Vec3& axis, double half, const Vec3& normal) {
    const double at = dot(axis, m), speed = dot(axis, line.direction);
    clipper.cut(half - at, speed, normal);
    clipper.cut(half + at, -speed, -normal);
  };
  slab(r.u, r.half_u, {});
  slab(r.v, r.half_v, {});
  slab(w, radius, w);
  return with_outer_normals(clipper.finish(), [&](double t) {
    return dot(w, m) + dot(w, line.direction) * t >= 0 ? w : -w;
  });
}

} // namespace

LineSpan clip(const Line& line, const Sphere& sphere) {
  const double size = max_abs(line.origin - sphere.center) + sphere.radius;
  return clip_or_touch(rounding * size, [&](double slack) {
    return clip_ball(line, sphere.center, sphere.radius + slack);
  });
}

LineSpan clip(const Line& line, const Capsule& capsule) {
  const double size = max_abs(line.origin - capsule.a) + max_abs(capsule.b - capsule.a) +
                      capsule.radius;
  return clip_or_touch(rounding * size, [&](double slack) {
    return clip_capsule(line, capsule.a, capsule.b, capsule.radius + slack);
  });
}

LineSpan clip(const Line& line, const Lozenge& lozenge) {
  const Rectangle& r = lozenge.core;
  const std::array<Vec3, 4> corners = r.vertices();
  const double size = max_abs(line.origin - r.center) + r.half_u + r.half_v + lozenge.radius;
  return clip_or_touch(rounding * size, [&](double slack) {
    const double radius = lozenge.radius + slack;
    LineSpan span = clip_over(line, r, radius);
    for (std::size_t i = 0; i < 4; ++i) {
      span = join(span, clip_capsule(line, corners[i], corners[(i + 1) % 4], radius));
    }
    return span;
  });
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
