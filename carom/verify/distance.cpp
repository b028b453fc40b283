#include "carom/verify/distance.h"

#include "carom/math/expansion.h"
#include "carom/math/predicates.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace carom::verify {
namespace {

using predicate::Row3;

Row3<Expansion<2>> exact_difference(const Vec3& a, const Vec3& b) {
  return {carom::exact_difference(a.x, b.x), carom::exact_difference(a.y, b.y),
          carom::exact_difference(a.z, b.z)};
}
template<class U, class V>
auto exact_cross(const Row3<U>& a, const Row3<V>& b) {
  using R = decltype(a.y * b.z - a.z * b.y);
  return Row3<R>{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// The distance from p to the plane of a triangle, where p projects into it; else infinite. Everything is exact but the last
// division: the normal of a sliver has no digits otherwise.
double exact_inside_distance(const Vec3& p, const std::array<Vec3, 3>& t) {
  const auto normal = exact_cross(exact_difference(t[1], t[0]), exact_difference(t[2], t[0]));
  for (std::size_t i = 0; i < 3; ++i) {
    const auto moment =
        exact_cross(exact_difference(t[(i + 1) % 3], t[i]), exact_difference(p, t[i]));
    if (predicate::inner(moment, normal).sign() < 0) return INFINITY;
  }
  const double l = length({normal.x.estimate(), normal.y.estimate(), normal.z.estimate()});
  if (!(l > 0)) return INFINITY;
  return std::fabs(predicate::inner(exact_difference(p, t[0]), normal).estimate()) / l;
}

double inside_distance(const Vec3& p, const std::array<Vec3, 3>& t) {
  const Vec3 u = t[1] - t[0], v = t[2] - t[0], normal = cross(u, v);
  const double l = length(normal);
  if (!(l > 1e-2 * (length_squared(u) + length_squared(v)))) return exact_inside_distance(p, t);
  for (std::size_t i = 0; i < 3; ++i) {
    if (dot(cross(t[(i + 1) % 3] - t[i], p - t[i]), normal) < 0) return INFINITY;
  }
  return std::fabs(dot(p - t[0], normal)) / l;
}

// How far a plane with this normal lies, whose equation is off by `excess` >= 0. A zero normal makes it all of space or nothing.
double over_length(double excess, const Vec3& normal) {
  const double l = length(normal);
  return l > 0 ? excess / l : excess > 0 ? INFINITY : 0;
}

// The distance from p to a flat polygon, taken as a fan of triangles: the least over their insides and edges.
double flat_distance(const Vec3& p, std::span<const Vec3> corners) {
  if (corners.empty()) return INFINITY;
  double best = distance(p, Segment{corners[0], corners[corners.size() > 1 ? 1 : 0]});
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const std::array<Vec3, 3> t{corners[0], corners[i - 1], corners[i]};
    best = std::min({best, distance(p, Segment{t[1], t[2]}), distance(p, Segment{t[2], t[0]}),
                     inside_distance(p, t)});
  }
  return best;
}

// A solid of revolution is a flat region in the half-plane of distance from the axis (x) and height along it (y).
double revolved_distance(const Vec3& p, const Vec3& origin, const Vec3& axis,
                         std::span<const Vec3> profile) {
  const Vec3 q{length(cross(axis, p - origin)), dot(axis, p - origin), 0};
  return flat_distance(q, profile);
}

double box_distance(const Vec3& local, const Vec3& half) {
  return length(max(abs(local) - half, Vec3{}));
}

} // namespace

double distance(const Vec3& p, const Vec3& point) { return length(p - point); }

double distance(const Vec3& p, const Line& line) {
  const double l = length(line.direction);
  return l > 0 ? length(cross(line.direction / l, p - line.origin)) : length(p - line.origin);
}

double distance(const Vec3& p, const Ray& ray) {
  return dot(p - ray.origin, ray.direction) > 0 ? distance(p, Line{ray.origin, ray.direction})
                                                : length(p - ray.origin);
}

double distance(const Vec3& p, const Segment& s) {
  if (dot(p - s.a, s.b - s.a) <= 0) return length(p - s.a);
  if (dot(p - s.b, s.a - s.b) <= 0) return length(p - s.b);
  return distance(p, Line{s.a, s.b - s.a});
}

double distance(const Vec3& p, const Plane& plane) {
  return over_length(std::fabs(plane.signed_distance(p)), plane.normal);
}

double distance(const Vec3& p, const HalfSpace& h) {
  return over_length(std::max(0.0, h.signed_distance(p)), h.normal);
}

double distance(const Vec3& p, const Triangle& t) {
  return flat_distance(p, std::array{t.a, t.b, t.c});
}

double distance(const Vec3& p, const Tetrahedron& t) {
  // p is inside where, for each face, it lies on the side of the fourth corner: exact signs, since those of a flat one are noise.
  const int whole = exact::orient3d(t.a, t.b, t.c, t.d);
  const int signs[] = {exact::orient3d(p, t.b, t.c, t.d), exact::orient3d(t.a, p, t.c, t.d),
                       exact::orient3d(t.a, t.b, p, t.d), exact::orient3d(t.a, t.b, t.c, p)};
  const auto inward = [&](int sign) { return sign * whole >= 0; };
  if (whole != 0 && std::all_of(std::begin(signs), std::end(signs), inward)) return 0;
  double best = INFINITY;
  for (int i = 0; i < 4; ++i) {
    best = std::min(best,
                    flat_distance(p, std::array{t[(i + 1) % 4], t[(i + 2) % 4], t[(i + 3) % 4]}));
  }
  return best;
}

double distance(const Vec3& p, const Quad& q) { return flat_distance(p, q.vertices()); }

double distance(const Vec3& p, const Polygon& polygon) {
  return flat_distance(p, polygon.vertices);
}

double distance(const Vec3& p, const Rectangle& r) {
  const Vec3 local{dot(p - r.center, r.u), dot(p - r.center, r.v),
                   dot(p - r.center, cross(r.u, r.v))};
  return box_distance(local, {r.half_u, r.half_v, 0});
}

double distance(const Vec3& p, const Sphere& s) {
  return std::max(0.0, length(p - s.center) - s.radius);
}

double distance(const Vec3& p, const Capsule& c) {
  return std::max(0.0, distance(p, c.core()) - c.radius);
}

double distance(const Vec3& p, const Lozenge& l) {
  return std::max(0.0, distance(p, l.core) - l.radius);
}

double distance(const Vec3& p, const Cylinder& c) {
  const Vec3 local{length(cross(c.axis, p - c.center)), dot(c.axis, p - c.center), 0};
  return box_distance(local, {c.radius, c.half_height, 0});
}

double distance(const Vec3& p, const Cone& c) {
  return distance(p, ConeFrustum{c.apex, c.axis, c.height, 0, c.radius});
}

double distance(const Vec3& p, const ConeFrustum& f) {
  return revolved_distance(p, f.a, f.axis,
                           std::array<Vec3, 4>{Vec3{}, Vec3{f.radius_a, 0, 0},
                                               Vec3{f.radius_b, f.height, 0},
                                               Vec3{0, f.height, 0}});
}

double distance(const Vec3& p, const Ellipsoid& e) {
  // By symmetry in the first octant of its own axes: minimise |x - q| over (x_i / r_i)^2 sum to 1. Where q is outside, the
  // nearest x is q_i r_i^2 / (r_i^2 + t) for the one t >= 0 at which x lies on the surface; the sum falls as t grows.
  using Real = long double;
  const Vec3 local = abs(transpose_mul(e.axes, p - e.center));
  Real q[3], r[3], scale = 0;
  for (int i = 0; i < 3; ++i) {
    q[i] = local[i];
    r[i] = e.radii[i];
    scale = std::max({scale, q[i], r[i]});
  }
  if (scale == 0) return 0;
  const auto nearest = [&](int i, Real t) {
    return r[i] == 0 ? Real{0} : q[i] * (r[i] * r[i] / (r[i] * r[i] + t));
  };
  const auto level = [&](Real t) {
    Real sum = 0;
    for (int i = 0; i < 3; ++i) {
      const Real u = r[i] == 0 ? Real{0} : q[i] * r[i] / (r[i] * r[i] + t);
      sum += u * u;
    }
    return sum;
  };
  const auto gap = [&](Real t) {
    Real sum = 0;
    for (int i = 0; i < 3; ++i) sum += (q[i] - nearest(i, t)) * (q[i] - nearest(i, t));
    return static_cast<double>(std::sqrt(sum));
  };
  if (level(0) <= 1) return gap(0); // inside, or over a flat one
  Real low = 0, high = 3 * scale * scale;
  for (int i = 0; i < 200; ++i) {
    const Real middle = (low + high) / 2;
    (level(middle) > 1 ? low : high) = middle;
  }
  return gap(high);
}

double distance(const Vec3& p, const Aabb& box) {
  if (box.empty()) return INFINITY;
  return length(max(max(box.min - p, p - box.max), Vec3{}));
}

double distance(const Vec3& p, const Obb& box) {
  return box_distance(box.frame().to_local(p), box.half);
}

double distance(const Vec3& p, const ViewFrustum& f) {
  const auto face = [&](int i, int j, int k, int l) {
    return flat_distance(p, std::array{f.corner(i), f.corner(j), f.corner(k), f.corner(l)});
  };
  const Vec3 local = transpose_mul(f.axes, p - f.eye);
  if (local.z >= f.near && local.z <= f.far && std::fabs(local.x) <= f.slope_x * local.z &&
      std::fabs(local.y) <= f.slope_y * local.z) {
    return 0;
  }
  return std::min({face(0, 1, 3, 2), face(4, 5, 7, 6), face(0, 1, 5, 4), face(2, 3, 7, 6),
                   face(0, 2, 6, 4), face(1, 3, 7, 5)});
}

double distance(const Vec3& p, const ConvexPolyhedron& polyhedron) {
  if (is_void(polyhedron)) return INFINITY;
  const std::vector<HalfSpace> faces = unit_faces(polyhedron);
  double size = length(p);
  for (const HalfSpace& h : faces) size = std::max(size, std::fabs(h.offset));
  const double slack = 1e-14 * size;
  const auto feasible = [&](const Vec3& x) {
    return std::all_of(faces.begin(), faces.end(),
                       [&](const HalfSpace& h) { return h.signed_distance(x) <= slack; });
  };
  if (feasible(p)) return 0;
  double best = INFINITY;
  const auto consider = [&](const Vec3& x) {
    const double d = length(x - p);
    if (d < best && feasible(x)) best = d;
  };
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const HalfSpace& a = faces[i];
    consider(p - a.normal * a.signed_distance(p));
    for (std::size_t j = 0; j < i; ++j) {
      const HalfSpace& b = faces[j];
      // First onto a, then within a onto b, along the part of b's normal at right angles to a's: both planes hold to a rounding, also
      // where they are nearly parallel.
      const double c = dot(a.normal, b.normal);
      Vec3 within = b.normal - a.normal * c;
      within -= a.normal * dot(a.normal, within);
      const double sine = length(within);
      if (sine < 1e-9) continue;
      const double ea = a.signed_distance(p), eb = b.signed_distance(p);
      consider(p - a.normal * ea - within * ((eb - c * ea) / (sine * sine)));
    }
  }
  for (const Vec3& v : vertices({faces}, slack)) consider(v);
  return best;
}

} // namespace carom::verify
