// The centre of the ball is a point that moves along a line; B, grown by the radius, is a convex set; the line is in it during
// one span of time (cast_round.h, cast_rounded.h). That span is the hull over all of B's features, never a guess at which of them
// comes first.
//
// B is a core with a radius of its own: a ball is a point, a capsule a segment, and so on. So one function does them all, and
// needs of a core: the span for a line, the nearest point, and a way out for a centre that lies in it.
//
// The span is in t; a small error of t is a large one of the distance where the motion is long, and a small error of the distance
// a large one of t where it is short. So whether they touch at the very start or end is also asked there, of the point that
// stands still.
#include "carom/geometry/sweep_sphere.h"

#include "carom/geometry/cast_box.h"
#include "carom/geometry/cast_flat.h"
#include "carom/geometry/cast_round.h"
#include "carom/geometry/cast_rounded.h"
#include "carom/geometry/closest_point.h"
#include "carom/geometry/line_clipper.h"
#include "carom/geometry/sweep_axes.h"
#include "carom/geometry/sweep_plane.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <array>

namespace carom {
namespace {

using sweep_detail::Phase;
using sweep_detail::phase;

// --- What a core is: its extent, its span, its nearest point, its way out.

double extent(const Vec3& p) { return max_abs(p); }
double extent(const Segment& s) { return std::max(max_abs(s.a), max_abs(s.b)); }
double extent(const Rectangle& r) { return max_abs(r.center) + r.half_u + r.half_v; }
double extent(const Polygon& p) {
  double size = 0;
  for (const Vec3& v : p.vertices) size = std::max(size, max_abs(v));
  return size;
}
double extent(const Aabb& b) { return std::max(max_abs(b.min), max_abs(b.max)); }
double extent(const Obb& b) { return max_abs(b.center) + 2 * max_abs(b.half); }

LineSpan span_of(const Line& path, const Vec3& p, double reach) {
  return clip(path, Sphere{p, reach});
}
LineSpan span_of(const Line& path, const Segment& s, double reach) {
  return clip(path, Capsule{s.a, s.b, reach});
}
LineSpan span_of(const Line& path, const Rectangle& r, double reach) {
  return reach > 0 ? clip(path, Lozenge{r, reach}) : clip(path, r);
}
LineSpan span_of(const Line& path, const Polygon& p, double reach) {
  return clip_rounded(path, p, reach);
}
LineSpan span_of(const Line& path, const Aabb& b, double reach) {
  return clip_rounded(path, b, reach);
}
LineSpan span_of(const Line& path, const Obb& b, double reach) {
  return clip_rounded(path, b, reach);
}

Vec3 nearest(const Vec3&, const Vec3& core) { return core; }
template<class Core>
Vec3 nearest(const Vec3& p, const Core& core) {
  return closest_point(p, core).point;
}

// A unit normal of the core at its point p, with the core behind: the shortest way out of it. Of several, one against the motion.
Vec3 against(const Vec3& normal, const Vec3& motion) {
  return dot(normal, motion) > 0 ? -normal : normal;
}
Vec3 way_out(const Vec3&, const Vec3&, const Vec3& motion) { return normalized(-motion); }
Vec3 way_out(const Segment& s, const Vec3& p, const Vec3& motion) {
  const Vec3 axis = normalized_or(s.b - s.a, {});
  if (axis == Vec3{}) return normalized(-motion);
  // At an end it may lean outward.
  const double along = dot(axis, motion);
  const bool outward = (p == s.a && along > 0) || (p == s.b && along < 0);
  const Vec3 n = outward ? -motion : -cast_detail::across(motion, axis);
  return length(n) > 4 * tolerance::epsilon * length(motion) ? normalized(n) : perpendicular(axis);
}
Vec3 way_out(const Rectangle& r, const Vec3&, const Vec3& motion) {
  return against(cross(r.u, r.v), motion);
}
Vec3 farthest_from(const Vec3& p, std::span<const Vec3> v) {
  return *std::max_element(v.begin(), v.end(), [&](const Vec3& a, const Vec3& b) {
    return distance_squared(p, a) < distance_squared(p, b);
  });
}
Vec3 way_out(const Polygon& polygon, const Vec3& p, const Vec3& motion) {
  // The plane through a longest stretch, and through the corner farthest from it: rounding can turn it only about that stretch.
  const std::span<const Vec3> v = polygon.vertices;
  const Vec3 a = farthest_from(v[0], v), b = farthest_from(a, v);
  const Vec3 along = normalized_or(b - a, {});
  Vec3 rise;
  for (const Vec3& c : v) {
    const Vec3 x = cast_detail::across(c - a, along);
    if (length_squared(x) > length_squared(rise)) rise = x;
  }
  const Vec3 n = normalized_or(cross(along, rise), {});
  return n == Vec3{} ? way_out(Segment{a, b}, p, motion) : against(n, motion);
}
Vec3 way_out_of_box(const Vec3& local, const Vec3& half) {
  const Vec3 room = half - abs(local);
  const int i = room.x <= room.y && room.x <= room.z ? 0 : room.y <= room.z ? 1 : 2;
  return unit_axis(i) * (local[i] < 0 ? -1.0 : 1.0);
}
Vec3 way_out(const Aabb& b, const Vec3& p, const Vec3&) {
  return way_out_of_box(p - b.center(), b.half());
}
Vec3 way_out(const Obb& b, const Vec3& p, const Vec3&) {
  return b.axes * way_out_of_box(b.frame().to_local(p), b.half);
}

// The span's own normal says which face of a box a point without radius met. All else has one plane at most.
template<class Core>
Vec3 face_met(const Core&, const LineSpan&) {
  return {};
}
Vec3 face_met(const Aabb&, const LineSpan& span) { return span.enter_normal; }
Vec3 face_met(const Obb&, const LineSpan& span) { return span.enter_normal; }

// The way from the core's nearest point to p, along which the core is wholly behind. The difference of the two points alone is
// not good enough where they are near: its rounding, small as it is, leans toward one end or the other of a long core. So it is
// made feature by feature.
Vec3 away(const Vec3& core, const Vec3& p, const Vec3&, double) { return p - core; }
Vec3 away(const Segment& s, const Vec3& p, const Vec3&, double) {
  const double t = closest_point(p, s).t;
  if (!(t > 0)) return p - s.a;
  if (!(t < 1)) return p - s.b;
  return cast_detail::across(p - s.a, normalized(s.b - s.a));
}
Vec3 away(const Aabb& b, const Vec3& p, const Vec3&, double) {
  return p - max(b.min, min(p, b.max));
}
Vec3 away(const Obb& b, const Vec3& p, const Vec3&, double) {
  const Vec3 local = b.frame().to_local(p);
  return b.axes * (local - max(-b.half, min(local, b.half)));
}
Vec3 away(const Rectangle& r, const Vec3& p, const Vec3& motion, double noise) {
  return away(Obb{r.center, {r.u, r.v, cross(r.u, r.v)}, {r.half_u, r.half_v, 0}}, p, motion,
              noise);
}
// From an edge or from the face: of the candidates, the one along which the polygon is farthest behind. Small turns hardly change
// that; so of those that agree to within rounding, the one that faces the motion most.
Vec3 away(const Polygon& polygon, const Vec3& p, const Vec3& motion, double noise) {
  const std::span<const Vec3> v = polygon.vertices;
  const ClosestPoint c = closest_point(p, polygon);
  Vec3 best;
  double widest = -INFINITY;
  const auto consider = [&](const Vec3& n) {
    double gap = INFINITY;
    for (const Vec3& corner : v) gap = std::min(gap, dot(n, p - corner));
    const double slack = noise / 4;
    if (gap > widest + slack || (gap > widest - slack && dot(n, motion) < dot(best, motion))) {
      widest = gap;
      best = n;
    }
  };
  const Vec3 w = way_out(polygon, c.point, motion);
  consider(w);
  consider(-w);
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Segment edge{v[i], v[i + 1 < v.size() ? i + 1 : 0]};
    if (closest_point(p, edge).distance <= c.distance + noise) {
      consider(normalized(away(edge, p, motion, noise)));
    }
  }
  return best;
}

// --- The sweep.

template<class Core>
struct BallSweep {
  const Sphere& ball;
  const Vec3& motion;
  const Core& core;
  double core_radius;
  double size = max_abs(ball.center) + max_abs(motion) + ball.radius + core_radius + extent(core);
  // Where the centre is as near as this to the core, their difference shows no direction, and the radii are too small to matter.
  double noise = 16 * tolerance::epsilon * size;

