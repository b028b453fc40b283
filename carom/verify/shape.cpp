#include "carom/verify/shape.h"

#include "carom/math/predicates.h"
#include "carom/math/tolerance.h"
#include "carom/verify/parts.h"
#include "carom/verify/support_distance.h"

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

namespace carom::verify {
namespace {

using Real = long double;

double local_support(const Shape& shape, const Vec3& d);
Vec3 farthest_point(const Shape& shape, const Vec3& d);
double local_distance(const Vec3& p, const Shape& shape);

// An axis may be off unit length by a user's rounding. What it means: heights are multiples of the axis as given, radii are lengths.

Cylinder with_unit_axis(const Cylinder& c) {
  const double l = length(c.axis);
  return {c.center, c.axis / l, c.half_height * l, c.radius};
}
Cone with_unit_axis(const Cone& c) {
  const double l = length(c.axis);
  return {c.apex, c.axis / l, c.height * l, c.radius};
}

/// To within rounding; then the transpose is the inverse.
bool is_orthonormal(const Mat3& m) {
  double off = 0;
  for (int i = 0; i < 3; ++i) {
    off =
        std::max({off, std::fabs(length_squared(m[i]) - 1), std::fabs(dot(m[i], m[(i + 1) % 3]))});
  }
  return off <= 4 * tolerance::epsilon;
}

// ---- how far a core reaches ----

struct CoreSupport {
  Vec3 d;

  template<class Primitive>
  double operator()(const Primitive& primitive) const {
    return support(primitive, d);
  }
  double operator()(const Cylinder& c) const { return support(with_unit_axis(c), d); }
  double operator()(const Cone& c) const { return support(with_unit_axis(c), d); }
  double operator()(const TaperedCapsule& c) const {
    return std::max(support(Sphere{c.a, c.radius_a}, d), support(Sphere{c.b, c.radius_b}, d));
  }
  double operator()(const Polytope& p) const {
    double best = -INFINITY;
    for (const Vec3& v : p.hull().vertices) best = std::max(best, dot(v, d));
    return best;
  }
  double operator()(const HalfSpace& h) const {
    const double l = length(h.normal);
    const Vec3 n = h.normal / l;
    const double along = dot(n, d);
    const bool parallel = length(d - n * along) <= 16 * tolerance::epsilon * length(d);
    return parallel && along >= 0 ? along * (h.offset / l) : INFINITY;
  }
  double operator()(const BrushCore& b) const { return (*this)(b.corners); }
  double operator()(const SumCore& s) const {
    return local_support(*s.a, d) + local_support(*s.b, d);
  }
  double operator()(const HullOfTwoCore& h) const {
    return std::max(local_support(*h.a, d), local_support(*h.b, d));
  }
  double operator()(const CustomCore& c) const { return dot(c.support(d), d); }
  double operator()(const ScaledCore& s) const {
    return local_support(*s.shape, mul(s.factors, d));
  }
};

/// The power of two next below the greatest |component|: dividing by it is exact.
double magnitude(const Vec3& d) {
  int exponent = 0;
  (void)std::frexp(max_abs(d), &exponent);
  return std::ldexp(1.0, exponent - 1);
}

double local_support(const Shape& shape, const Vec3& d) {
  if (d == Vec3{}) return 0;
  if (!is_finite(d)) return NAN;
  // Tiny and huge directions are brought to size, so that their lengths can be computed.
  const Vec3 e = d / magnitude(d);
  const double reach = std::visit(CoreSupport{e}, shape.core()) + shape.rounding() * length(e);
  return reach * magnitude(d);
}

// ---- the farthest points of cores without a formula for the distance, and of all that may be part of them ----

Vec3 farthest_of(std::span<const Vec3> points, const Vec3& d) {
  Vec3 best = points.front();
  for (const Vec3& p : points) {
    if (dot(p - best, d) > 0) best = p;
  }
  return best;
}

/// Of the circle of radius r around the origin, at right angles to the unit vector `axis`.
Vec3 rim_point(double r, const Vec3& axis, const Vec3& d) {
  return normalized_or(cross(cross(axis, d), axis), perpendicular(axis)) * r;
}

struct FarthestPoint {
  Vec3 d; ///< its greatest |component| is 1 or a bit more

