// All happens in the plane through the centre and the line. There the line has the points gap n + s e: n and e unit vectors at right angles,
// n to its nearest point, e along it. The spheres are circles about the centre, and meet it where s^2 = r^2 - gap^2. The cone is a wedge
// from the centre, about the projection of the axis: with w the axis' part across the plane, a direction of the plane is
// in the cone where it is within beta of that projection, cos beta = c / sqrt(1 - w^2). The line sees a direction (x, y) of the
// plane, x > 0, at s = gap y / x; seen along it, directions turn one way. So the first border of the wedge is where the line comes in
// and the second where it goes out, and where the second comes first the wedge is the rest of the line. No quadratic is solved, and no
// sign of one decides.
//
// Touch. The wedge is turned outward on both sides by some epsilon, always. Where nothing is met, the shell is grown by rounding, and
// the line touches it at the first place of what it meets then that is as close to the shell itself: an end, or where it is nearest to the
// axis, as an angle. (Turned by what rounding does at its nearest point, the wedge is farther away at its ends, which may be far out.)
#include "carom/geometry/cast_shell.h"

#include "carom/geometry/line_clipper.h"
#include "carom/math/tolerance.h"
#include "carom/math/vec2.h"

#include <algorithm>

namespace carom {
namespace {

using cast_detail::across;
using cast_detail::Approach;
using tolerance::epsilon;

/// An interval of s, and what it ends at.
enum class Wall { none, outer, inner, side };
struct Part {
  double low = -INFINITY, high = INFINITY;
  Wall at_low = Wall::none, at_high = Wall::none;
};

/// A few disjoint intervals in order.
struct Parts {
  std::array<Part, 5> part; // three, and one to try
  std::size_t count = 0;

  void add(const Part& p) {
    if (p.low <= p.high) part[count++] = p;
  }
};

Part common(const Part& a, const Part& b) {
  Part result = a;
  if (b.low > a.low) {
    result.low = b.low;
    result.at_low = b.at_low;
  }
  if (b.high < a.high) {
    result.high = b.high;
    result.at_high = b.at_high;
  }
  return result;
}

double half_chord(double radius, double gap) {
  return std::sqrt(std::max(0.0, (radius - gap) * (radius + gap)));
}

// Between the spheres: one part, or two beside the hollow.
Parts between(double inner, double outer, double gap) {
  Parts result;
  if (!(gap <= outer)) return result;
  const double far = half_chord(outer, gap);
  if (!(gap < inner)) {
    result.add({-far, far, Wall::outer, Wall::outer});
    return result;
  }
  const double near = half_chord(inner, gap);
  result.add({-far, -near, Wall::outer, Wall::inner});
  result.add({near, far, Wall::inner, Wall::outer});
  return result;
}

/// The line in its plane with the centre.
struct PlaneView {
  Approach nearest;
  Vec3 n; // unit; where the line goes through the centre, any at right angles to it
};

PlaneView view(const Line& line, const SphericalShell& shell) {
  PlaneView seen{cast_detail::approach(line.origin - shell.center, line.direction), {}};
  const Vec3& e = seen.nearest.along;
  const Vec3 n = across(normalized_or(seen.nearest.nearest, e), e);
  seen.n = length(n) > 0.5 ? normalized(n) : perpendicular(e);
  return seen;
}

// Within the cone, turned outward by an angle.
Parts within_cone(const SphericalShell& shell, const PlaneView& line, double turn) {
  Parts result;
  const double c = shell.cosine() - turn * shell.sine();
  const double s = shell.sine() + turn * shell.cosine();
  const double x = dot(shell.axis, line.n), y = dot(shell.axis, line.nearest.along);
  const double w = dot(shell.axis, cross(line.n, line.nearest.along)), p = std::sqrt(x * x + y * y);
  // p sin beta squared, from the two that are not near 1.
  const double qq = std::fabs(c) > 0.7 ? (s - w) * (s + w) : (p - c) * (p + c);
  if (shell.all_directions() || c <= -1 || (qq < 0 && c < 0)) { // the whole plane is in
    result.add({});
    return result;
  }
  if (!(qq >= 0)) return result;
  // Both borders of the wedge, but for a positive factor: the axis' projection turned by beta either way.
  const double q = std::sqrt(qq);
  const Vec2 first{x * c + y * q, y * c - x * q}, second{x * c - y * q, y * c + x * q};
  Part in, out;
  if (first.x > 0) in = {line.nearest.gap * first.y / first.x, INFINITY, Wall::side, Wall::none};
  if (second.x > 0) {
    out = {-INFINITY, line.nearest.gap * second.y / second.x, Wall::none, Wall::side};
  }
  if (first.x > 0 && second.x > 0 && c < 0) { // out of the cone between them
    result.add(out);
    result.add(in);
  } else if (first.x > 0 || second.x > 0 || x >= c) {
    result.add(common(in, out));
  }
  return result;
}

// ---- how far from the shell

// 0 or less in it. Of the three, the greatest counts: at the rims that is less than the distance, by a root of two at most.
struct Beyond {
  double outer, inner, side;