  [[nodiscard]] LineSpan span(const Line& path) const {
    const double reach = ball.radius + core_radius;
    return span_of(path, core, reach > noise ? reach : 0);
  }

  /// `fallback`: the normal where the centre is on the core; zero for none.
  [[nodiscard]] Sweep contact(double t, const Vec3& fallback) const {
    const Vec3 center = t == 1 ? ball.center + motion : ball.center + motion * t;
    const Vec3 q = nearest(center, core);
    const double d = distance(center, q);
    Vec3 n = fallback == Vec3{} ? way_out(core, q, motion) : fallback;
    if (d > noise) n = normalized_or(away(core, center, motion, noise), n);
    // Where it grazes, a small error of the distance is a large one of t, and the normal there may be past the level one.
    if (t > 0 && dot(n, motion) > 0)
      n = normalized_or(cast_detail::across(n, normalized(motion)), n);
    return {true, t, q + n * std::min(d, core_radius), n, t == 0};
  }

  [[nodiscard]] Sweep run() const {
    const LineSpan s = span({ball.center, motion});
    if (!s.hit) return {};
    const Phase when = phase(s);
    if (when == Phase::start) return contact(0, {});
    if (when == Phase::later) return contact(s.enter, face_met(core, s));
    if (s.exit < 0) return span({ball.center, {}}).hit ? contact(0, {}) : Sweep{};
    return span({ball.center + motion, {}}).hit ? contact(1, face_met(core, s)) : Sweep{};
  }
};

template<class Core>
Sweep sweep_core(const Sphere& ball, const Vec3& motion, const Core& core, double radius) {
  return BallSweep<Core>{ball, motion, core, radius}.run();
}

} // namespace

