#include "carom/geometry/support.h"

namespace carom {
namespace {

/// The rim point of a disc (unit `axis`) farthest along d: its centre plus the radius along the part of d in its plane. Two cross products
/// give that part without the cancellation of d - axis (axis . d), so nearly axial directions still find the right side of the rim.
Vec3 rim_point(const Vec3& center, const Vec3& axis, double radius, const Vec3& d) {
  return center + normalized_or(cross(cross(axis, d), axis), Vec3{}) * radius;
}

Vec3 sphere_point(const Vec3& center, double radius, const Vec3& d) {
  return center + normalized_or(d, Vec3{}) * radius;
}

Vec3 farther(const Vec3& a, const Vec3& b, const Vec3& d) { return dot(b - a, d) > 0 ? b : a; }

double with_sign(double magnitude, double sign) { return sign < 0 ? -magnitude : magnitude; }

} // namespace

Vec3 support_point(const Segment& s, const Vec3& d) { return farther(s.a, s.b, d); }

Vec3 support_point(const Triangle& t, const Vec3& d) {
  return farther(farther(t.a, t.b, d), t.c, d);
}

Vec3 support_point(const Tetrahedron& t, const Vec3& d) {
  return farther(farther(t.a, t.b, d), farther(t.c, t.d, d), d);
}

Vec3 support_point(const Quad& q, const Vec3& d) { return support_point(q.vertices(), d); }

Vec3 support_point(const Rectangle& r, const Vec3& d) {
  return r.at(with_sign(r.half_u, dot(r.u, d)), with_sign(r.half_v, dot(r.v, d)));
}

Vec3 support_point(std::span<const Vec3> points, const Vec3& d) {
  if (points.empty()) return {};
  Vec3 best = points[0];
  double reach = dot(best, d);
  for (const Vec3& p : points.subspan(1)) {
    const double along = dot(p, d);
    if (along > reach) {
      reach = along;
      best = p;
    }
  }
  return best;
}

Vec3 support_point(const Polygon& p, const Vec3& d) { return support_point(p.vertices, d); }

Vec3 support_point(const Sphere& s, const Vec3& d) { return sphere_point(s.center, s.radius, d); }

Vec3 support_point(const Capsule& c, const Vec3& d) {
  return sphere_point(support_point(c.core(), d), c.radius, d);
}

Vec3 support_point(const TaperedCapsule& c, const Vec3& d) {
  const bool b_is_farther = dot(c.b - c.a, d) + (c.radius_b - c.radius_a) * length(d) > 0;
  return b_is_farther ? sphere_point(c.b, c.radius_b, d) : sphere_point(c.a, c.radius_a, d);
}

Vec3 support_point(const Lozenge& l, const Vec3& d) {
  return sphere_point(support_point(l.core, d), l.radius, d);
}

Vec3 support_point(const Cylinder& c, const Vec3& d) {
  return rim_point(c.center + c.axis * with_sign(c.half_height, dot(c.axis, d)), c.axis, c.radius,
                   d);
}

Vec3 support_point(const Cone& c, const Vec3& d) { return support_point(to_frustum(c), d); }

Vec3 support_point(const ConeFrustum& f, const Vec3& d) {
  return farther(rim_point(f.a, f.axis, f.radius_a, d), rim_point(f.b(), f.axis, f.radius_b, d), d);
}

Vec3 support_point(const Ellipsoid& e, const Vec3& d) {
  // The image of the unit ball under axes * radii: the ball's own farthest point in the direction pulled back.
  const Vec3 on_ball = normalized_or(mul(e.radii, transpose_mul(e.axes, d)), Vec3{});
  return e.center + e.axes * mul(e.radii, on_ball);
}

Vec3 support_point(const Aabb& box, const Vec3& d) {
  return {d.x < 0 ? box.min.x : box.max.x, d.y < 0 ? box.min.y : box.max.y,
          d.z < 0 ? box.min.z : box.max.z};
}

Vec3 support_point(const Obb& box, const Vec3& d) {
  const Vec3 local = transpose_mul(box.axes, d);
  return box.center + box.axes * Vec3{with_sign(box.half.x, local.x),
                                      with_sign(box.half.y, local.y),
                                      with_sign(box.half.z, local.z)};
}

Vec3 support_point(const ViewFrustum& f, const Vec3& d) {
  const Vec3 local = transpose_mul(f.axes, d);
  const int side = (local.x < 0 ? 0 : 1) | (local.y < 0 ? 0 : 2);
  return farther(f.corner(side), f.corner(side | 4), d);
}

} // namespace carom
