// Lines that are hard on a solid: through its corners and edges, along its axes and faces, touching, from inside, from its surface,
// from far away; points; and everything scaled and moved.
#pragma once

#include "carom/geometry/cast_flat.h"
#include "carom/geometry/cast_shell.h"
#include "carom/verify/check_cast_shell.h"
#include "tests/geometry/closest_check.h"

#include <string>
#include <vector>

namespace carom::test {

/// What a line may be aimed at, and along.
struct Marks {
  std::vector<Vec3> points;
  std::vector<Vec3> directions;
};

inline Marks marks(const Sphere& s, Source& source) {
  const Vec3 n = direction(source);
  return {{s.center, s.center + n * s.radius}, {n, perpendicular(n)}};
}
inline Marks marks(const Capsule& c, Source& source) {
  const Vec3 axis = normalized(c.b - c.a), n = direction(source), side = perpendicular(axis);
  return {{c.a, c.b, c.a + side * c.radius, c.b + side * c.radius, c.a - axis * c.radius,
           c.b + n * c.radius},
          {axis, side, perpendicular(n)}};
}
inline Marks marks(const Lozenge& l, Source& source) {
  const Vec3 w = cross(l.core.u, l.core.v), n = direction(source);
  Marks m{{l.core.center, l.core.center + w * l.radius}, {l.core.u, l.core.v, w, perpendicular(n)}};
  for (const Vec3& v : l.core.vertices()) {
    m.points.push_back(v);
    m.points.push_back(v + w * l.radius);
    m.points.push_back(v + n * l.radius);
  }
  return m;
}
inline Marks marks(const ConeFrustum& f, Source& source) {
  const Vec3 side = source.chance(2) ? perpendicular(f.axis)
                                     : normalized_or(cross(f.axis, direction(source)), f.axis);
  const Vec3 a = f.a + side * f.radius_a, b = f.b() + side * f.radius_b;
  return {{f.a, f.b(), a, b, lerp(a, b, source.unit()), f.a - side * f.radius_a,
           f.a - f.axis * (f.radius_a - f.radius_b)},
          {f.axis, side, cross(f.axis, side), normalized(b - a)}};
}
inline Marks marks(const Cylinder& c, Source& source) { return marks(to_frustum(c), source); }
inline Marks marks(const Cone& c, Source& source) { return marks(to_frustum(c), source); }
inline Marks marks(const Ellipsoid& e, Source& source) {
  const Vec3 u = direction(source);
  Marks m{{e.center, e.center + e.axes * mul(e.radii, u)},
          {e.axes * mul(e.radii, perpendicular(u))}};
  for (int i = 0; i < 3; ++i) {
    m.points.push_back(e.center + e.axes[i] * e.radii[i]);
    m.directions.push_back(e.axes[i]);
  }
  return m;
}
inline Marks marks(const Aabb& box, Source&) {
  Marks m{{box.center()}, {unit_axis(0), unit_axis(1), unit_axis(2)}};
  for (int i = 0; i < 8; ++i) m.points.push_back(box.corner(i));
  return m;
}
inline Marks marks(const Obb& box, Source&) {
  Marks m{{box.center}, {box.axes.x, box.axes.y, box.axes.z}};
  for (int i = 0; i < 8; ++i) m.points.push_back(box.corner(i));
  return m;
}
inline Marks marks(const ViewFrustum& f, Source&) {
  Marks m{{f.eye}, {f.axes.x, f.axes.y, f.axes.z}};
  for (int i = 0; i < 8; ++i) m.points.push_back(f.corner(i));
  return m;
}
inline Marks marks(const Rectangle& r, Source&) {
  Marks m{{r.center}, {r.u, r.v, cross(r.u, r.v)}};
  for (const Vec3& v : r.vertices()) m.points.push_back(v);
  return m;
}
inline Marks marks(const Tetrahedron& t, Source&) {
  return {{t.a, t.b, t.c, t.d}, {cross(t.b - t.a, t.c - t.a)}};
}
inline Marks marks(const Triangle& t, Source&) {
  return {{t.a, t.b, t.c}, {t.normal(), t.b - t.a}};
}
inline Marks marks(const Quad& q, Source&) {
  return {{q.a, q.b, q.c, q.d}, {cross(q.c - q.a, q.d - q.b)}};
}
inline Marks marks(const OwnedPolygon& p, Source&) { return {p.corners, {}}; }

/// Without thickness, without a hollow, narrow to a segment, wide to all directions.
inline SphericalShell spherical_shell(Source& source) {
  const Vec3 center = vec3(source), axis = direction(source);
  const double inner = radius(source), outer = inner + radius(source);
  static constexpr double cosines[] = {-1, 0, 1, 0.5, -0.5, 0.96, -0.96, 1 - 0x1p-40};
  const double c = source.chance(3) ? source.uniform(-1, 1) : cosines[source.index(8)];
  return {center, axis, inner, outer, c};
}
inline SphericalShell moved(const Placement& m, const SphericalShell& s) {
  return {m(s.center), s.axis, s.inner * m.scale, s.outer * m.scale, s.cos_half_angle};
}
inline Marks marks(const SphericalShell& s, Source& source) {
  const double c = std::min(1.0, s.cos_half_angle), sine = std::sqrt((1 - c) * (1 + c));
  const Vec3 side = normalized_or(cross(s.axis, direction(source)), perpendicular(s.axis));
  const Vec3 rim = s.axis * c + side * sine;
  return {{s.center, s.center + rim * s.inner, s.center + rim * s.outer,
           s.center + s.axis * s.inner, s.center + s.axis * s.outer, s.center + side * s.outer},
          {s.axis, side, rim, cross(s.axis, side), side * c - s.axis * sine}};
}

inline Line aimed_line(Source& source, const Marks& m) {
  const auto mark = [&] {
    const Vec3& p =
        m.points[static_cast<std::size_t>(source.index(static_cast<int>(m.points.size())))];
    return p;
  };
  Vec3 target = mark();
  switch (source.index(4)) {
  case 0:
    break;
  case 1: {
    const Vec3 other = mark();
    target = lerp(target, other, source.chance(2) ? 0.5 : source.unit());
    break;
  }
  case 2:
    target = target + halved_vec3(source, 50);
    break;
  default:
    target = vec3(source);
    break;
  }
  Vec3 d;
  switch (source.index(5)) {
  case 0:
    d = direction(source);
    break;
  case 1:
    if (!m.directions.empty()) {
      d = m.directions[static_cast<std::size_t>(
          source.index(static_cast<int>(m.directions.size())))];
    }
    break;
  case 2: {
    const Vec3 other = mark();
    d = other - target;
    break;
  }
  case 3:
    d = vec3(source);
    break;
  default:
    d = stretched_direction(source);
    break;
  }
  // Subnormal directions are out of range.
  if (max_abs(d) < 1e-25) d = source.chance(8) ? Vec3{} : Vec3{0, -0.0, 1};
  for (int i = 0; i < 3; ++i) {
    if (std::fabs(d[i]) < 1e-25) d[i] = std::copysign(0.0, d[i]);
  }
  static constexpr double steps[] = {0, 1, -1, 2.5, -0.5, 1e3, -1e6};
  return {target - d * steps[source.index(7)], d};
}

/// How large the coordinates of a case are, relative to which the tolerance is taken.
template<class S>
double size_of(const S& set) {
  double size = 0;
  for (int i = 0; i < 3; ++i) {
    size = std::max(size, std::fabs(verify::support(set, unit_axis(i))));
    size = std::max(size, std::fabs(verify::support(set, -unit_axis(i))));
  }
  return size;
}

inline double size_of(const SphericalShell& s) { return max_abs(s.center) + s.outer; }

/// Line, ray and segment of a line against a set, through the checker; "" where all hold. The tolerance is c epsilon times the size.
template<class S>
std::string failure(const Line& line, const S& set, double c, double t_max) {
  // A point at the origin has no size, but a place next to it must have.
  const double size = std::max(size_of(set) + max_abs(line.origin), tolerance::coordinate_min);
  const auto tolerance = [&](const Cast& cast) {
    // Where it hits far away, its own coordinates count.
    return c * tolerance::epsilon * (size + (cast.hit ? max_abs(line.direction * cast.t) : 0));
  };
  const Ray ray{line.origin, line.direction};
  const Segment segment{line.origin, line.origin + line.direction};
  const Cast by_line = cast(line, set), by_ray = cast(ray, set), cut = cast(ray, set, t_max),
             by_segment = cast(segment, set);
  if (auto v = verify::check_cast(line, set, by_line, tolerance(by_line)); !v) {
    return "line: " + v.why;
  }
  if (auto v = verify::check_cast(ray, set, by_ray, tolerance(by_ray)); !v) return "ray: " + v.why;
  if (auto v = verify::check_cast({ray, t_max}, set, cut, tolerance(cut)); !v) {
    return "cut ray: " + v.why;
  }
  if (auto v = verify::check_cast(segment, set, by_segment, tolerance(by_segment)); !v) {
    return "segment: " + v.why;
  }
  return "";
}

inline std::string failure(const Line& line, const OwnedPolygon& set, double c, double t_max) {
  return failure(line, set.view(), c, t_max);
}

/// `cases` lines against sets of a generator, scaled and moved together. (Moved far away, small sets lose their shape to rounding: the set
/// that is left is asked about, by a line that may no longer touch it as it was meant to. So most stay where they are.)
template<class Generate>
void expect_casts(std::uint64_t cases, double c, Generate&& generate) {
  for_each_seed(fewer_when_sanitized(cases), [&](Source& source) {
    const auto at_rest = generate(source);
    const Line aimed = aimed_line(source, marks(at_rest, source));
    const double t_max = source.chance(2) ? 0.5 : positive(source);
    const Placement place = placement(source);
    EXPECT_EQ(failure(moved(place, aimed), moved(place, at_rest), c, t_max), "");
  });
}

} // namespace carom::test
