// The signed distance of p is the greatest gap(n) = n . p - (how far the shape reaches along n) over all unit vectors n: outside and inside alike.
//
// Near the surface the direction p - q from the nearest point q is noise. So n is taken from the feature that q is on: the normal of a face, at right angles
// to an edge, and only from a corner or a ball's centre straight to p. What p - q would have along the face or the edge is 0, and is never
// computed. Inside, the way out is through the nearest face.
//
// Solids of revolution are taken in the half-plane through p: (distance from the axis, height).
//
// A rounding reaches by its radius farther along every n, so it only lowers the value.
#include "carom/query/closest_point.h"

#include "carom/geometry/closest_point.h"
#include "carom/geometry/triangle_normal.h"
#include "carom/query/point_shape.h"
#include "carom/query/rounded.h"
#include "carom/query/signed_distance.h"

#include <algorithm>
#include <optional>

namespace carom {
namespace {

/// Of the core alone: the value, the outward direction that attains it, and the point of the surface there.
struct Found {
  double gap;
  Vec3 normal, point;
};
using Maybe = std::optional<Found>;

bool is_unit(const Vec3& v) { return std::fabs(length_squared(v) - 1) <= 4 * tolerance::epsilon; }
bool is_orthonormal(const Mat3& m) {
  bool yes = true;
  for (int i = 0; i < 3; ++i) {
    yes = yes && is_unit(m[i]) && std::fabs(dot(m[i], m[(i + 1) % 3])) <= 4 * tolerance::epsilon;
  }
  return yes;
}

Vec3 across(const Vec3& v, const Vec3& axis) {
  const Vec3 once = v - axis * dot(v, axis);
  return once - axis * dot(once, axis);
}

/// p as seen from a solid of revolution: in the half-plane with the axis as its border.
struct HalfPlane {
  HalfPlane(const Vec3& p, const Vec3& origin, const Vec3& given_axis) : axis(given_axis) {
    const Vec3 off = across(p - origin, axis);
    outward = normalized_or(off, perpendicular(axis));
    away = length(off);
    along = dot(p - origin, axis);
  }
  [[nodiscard]] Vec3 direction(double x, double y) const {
    return normalized(outward * x + axis * y);
  }

  Vec3 axis, outward; ///< unit vectors
  double away, along; ///< of p, from the axis and on it
};

/// The formula of each kind of core, in its frame.
class Formula {
public:
  Formula(const Vec3& p, double slack) : p_(p), slack_(slack) {}

  Maybe operator()(const Vec3& center) const { return from_ball(center, 0); }
  Maybe operator()(const Segment& s) const {
    const ClosestOnLine c = carom::closest_point(p_, s);
    return c.t > 0 && c.t < 1 ? from_edge(c.point, s.b - s.a) : from_corner(c.point, s.b - s.a);
  }
  Maybe operator()(const Triangle& t) const;
  Maybe operator()(const Obb& box) const;
  Maybe operator()(const Cylinder& c) const;
  Maybe operator()(const Cone& c) const;
  Maybe operator()(const TaperedCapsule& c) const;
  Maybe operator()(const HalfSpace& h) const {
    const Vec3 n = normalized(h.normal);
    return along(n, dot(n, p_) - h.offset / length(h.normal));
  }
  /// Only from inside, and clearly so: then the nearest face is the way out.
  Maybe operator()(const Polytope& polytope) const {
    if (polytope.hull().dimension < 3) return {};
    Found best = along({}, -INFINITY);
    for (const HalfSpace& h : polytope.planes()) {
      const double gap = h.signed_distance(p_);
      if (!(gap < -4 * slack_)) return {};
      if (gap > best.gap) best = along(h.normal, gap);
    }
    return best;
  }
  Maybe operator()(const BrushCore& b) const { return (*this)(b.corners); }
  template<class Core>
  Maybe operator()(const Core&) const {
    return {};
  }

private:
  [[nodiscard]] Found along(const Vec3& n, double gap) const { return {gap, n, p_ - n * gap}; }
  [[nodiscard]] Found from_ball(const Vec3& center, double radius) const {
    const Vec3 n = normalized(p_ - center);
    return {length(p_ - center) - radius, n, center + n * radius};
  }
  /// q is on an edge, the nearest point of it.
  [[nodiscard]] Found from_edge(const Vec3& q, const Vec3& edge) const {
    const Vec3 u = normalized(edge);
    const Vec3 n = normalized_or(across(p_ - q, u), perpendicular(u));
    return {dot(n, p_ - q), n, q};
  }
  /// q is a corner; on it, the normal is at right angles to an edge.
  [[nodiscard]] Found from_corner(const Vec3& q, const Vec3& edge) const {
    const Vec3 n = normalized_or(p_ - q, perpendicular(edge));
    return {length(p_ - q), n, q};
  }