  Vec3 operator()(const Vec3& p) const { return p; }
  Vec3 operator()(const Segment& s) const { return farthest_of(std::array{s.a, s.b}, d); }
  Vec3 operator()(const Triangle& t) const { return farthest_of(std::array{t.a, t.b, t.c}, d); }
  Vec3 operator()(const Obb& b) const {
    Vec3 s;
    for (int i = 0; i < 3; ++i) s[i] = dot(b.axes[i], d) < 0 ? -b.half[i] : b.half[i];
    return b.center + b.axes * s;
  }
  Vec3 operator()(const Cylinder& given) const {
    const Cylinder c = with_unit_axis(given);
    const double height = dot(c.axis, d) < 0 ? -c.half_height : c.half_height;
    return c.center + c.axis * height + rim_point(c.radius, c.axis, d);
  }
  Vec3 operator()(const Cone& given) const {
    const Cone c = with_unit_axis(given);
    const Vec3 rim = c.base_center() + rim_point(c.radius, c.axis, d);
    return dot(rim - c.apex, d) > 0 ? rim : c.apex;
  }
  Vec3 operator()(const TaperedCapsule& c) const {
    const Vec3 u = normalized(d);
    return farthest_of(std::array{c.a + u * c.radius_a, c.b + u * c.radius_b}, d);
  }
  Vec3 operator()(const Ellipsoid& e) const {
    const Vec3 u = mul(e.radii, transpose_mul(e.axes, d));
    return e.center + e.axes * mul(e.radii, normalized_or(u, {}));
  }
  Vec3 operator()(const Polytope& p) const { return farthest_of(p.hull().vertices, d); }
  Vec3 operator()(const HalfSpace& h) const { // never part of another shape
    return h.normal * (h.offset / length_squared(h.normal));
  }
  Vec3 operator()(const BrushCore& b) const { return (*this)(b.corners); }
  Vec3 operator()(const SumCore& s) const {
    return farthest_point(*s.a, d) + farthest_point(*s.b, d);
  }
  Vec3 operator()(const HullOfTwoCore& h) const {
    return farthest_of(std::array{farthest_point(*h.a, d), farthest_point(*h.b, d)}, d);
  }
  Vec3 operator()(const CustomCore& c) const { return c.support(d); }
  Vec3 operator()(const ScaledCore& s) const {
    return mul(s.factors, farthest_point(*s.shape, mul(s.factors, d)));
  }
};

Vec3 farthest_point(const Shape& shape, const Vec3& d) {
  const double m = magnitude(d);
  const Vec3 e = m > 0 && m < INFINITY ? d / m : Vec3{1, 0, 0};
  return std::visit(FarthestPoint{e}, shape.core()) + normalized(e) * shape.rounding();
}

// ---- how far a point is from a core ----

double hull_distance(const Vec3& p, const ConvexHull& hull) {
  const auto& v = hull.vertices;
  if (hull.dimension == 0) return verify::distance(p, v.front());
  if (hull.dimension == 1) return distance(p, Segment{v.front(), v.back()});
  // The nearest point lies on a face that p is in front of. Three corners of a face are never collinear.
  double best = INFINITY;
  std::vector<Vec3> corners;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    corners.clear();
    for (const std::uint32_t i : hull.corners(f)) corners.push_back(v[i]);
    // A flat hull has p behind both of its faces only within its plane.
    if (hull.dimension == 3 && orient3d(corners[0], corners[1], corners[2], p) <= 0) continue;
    best = std::min(best, distance(p, Polygon{corners}));
  }
  return best < INFINITY ? best : 0;
}

struct CoreDistance {
  const Vec3& p;

