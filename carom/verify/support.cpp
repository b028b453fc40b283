#include "carom/verify/support.h"

#include <algorithm>
#include <span>

namespace carom::verify {
namespace {

double farthest(std::span<const Vec3> points, const Vec3& d) {
  double best = -INFINITY;
  for (const Vec3& p : points) best = std::max(best, dot(p, d));
  return best;
}

// A disc of radius r around the origin at right angles to the unit vector `axis` reaches r times the part of d in its plane. That
// part as a vector: |d|^2 - (d . axis)^2 would cancel.
double disc_support(double radius, const Vec3& axis, const Vec3& d) {
  return radius * length(cross(axis, d));
}

} // namespace

double support(const Vec3& point, const Vec3& d) { return dot(point, d); }

double support(const Line& line, const Vec3& d) {
  return dot(line.direction, d) == 0 ? dot(line.origin, d) : INFINITY;
}

double support(const Ray& ray, const Vec3& d) {
  return dot(ray.direction, d) <= 0 ? dot(ray.origin, d) : INFINITY;
}

double support(const Segment& s, const Vec3& d) { return std::max(dot(s.a, d), dot(s.b, d)); }

double support(const Plane& plane, const Vec3& d) {
  const double l = length(plane.normal);
  if (!(l > 0)) return plane.offset == 0 ? INFINITY : -INFINITY;
  const Vec3 n = plane.normal / l;
  const double along = dot(n, d);
  return length(d - n * along) <= 1e-15 * length(d) ? along * (plane.offset / l) : INFINITY;
}

double support(const HalfSpace& h, const Vec3& d) {
  if (h.normal == Vec3{}) return h.offset >= 0 ? INFINITY : -INFINITY;
  return dot(h.normal, d) >= 0 ? support(Plane{h.normal, h.offset}, d) : INFINITY;
}

double support(const Triangle& t, const Vec3& d) { return farthest(std::array{t.a, t.b, t.c}, d); }

double support(const Tetrahedron& t, const Vec3& d) {
  return farthest(std::array{t.a, t.b, t.c, t.d}, d);
}

double support(const Quad& q, const Vec3& d) { return farthest(q.vertices(), d); }

double support(const Polygon& p, const Vec3& d) { return farthest(p.vertices, d); }

double support(const Rectangle& r, const Vec3& d) {
  return dot(r.center, d) + r.half_u * std::fabs(dot(r.u, d)) + r.half_v * std::fabs(dot(r.v, d));
}

double support(const Sphere& s, const Vec3& d) { return dot(s.center, d) + s.radius * length(d); }

double support(const Capsule& c, const Vec3& d) {
  return support(c.core(), d) + c.radius * length(d);
}

double support(const Lozenge& l, const Vec3& d) {
  return support(l.core, d) + l.radius * length(d);
}

double support(const Cylinder& c, const Vec3& d) {
  return dot(c.center, d) + c.half_height * std::fabs(dot(c.axis, d)) +
         disc_support(c.radius, c.axis, d);
}

double support(const Cone& c, const Vec3& d) {
  return std::max(dot(c.apex, d), dot(c.base_center(), d) + disc_support(c.radius, c.axis, d));
}

double support(const ConeFrustum& f, const Vec3& d) {
  return std::max(dot(f.a, d) + disc_support(f.radius_a, f.axis, d),
                  dot(f.b(), d) + disc_support(f.radius_b, f.axis, d));
}

double support(const Ellipsoid& e, const Vec3& d) {
  return dot(e.center, d) + length(mul(e.radii, transpose_mul(e.axes, d)));
}

double support(const Aabb& box, const Vec3& d) {
  double best = -INFINITY;
  for (int i = 0; i < 8 && !box.empty(); ++i) best = std::max(best, dot(box.corner(i), d));
  return best;
}

double support(const Obb& box, const Vec3& d) {
  double best = -INFINITY;
  for (int i = 0; i < 8; ++i) best = std::max(best, dot(box.corner(i), d));
  return best;
}

double support(const ViewFrustum& f, const Vec3& d) {
  double best = -INFINITY;
  for (int i = 0; i < 8; ++i) best = std::max(best, dot(f.corner(i), d));
  return best;
}

double support(const ConvexPolyhedron& polyhedron, const Vec3& d) {
  if (is_void(polyhedron)) return -INFINITY;
  const std::vector<HalfSpace> faces = unit_faces(polyhedron);
  double size = 0;
  for (const HalfSpace& h : faces) size = std::max(size, std::fabs(h.offset));
  return farthest(vertices({faces}, 1e-14 * size), d);
}

bool is_void(const ConvexPolyhedron& polyhedron) {
  const auto faces = polyhedron.faces;
  return std::any_of(faces.begin(), faces.end(),
                     [](const HalfSpace& h) { return h.normal == Vec3{} && h.offset < 0; });
}

std::vector<HalfSpace> unit_faces(const ConvexPolyhedron& polyhedron) {
  std::vector<HalfSpace> result;
  for (const HalfSpace& h : polyhedron.faces) {
    const double l = length(h.normal);
    if (l == 0) continue;
    const bool is_unit = std::fabs(l - 1) <= 1e-15;
    result.push_back(is_unit ? h : HalfSpace{h.normal / l, h.offset / l});
  }
  return result;
}

std::vector<Vec3> vertices(const ConvexPolyhedron& polyhedron, double slack) {
  std::vector<Vec3> result;
  if (is_void(polyhedron)) return result;
  const std::vector<HalfSpace> faces = unit_faces(polyhedron);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 line = cross(faces[i].normal, faces[j].normal);
      for (std::size_t k = 0; k < j; ++k) {
        // Cramer's rule on the three plane equations.
        const double det = dot(line, faces[k].normal);
        if (std::fabs(det) < 1e-9)
          continue; // no vertex here that three planes less parallel do not also give
        const auto solve = [&](double x, double y, double z) {
          return (cross(faces[j].normal, faces[k].normal) * x +
                  cross(faces[k].normal, faces[i].normal) * y + line * z) /
                 det;
        };
        const auto inside = [&](const Vec3& x, double allowed) {
          return std::all_of(faces.begin(), faces.end(),
                             [&](const HalfSpace& h) { return h.signed_distance(x) <= allowed; });
        };
        Vec3 p = solve(faces[i].offset, faces[j].offset, faces[k].offset);
        // Cramer's rule leaves residuals of epsilon / det; solving for them as well takes them away.
        if (!inside(p, slack / std::fabs(det))) continue;
        for (int pass = 0; pass < 2; ++pass) {
          p -= solve(faces[i].signed_distance(p), faces[j].signed_distance(p),
                     faces[k].signed_distance(p));
        }
        if (inside(p, slack)) result.push_back(p);
      }
    }
  }
  return result;
}

} // namespace carom::verify