  [[nodiscard]] double most() const { return std::max({outer, inner, side}); }
};

Beyond beyond(const SphericalShell& shell, const Vec3& x) {
  const double r = length(x), c = shell.cosine(), s = shell.sine();
  const double along = dot(shell.axis, x), off = length(cross(shell.axis, x));
  // The sine of the angle by which x is out of the cone, times r: sharp also for narrow cones, unlike the cosines of the definition.
  const double out = off * c - along * s;
  const bool behind_apex = along * c + off * s < 0;
  const bool within = out < 0 || (out == 0 && !behind_apex) || shell.all_directions();
  return {r - shell.outer, shell.inner - r, within ? std::min(out, 0.0) : behind_apex ? r : out};
}

// ---- normals

// Of a wall at a point x seen from the centre; `out` is the way from the shell along the line, for where a wall has no side: on the axis.
Vec3 wall_normal(const SphericalShell& shell, Wall wall, const Vec3& x, const Vec3& out,
                 double noise) {
  if (wall == Wall::outer) return normalized_or(x, out);
  if (wall == Wall::inner) return normalized_or(-x, out);
  const Vec3 rho = across(x, shell.axis);
  if (length(rho) > 4 * noise) {
    return normalized(normalized(rho) * shell.cosine() - shell.axis * shell.sine());
  }
  return length(x) > 4 * noise ? normalized_or(across(out, shell.axis), perpendicular(shell.axis))
                               : out;
}

LineSpan span_of(const SphericalShell& shell, const PlaneView& line, const Part& part,
                 double noise) {
  const Approach& a = line.nearest;
  const auto point = [&](double s) { return a.nearest + a.along * s; };
  return {true, a.t + part.low / a.speed, a.t + part.high / a.speed,
          wall_normal(shell, part.at_low, point(part.low), -a.along, noise),
          wall_normal(shell, part.at_high, point(part.high), a.along, noise)};
}

// ---- both

Parts clip_parts(const SphericalShell& shell, const PlaneView& line, double slack, double turn) {
  const Parts rings = between(shell.inner - slack, shell.outer + slack, line.nearest.gap);
  const Parts wedges = within_cone(shell, line, turn);
  Parts result;
  for (std::size_t i = 0; i < rings.count; ++i) {
    for (std::size_t j = 0; j < wedges.count; ++j)
      result.add(common(rings.part[i], wedges.part[j]));
  }
  return result;
}

// The walls at a touch: at a rim, where two meet, the one that faces the line most comes first, and last the one that does so least.
Part touched(const SphericalShell& shell, const PlaneView& line, double s, const Beyond& off,
             double noise) {
  const Vec3 x = line.nearest.nearest + line.nearest.along * s;
  Part result{s, s};
  double least = INFINITY, most = -INFINITY;
  const auto consider = [&](Wall wall, double by) {
    if (!(by >= -2 * noise)) return;
    const Vec3 n = wall_normal(shell, wall, x, -line.nearest.along, noise);
    const double lean = dot(n, line.nearest.along);
    if (lean < least) {
      least = lean;
      result.at_low = wall;
    }
    if (lean > most) {
      most = lean;
      result.at_high = wall;
    }
  };
  consider(Wall::outer, off.outer);
  consider(Wall::inner, off.inner);
  if (!shell.all_directions()) consider(Wall::side, off.side);
  return result;
}

// The first place of a part of the grown shell that touches the shell itself.
Parts touch(const SphericalShell& shell, const PlaneView& line, double noise) {
  // At the distances at which the line can meet the shell, rounding turns it by no more than this.
  const double near = std::max(line.nearest.gap, shell.inner);
  Parts grown = clip_parts(shell, line, noise, near > noise ? noise / near : 0);
  // Next to the centre, directions are noise. Elsewhere the nearest point to it is no place where a line touches.
  if (line.nearest.gap <= 2 * noise) grown.add({0, 0, Wall::side, Wall::side});
  const double x = dot(shell.axis, line.n), y = dot(shell.axis, line.nearest.along);
  const double deepest = x > 0 ? line.nearest.gap * y / x : 0;
  Parts result;
  for (std::size_t i = 0; i < grown.count && result.count == 0; ++i) {
    const Part& p = grown.part[i];
    for (const double s : {p.low, std::clamp(deepest, p.low, p.high), p.high}) {
      const Beyond off = beyond(shell, line.nearest.nearest + line.nearest.along * s);
      if (!(off.most() <= 2 * noise)) continue;
      result.add(touched(shell, line, s, off, noise));
      break;
    }
  }
  return result;
}

Cast first_of(const ShellSpans& spans, const Ray& ray, double t_max) {
  for (const LineSpan& span : spans.spans()) {
    if (const Cast c = first_in_range(span, ray, t_max); c.hit) return c;
  }
  return {};
}

} // namespace

ShellSpans clip(const Line& line, const SphericalShell& shell) {
  ShellSpans result;
  if (shell.empty()) return result;
  // A difference, two projections, a length: as for balls.
  const double noise = 8 * epsilon * (max_abs(line.origin - shell.center) + shell.outer);
  if (line.direction == Vec3{}) {
    const bool in = beyond(shell, line.origin - shell.center).most() <= noise;
    if (in) result.part[static_cast<std::size_t>(result.count++)].hit = true;
    return result;
  }
  const PlaneView seen = view(line, shell);
  Parts parts = clip_parts(shell, seen, 0, 8 * epsilon);
  if (parts.count == 0) parts = touch(shell, seen, noise);
  for (std::size_t i = 0; i < parts.count; ++i) {
    result.part[i] = span_of(shell, seen, parts.part[i], noise);
  }
  result.count = static_cast<int>(parts.count);
  return result;
}

Cast cast(const Line& line, const SphericalShell& shell) {
  const ShellSpans spans = clip(line, shell);
  if (spans.count == 0) return {};
  const LineSpan& first = spans.part[0];
  if (first.enter == -INFINITY) return {true, 0, line.origin, {}, true}; // a point
  return {true, first.enter, line.at(first.enter), first.enter_normal, false};
}

Cast cast(const Ray& ray, const SphericalShell& shell, double t_max) {
  return first_of(clip(Line{ray.origin, ray.direction}, shell), ray, t_max);
}

Cast cast(const Segment& segment, const SphericalShell& shell) {
  Cast result = cast(Ray{segment.a, segment.direction()}, shell, 1);
  if (result.hit) result.point = segment.at(result.t);
  return result;
}

} // namespace carom