Sweep sweep(const Sphere& a, const Vec3& motion, const Plane& b) {
  return sweep_detail::sweep_plane(a.center, b.normal * a.radius, a.radius, motion, b, 0);
}

Sweep sweep(const Sphere& a, const Vec3& motion, const HalfSpace& b) {
  return sweep_detail::sweep_plane(a.center, b.normal * a.radius, a.radius, motion,
                                   {b.normal, b.offset}, INFINITY);
}

Sweep sweep(const Sphere& a, const Vec3& motion, const Sphere& b) {
  return sweep_core(a, motion, b.center, b.radius);
}

Sweep sweep(const Sphere& a, const Vec3& motion, const Segment& b) {
  return sweep_core(a, motion, b, 0);
}

Sweep sweep(const Sphere& a, const Vec3& motion, const Capsule& b) {
  return sweep_core(a, motion, b.core(), b.radius);
}

Sweep sweep(const Sphere& a, const Vec3& motion, const Rectangle& b) {
  return sweep_core(a, motion, b, 0);
}

Sweep sweep(const Sphere& a, const Vec3& motion, const Lozenge& b) {
  return sweep_core(a, motion, b.core, b.radius);
}

Sweep sweep(const Sphere& a, const Vec3& motion, const Triangle& b) {
  const std::array corners{b.a, b.b, b.c};
  return sweep_core(a, motion, Polygon{corners}, 0);
}

Sweep sweep(const Sphere& a, const Vec3& motion, const Polygon& b) {
  return sweep_core(a, motion, b, 0);
}

Sweep sweep(const Sphere& a, const Vec3& motion, const Quad& b) {
  const std::array corners = b.vertices();
  return sweep_core(a, motion, Polygon{corners}, 0);
}

Sweep sweep(const Sphere& a, const Vec3& motion, const Aabb& b) {
  return sweep_core(a, motion, b, 0);
}

Sweep sweep(const Sphere& a, const Vec3& motion, const Obb& b) {
  return sweep_core(a, motion, b, 0);
}

} // namespace carom