  const Vec3& p_;
  double slack_; ///< what rounding may do
};

Maybe Formula::operator()(const Triangle& t) const {
  const ClosestOnTriangle c = carom::closest_point(p_, t);
  const Vec3 corners[3] = {t.a, t.b, t.c};
  Vec3 normal = normalized_or(triangle_normal(t.a, t.b, t.c), {});
  if (dot(normal, p_ - c.point) < 0) normal = -normal;
  if (c.feature == SimplexFeature::face && normal != Vec3{})
    return Found{dot(normal, p_ - c.point), normal, c.point};
  int first = 0; // a corner of the feature
  while (first < 2 && !(c.barycentric[first] > 0)) ++first;
  int second = 2; // the other one of an edge, or of any where it is a corner
  while (second > first && !(c.barycentric[second] > 0)) --second;
  if (second == first) {
    // On the corner itself, the side of the triangle will do.
    const Vec3 n = normal == Vec3{} ? perpendicular(corners[(first + 1) % 3] - corners[first]) : normal;
    return Found{length(p_ - c.point), normalized_or(p_ - c.point, n), c.point};
  }
  return from_edge(c.point, corners[second] - corners[first]);
}

/// In the box's frame all is exact but the length: outside, the way from the nearest point has no part along an axis where p is within the box.
Maybe Formula::operator()(const Obb& box) const {
  if (!is_orthonormal(box.axes)) return {};
  const Vec3 local = transpose_mul(box.axes, p_ - box.center);
  Vec3 out;
  Found nearest = along({}, -INFINITY);
  for (int i = 0; i < 3; ++i) {
    const double beyond = std::fabs(local[i]) - box.half[i];
    const double side = local[i] < 0 ? -1 : 1;
    if (beyond > nearest.gap) nearest = along(box.axes[i] * side, beyond);
    out[i] = beyond > 0 ? beyond * side : 0;
  }
  return nearest.gap > 0 ? along(box.axes * normalized(out), length(out)) : nearest;
}

Maybe Formula::operator()(const Cylinder& c) const {
  if (!is_unit(c.axis)) return {};
  const HalfPlane h(p_, c.center, c.axis);
  const double side = h.along < 0 ? -1 : 1;
  const double x = h.away - c.radius;
  const double y = std::fabs(h.along) - c.half_height;
  if (x > 0 && y > 0) return along(h.direction(x, y * side), std::sqrt(x * x + y * y));
  return x > y ? along(h.outward, x) : along(c.axis * side, y);
}

/// In the half-plane, from the apex: the side leads to the rim at (radius, height), the base is beyond.
Maybe Formula::operator()(const Cone& c) const {
  if (!is_unit(c.axis)) return {};
  const HalfPlane h(p_, c.apex, c.axis);
  const double l = std::sqrt(c.radius * c.radius + c.height * c.height);
  if (!(l > 0)) return from_ball(c.apex, 0);
  const double ux = c.radius / l;
  const double uy = c.height / l;
  const double on_side = h.away * ux + h.along * uy;
  const double off_side = h.away * uy - h.along * ux;
  const double off_base = h.along - c.height;
  if (!(off_side > 0) && !(off_base > 0)) {
    return off_side > off_base ? along(h.direction(uy, -ux), off_side) : along(c.axis, off_base);
  }
  if (off_base > 0 && h.away <= c.radius) return along(c.axis, off_base);
  if (off_side > 0 && on_side >= 0 && on_side <= l) return along(h.direction(uy, -ux), off_side);
  if (off_side > 0 && on_side < 0) return from_ball(c.apex, 0);
  const double x = h.away - c.radius;
  return along(h.direction(x, off_base), std::sqrt(x * x + off_base * off_base));
}

/// The balls around all points of the axis, of radii from the one to the other: of those, the one whose surface is nearest. It is a ball at an end, or
/// its radius is at right angles to the side.
Maybe Formula::operator()(const TaperedCapsule& c) const {
  const double l = length(c.b - c.a);
  if (!(l > std::fabs(c.radius_a - c.radius_b))) // the larger ball is all
    return c.radius_a >= c.radius_b ? from_ball(c.a, c.radius_a) : from_ball(c.b, c.radius_b);
  const HalfPlane h(p_, c.a, (c.b - c.a) / l);
  const double sine = (c.radius_a - c.radius_b) / l;
  const double cosine = std::sqrt((1 - sine) * (1 + sine));
  const double s = h.along * cosine - h.away * sine; // along the side
  if (!(s > 0)) return from_ball(c.a, c.radius_a);
  if (!(s < l * cosine)) return from_ball(c.b, c.radius_b);
  return along(h.direction(cosine, sine), h.away * cosine + h.along * sine - c.radius_a);
}

/// Inside, p is known better than where it came out; but a depth that is not known well says nothing about that.
SurfacePoint from(const Vec3& p, const SignedDistance& s) {
  const bool straight = s.value <= 0 && s.status == Status::ok;
  const Vec3 point = straight ? p + s.normal * s.value : s.on_b;
  return {s.value, s.lower_bound, s.upper_bound, point, -s.normal, s.status, s.iterations};
}

} // namespace

SurfacePoint closest_point(const Vec3& p, const Shape& shape, const Pose& pose, PairCache* cache) {
  const Pose at = Pose::at(p);
  if (!in_range(pose) || !in_range(at)) return {.status = Status::bad_input};
  const Frame frame = pose.frame();
  const Vec3 local = frame.to_local(p);
  // A dozen roundings of coordinates of this size.
  const double slack = 16 * tolerance::epsilon * (shape.size() + max_abs(local));
  const Maybe found = std::visit(Formula(local, slack), shape.core());
  if (!found) return from(p, signed_distance(point_shape(), at, shape, pose, cache));
  SurfacePoint s;
  s.value = found->gap - shape.rounding();
  s.lower_bound = s.value - 2 * slack;
  s.upper_bound = s.value + 2 * slack;
  s.normal = frame.direction_to_world(found->normal);
  s.point = frame.to_world(found->point + found->normal * shape.rounding());
  return s;
}

} // namespace carom
