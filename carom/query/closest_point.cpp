// The signed distance of p is the greatest gap(n) = n . p - (how far the shape reaches along n) over all unit vectors n: outside and inside alike.
//
// Near the surface the direction p - q from the nearest point q is noise. So n is taken from the feature that q is on: the normal of a face, at right angles
// to an edge, and only from a corner or a ball's centre straight to p. What p - q would have along the face or the edge is 0, and is never
// computed. Inside, the way out is through the nearest face. What is left is p a hair from a corner, or in a needle: where gap(n) is not what it should
// be, n was noise, and the best of the faces' and edges' own directions does as well.
//
// Solids of revolution are taken in the half-plane through p: (distance from the axis, height).
//
// A rounding reaches by its radius farther along every n, so it only lowers the value.
#include "carom/query/closest_point.h"

#include "carom/geometry/closest_point.h"
#include "carom/geometry/triangle_normal.h"
#include "carom/query/composite_queries.h"
#include "carom/query/distance.h"
#include "carom/query/exact_cores.h"
#include "carom/query/formula_axes.h"
#include "carom/query/point_shape.h"
#include "carom/query/rounded.h"
#include "carom/query/signed_distance.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

namespace carom {
namespace {

/// Of the core alone: the value, the outward direction that attains it, and the point of the surface there.
struct Found {
  double gap;
  Vec3 normal, point;
};
using Maybe = std::optional<Found>;

Vec3 across(const Vec3& v, const Vec3& axis) {
  const Vec3 once = v - axis * dot(v, axis);
  return once - axis * dot(once, axis);
}

/// The direction of v, at right angles to the axis; some such direction where v is nothing but noise.
Vec3 at_right_angles(const Vec3& v, const Vec3& axis) {
  const Vec3 n = normalized_or(across(v, axis), {});
  const bool noise = n == Vec3{} || std::fabs(dot(n, axis)) > 4 * tolerance::epsilon;
  return noise ? perpendicular(axis) : n;
}

/// p as seen from a solid of revolution: in the half-plane with the axis as its border.
struct HalfPlane {
  HalfPlane(const Vec3& p, const Vec3& origin, const Vec3& given_axis) : axis(given_axis) {
    const Vec3 off = across(p - origin, axis);
    outward = at_right_angles(off, axis);
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
  Formula(const Vec3& p, const CoreSupport& support, double slack)
      : p_(p), support_(support), slack_(slack) {}

  Maybe operator()(const Vec3& center) const { return from_ball(center, 0); }
  Maybe operator()(const Segment& s) const {
    const ClosestOnLine c = carom::closest_point(p_, s);
    const Found side = from_edge(c.point, s.b - s.a);
    return c.t > 0 && c.t < 1 ? side : judged(from_ball(c.point, 0), {side.normal});
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
    const Vec3 n = at_right_angles(p_ - q, normalized(edge));
    return {dot(n, p_ - q), n, q};
  }
  /// What was found, where its direction says the same; else the best of the others.
  [[nodiscard]] Found judged(const Found& found, std::initializer_list<Vec3> others) const {
    const auto gap = [&](const Vec3& n) { return dot(n, p_ - support_(n)); };
    double best = gap(found.normal);
    if (best >= found.gap - slack_) return found;
    Vec3 normal = found.normal;
    for (const Vec3& n : others) {
      if (const double value = gap(n); value > best) {
        best = value;
        normal = n;
      }
    }
    return along(normal, best);
  }

  const Vec3& p_;
  const CoreSupport& support_;
  double slack_; ///< what rounding may do
};

Maybe Formula::operator()(const Triangle& t) const {
  const ClosestOnTriangle c = carom::closest_point(p_, t);
  const Vec3 edges[3] = {t.c - t.b, t.a - t.c, t.b - t.a}; // opposite to each corner
  const Vec3 face = normalized(triangle_normal(t.a, t.b, t.c));
  const Vec3 normal = dot(face, p_ - c.point) < 0 ? -face : face;
  Found found = from_ball(c.point, 0);
  if (c.feature == SimplexFeature::face) found = {dot(normal, p_ - c.point), normal, c.point};
  for (int i = 0; i < 3 && c.feature == SimplexFeature::edge; ++i) {
    if (c.barycentric[i] == 0) found = from_edge(c.point, edges[i]);
  }
  return judged(found, {normal, -normal, from_edge(c.point, edges[0]).normal,
                        from_edge(c.point, edges[1]).normal, from_edge(c.point, edges[2]).normal});
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
  Found found = x > y ? along(h.outward, x) : along(c.axis * side, y);
  if (x > 0 && y > 0) found = along(h.direction(x, y * side), std::sqrt(x * x + y * y));
  return judged(found, {h.outward, c.axis, -c.axis});
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
  const double x = h.away - c.radius;
  const Vec3 side = h.direction(uy, -ux);
  const bool beside = on_side >= 0 && on_side <= l;
  Found found = along(h.direction(x, off_base), std::sqrt(x * x + off_base * off_base)); // the rim
  if (off_base > 0 && x <= 0) {
    found = along(c.axis, off_base);
  } else if (on_side < 0) {
    found = from_ball(c.apex, 0);
  } else if (beside && off_side > 0) {
    found = along(side, off_side);
  } else if (beside && off_base <= 0) { // inside
    found = off_side > off_base ? along(side, off_side) : along(c.axis, off_base);
  }
  return judged(found, {side, c.axis, -c.axis});
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
  const Vec3 side = h.direction(cosine, sine);
  if (!(s > 0)) return judged(from_ball(c.a, c.radius_a), {side});
  if (!(s < l * cosine)) return judged(from_ball(c.b, c.radius_b), {side});
  return along(side, h.away * cosine + h.along * sine - c.radius_a);
}

/// On the surface to within rounding: whether p is outside is decided once more, as all queries decide it (exact_cores.h).
void settle_sign(const Vec3& p, const Shape& shape, const Pose& pose, SurfacePoint& s) {
  const CorePair pair(shape, pose, point_shape(), Pose::at(p));
  CoreDistance found;
  found.axis = pair.frame_a().direction_to_local(s.normal);
  settle(pair, found);
  if (!found.answered) return;
  if (found.sure) {
    s.value = std::min(s.value, 0.0);
  } else {
    s.value = found.upper;
    s.normal = pair.frame_a().direction_to_world(found.axis);
    s.point = pair.frame_a().to_world(found.on_a);
  }
}

/// As distance and signed_distance have it for a point.
SurfacePoint by_search(const Vec3& p, const Shape& shape, const Pose& pose, PairCache* cache) {
  PairCache own;
  PairCache* warm = cache ? cache : &own;
  const Pose at = Pose::at(p);
  const Distance d = distance(point_shape(), at, shape, pose, {}, warm);
  if (d.lower_bound > 0)
    return {d.value, d.lower_bound, d.value, d.on_b, -d.normal, d.status, d.iterations};
  const SignedDistance s = signed_distance(point_shape(), at, shape, pose, {}, warm);
  // p is known better than where it came out; but a depth that is not known well says nothing about that.
  const Vec3 point = s.status == Status::ok ? p + s.normal * s.value : s.on_b;
  const int iterations = d.iterations + s.iterations;
  return {s.value, s.lower_bound, s.upper_bound, point, -s.normal, s.status, iterations};
}

} // namespace

SurfacePoint closest_point(const Vec3& p, const Shape& shape, const Pose& pose, PairCache* cache) {
  if (!in_range(pose) || !in_range(Pose::at(p))) return {.status = Status::bad_input};
  if (!shape.convex()) return composite_closest_point(p, shape, pose);
  const Frame frame = pose.frame();
  const Vec3 local = frame.to_local(p);
  // A dozen roundings of coordinates of this size.
  const double slack = 16 * tolerance::epsilon * (shape.size() + max_abs(local));
  const Maybe found = std::visit(Formula(local, shape.core_support(), slack), shape.core());
  if (!found) return by_search(p, shape, pose, cache);
  SurfacePoint s;
  s.value = found->gap - shape.rounding();
  s.lower_bound = s.value - 2 * slack;
  s.upper_bound = s.value + 2 * slack;
  s.normal = frame.direction_to_world(found->normal);
  s.point = frame.to_world(found->point + found->normal * shape.rounding());
  if (std::fabs(s.value) <= slack && shape.polyhedral() && shape.rounding() == 0)
    settle_sign(p, shape, pose, s);
  return s;
}

} // namespace carom