  template<class Primitive>
  double operator()(const Primitive& primitive) const {
    return verify::distance(p, primitive);
  }
  double operator()(const Obb& b) const {
    return is_orthonormal(b.axes) ? distance(p, b) : by_support(b);
  }
  double operator()(const Ellipsoid& e) const {
    return is_orthonormal(e.axes) ? distance(p, e) : by_support(e);
  }
  double operator()(const Cylinder& c) const { return distance(p, with_unit_axis(c)); }
  double operator()(const Cone& c) const { return distance(p, with_unit_axis(c)); }
  /// The balls around all points of the segment, of radii from the one to the other: the nearest of them. |p - c(s)| - r(s) is a convex
  /// function of s. Its least is at an end, or where the line from p to the centre makes the angle with the axis that the side does.
  double operator()(const TaperedCapsule& c) const {
    const Vec3 axis = c.b - c.a;
    const Real l = length(axis);
    if (!(l > 0)) return distance(p, Sphere{c.a, std::max(c.radius_a, c.radius_b)});
    const Vec3 u = axis / length(axis);
    const Real along = dot(p - c.a, u), away = length(cross(p - c.a, u));
    const Real slope = (Real{c.radius_b} - c.radius_a) / l; // the sine of the angle of the side
    const auto gap = [&](Real s) {                          // at s from a along the axis
      return std::sqrt(away * away + (along - s) * (along - s)) - (c.radius_a + slope * s);
    };
    Real least = std::min(gap(0), gap(l));
    if (std::fabs(slope) < 1) {
      const Real s = along + away * slope / std::sqrt(1 - slope * slope);
      least = std::min(least, gap(std::clamp(s, Real{0}, l)));
    }
    return std::max(0.0, static_cast<double>(least));
  }
  double operator()(const Polytope& polytope) const { return hull_distance(p, polytope.hull()); }
  double operator()(const HalfSpace& h) const {
    const Real n2 = square(h.normal.x) + square(h.normal.y) + square(h.normal.z);
    const Real above =
        Real{h.normal.x} * p.x + Real{h.normal.y} * p.y + Real{h.normal.z} * p.z - Real{h.offset};
    return std::max(0.0, static_cast<double>(above / std::sqrt(n2)));
  }
  /// Outside of the hull of the corners, or of a half-space: the more of both.
  double operator()(const BrushCore& b) const {
    double most = hull_distance(p, b.corners.hull());
    for (const HalfSpace& h : b.faces) most = std::max(most, (*this)(h));
    return most;
  }
  double operator()(const SumCore& s) const { return by_support(s); }
  double operator()(const HullOfTwoCore& h) const { return by_support(h); }
  double operator()(const CustomCore& c) const { return by_support(c); }
  double operator()(const ScaledCore& s) const { return by_support(s); }

private:
  static Real square(Real x) { return x * x; }
  template<class Core>
  double by_support(const Core& core) const {
    return support_distance(p, [&](const Vec3& d) { return FarthestPoint{d}(core); }).upper;
  }
};

double local_distance(const Vec3& p, const Shape& shape) {
  const double d = std::visit(CoreDistance{p}, shape.core()) - shape.rounding();
  return d < 0 ? 0 : d;
}

} // namespace

double support(const PlacedShape& placed, const Vec3& d) {
  if (!placed.shape.convex()) return composite_support(placed, d);
  const Frame frame = placed.pose.frame();
  return local_support(placed.shape, frame.direction_to_local(d)) + dot(frame.origin, d);
}

Vec3 farthest_point(const PlacedShape& placed, const Vec3& d) {
  if (!placed.shape.convex()) return composite_farthest(placed, d);
  const Frame frame = placed.pose.frame();
  return frame.to_world(farthest_point(placed.shape, frame.direction_to_local(d)));
}

double distance(const Vec3& p, const PlacedShape& placed) {
  if (!placed.shape.convex()) return composite_distance(p, placed);
  const Vec3 local = to_local(placed.pose.frame(), p);
  return is_finite(local) ? local_distance(local, placed.shape) : NAN;
}

double extent(const PlacedShape& placed) {
  double most = 0;
  for (int i = 0; i < 3; ++i) {
    for (const double sign : {1.0, -1.0}) {
      most = std::max(most, std::fabs(support(placed, unit_axis(i) * sign)));
    }
  }
  return most;
}

PlacedShape::operator SetView() const {
  return {this,
          [](const void* s, const Vec3& d) {
            return verify::support(*static_cast<const PlacedShape*>(s), d);
          },
          [](const void* s, const Vec3& p) {
            return verify::distance(p, *static_cast<const PlacedShape*>(s));
          }};
}

} // namespace carom::verify
