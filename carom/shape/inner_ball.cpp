// Closed forms, but for hulls: there the centre is pushed away from the nearest face again and again, by less each time. The best is kept. That is not the greatest ball to the last
// digit, and does not need to be.
#include "carom/shape/inner_ball.h"

#include "carom/math/tolerance.h"
#include "carom/shape/shape.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

Vec3 mean(std::span<const Vec3> points) {
  Vec3 sum;
  for (const Vec3& p : points) sum += p / static_cast<double>(points.size());
  return sum;
}

struct NearestFace {
  Vec3 normal;
  double distance = INFINITY;
};

NearestFace nearest_face(std::span<const HalfSpace> planes, const Vec3& p) {
  NearestFace nearest;
  for (const HalfSpace& plane : planes) {
    const double d = plane.offset - dot(plane.normal, p);
    if (d < nearest.distance) nearest = {plane.normal, d};
  }
  return nearest;
}

struct InnerBall {
  Sphere operator()(const Vec3& p) const { return {p, 0}; }
  Sphere operator()(const Segment& s) const { return {lerp(s.a, s.b, 0.5), 0}; }
  Sphere operator()(const Triangle& t) const {
    const Vec3 corners[] = {t.a, t.b, t.c};
    return {mean(corners), 0};
  }
  Sphere operator()(const Obb& b) const {
    return {b.center, std::min({b.half.x, b.half.y, b.half.z})};
  }
  Sphere operator()(const Cylinder& c) const {
    return {c.center, std::min(c.half_height, c.radius)};
  }
  /// It touches the base and the side: in the triangle seen from the side, area over half the circumference.
  Sphere operator()(const Cone& c) const {
    const double side = std::sqrt(c.height * c.height + c.radius * c.radius);
    const double radius = c.radius > 0 ? c.height * (c.radius / (c.radius + side)) : 0;
    return {c.apex + c.axis * (c.height - radius), radius};
  }
  Sphere operator()(const TaperedCapsule& c) const {
    return c.radius_a >= c.radius_b ? Sphere{c.a, c.radius_a} : Sphere{c.b, c.radius_b};
  }
  Sphere operator()(const Ellipsoid& e) const {
    return {e.center, std::min({e.radii.x, e.radii.y, e.radii.z})};
  }
  Sphere operator()(const Polytope& p) const {
    Sphere best{mean(p.vertices()), 0};
    if (p.hull().dimension < 3) return best;
    // The planes' offsets and these products are a few roundings off.
    const Aabb& bounds = p.bounds();
    const double extent = max_abs(bounds.max - bounds.min);
    const double slack =
        16 * tolerance::epsilon * std::max(max_abs(bounds.min), max_abs(bounds.max));
    constexpr int pushes = 64;
    Vec3 center = best.center;
    double step = 0.25 * extent; // all together three extents and a half; the last one 0.002
    for (int i = 0; i < pushes; ++i) {
      const NearestFace face = nearest_face(p.planes(), center);
      if (face.distance - slack > best.radius) best = {center, face.distance - slack};
      center -= face.normal * step;
      step *= 0.93;
    }
    return best;
  }
  Sphere operator()(const HalfSpace& h) const {
    return {h.normal * (h.offset / length_squared(h.normal)), 0};
  }
  Sphere operator()(const BrushCore& b) const { return (*this)(b.corners); }
  Sphere operator()(const SumCore& s) const {
    const Sphere a = whole(*s.a);
    const Sphere b = whole(*s.b);
    return {a.center + b.center, a.radius + b.radius};
  }
  Sphere operator()(const HullOfTwoCore& h) const {
    const Sphere a = whole(*h.a);
    const Sphere b = whole(*h.b);
    return a.radius >= b.radius ? a : b;
  }
  Sphere operator()(const CustomCore& c) const { return {c.inside, 0}; }
  Sphere operator()(const ScaledCore& s) const {
    const Sphere ball = whole(*s.shape);
    const Vec3 f = abs(s.factors);
    return {mul(ball.center, s.factors), ball.radius * std::min({f.x, f.y, f.z})};
  }

private:
  static Sphere whole(const Shape& shape) {
    const Sphere& core = shape.inner_ball();
    return {core.center, core.radius + shape.rounding()};
  }
};

} // namespace

Sphere inner_ball(const ShapeCore& core) { return std::visit(InnerBall{}, core); }

} // namespace carom
