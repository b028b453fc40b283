// A point and a ray against all parts.
#include "carom/math/tolerance.h"
#include "carom/verify/check_cast.h"
#include "carom/verify/check_closest_point.h"
#include "carom/verify/check_composite.h"
#include "carom/verify/part_pairs.h"

#include <algorithm>
#include <cmath>

namespace carom::verify {
namespace {

/// The least and the most that a part's signed value may be, as far as is known.
struct Value {
  double low, high;
};

/// Whether the ball of that radius around p is in the convex set, and more: points all around are.
bool holds_ball(const Vec3& p, const PlacedShape& part, double radius) {
  for (int i = 0; i < 125; ++i) {
    const Vec3 v{i % 5 - 2.0, i / 5 % 5 - 2.0, i / 25 - 2.0};
    if (max_abs(v) == 2 && distance(p + normalized(v) * (1.1 * radius), part) > 0) return false;
  }
  return true;
}

/// Of a mesh, a height field, a cloud, or a convex shape.
Value value_of(const Vec3& p, const PlacedShape& placed, double claimed) {
  const double rounding = placed.shape.rounding();
  if (const auto* mesh = body_of<TriangleMesh>(placed.shape)) {
    const double away = distance_from_triangles(p, placed);
    const double value = (mesh->solid() && wound_around(placed, p) ? -away : away) - rounding;
    return {value, value};
  }
  if (body_of<HeightField>(placed.shape)) {
    const double value = distance_from_triangles(p, placed) - rounding;
    return {value, value};
  }
  if (const auto* cloud = body_of<PointCloud>(placed.shape)) {
    const Vec3 local = to_local(placed.pose.frame(), p);
    double least = INFINITY;
    for (const Vec3& q : cloud->points()) least = std::min(least, verify::distance(local, q));
    return {least - rounding, least - rounding};
  }
  const double off = distance(p, placed);
  if (off > 0) return {off, off};
  // Inside: no deeper than claimed, unless a ball that is larger fits.
  return {holds_ball(p, placed, std::max(0.0, -claimed)) ? -INFINITY : claimed, 0};
}

/// The start of the ray is not clearly in a solid.
Verdict check_start_outside(const PlacedShape& shape, const Vec3& p, double tolerance) {
  for (const PlacedShape& solid : solid_meshes(shape)) {
    if (!wound_around(solid, p)) continue;
    const double depth = distance_from_triangles(p, solid);
    if (!(depth <= tolerance)) return Verdict::off("the start is inside of a solid", depth);
  }
  return Verdict::yes();
}

/// The ray, up to `end`, clearly meets no part.
Verdict check_no_part_met(const PlacedShape& shape, const Ray& ray, double end, double tolerance) {
  const StraightPiece piece(ray, end);
  for (const ConvexPart& part : convex_parts(shape)) {
    const auto* triangle = std::get_if<Triangle>(&part.placed.shape.core());
    Verdict v;
    if (triangle && part.placed.shape.rounding() == 0) {
      const Frame frame = part.placed.pose.frame();
      const std::array corners{frame.to_world(triangle->a), frame.to_world(triangle->b),
                               frame.to_world(triangle->c)};
      const bool exact = frame.basis == Mat3::identity() && frame.origin == Vec3{};
      v = cast_check::check_flat_miss(piece, corners, exact, tolerance);
    } else if (part.placed.shape.bounded()) {
      v = cast_check::check_miss(piece, part.placed, tolerance);
    }
    if (!v) return v;
  }
  return Verdict::yes();
}

} // namespace

Verdict check_composite_closest_point(const Vec3& p, const PlacedShape& shape,
                                      const SurfacePoint& answer, double tolerance) {
  if (!(answer.lower_bound <= answer.value && answer.value <= answer.upper_bound) ||
      !is_finite(answer.point))
    return Verdict::no("the answer is not finite, or the bounds are not around the value");
  if (!is_unit(answer.normal)) return Verdict::no("the normal is not a unit vector");
  if (const double e = length(p - answer.normal * answer.value - answer.point); !(e <= tolerance))
    return Verdict::off("the point is not p - value * normal", e);
  if (Verdict v =
          check_part("the point is off its part", answer.point, shape, answer.part, tolerance);
      !v)
    return v;
  for (const auto& [component, number] : components(shape)) {
    const Value value = value_of(p, component, answer.lower_bound);
    if (const double e = answer.lower_bound - value.low; !(e <= tolerance))
      return Verdict::off("a part is nearer than the lower bound", e);
    if (number != answer.part.part || !(answer.value < 0) || !component.shape.convex()) {
      if (const double e = value.high - answer.upper_bound;
          number == answer.part.part && !(e <= tolerance))
        return Verdict::off("the part is farther than the upper bound", e);
      continue;
    }
    if (Verdict v = check_closest_point(p, component, answer, tolerance, tolerance, 4); !v)
      return v;
  }
  return Verdict::yes();
}

Verdict check_composite_ray_cast(const PlacedShape& shape, const Ray& ray, double max_t,
                                 const RayHit& answer, double tolerance) {
  if (max_t < 0) return answer.hit ? Verdict::no("a hit out of range") : Verdict::yes();
  if (!answer.hit) {
    if (Verdict v = check_start_outside(shape, ray.origin, 4 * tolerance); !v) return v;
    return check_no_part_met(shape, ray, max_t, tolerance);
  }
  if (!(answer.t >= 0 && answer.t <= max_t && answer.t < INFINITY))
    return Verdict::no("t is out of range");
  if (const double e = length(answer.point - ray.at(answer.t)); !(e <= tolerance))
    return Verdict::off("the point is off the ray", e);
  if (Verdict v =
          check_part("the point is off its part", answer.point, shape, answer.part, tolerance);
      !v)
    return v;
  if (answer.inside) {
    if (answer.t != 0 || answer.point != ray.origin) return Verdict::no("inside, not at the start");
    return answer.normal == Vec3{} ? Verdict::yes() : Verdict::no("inside, but with a normal");
  }
  if (!is_unit(answer.normal)) return Verdict::no("the normal is not a unit vector");
  const double facing = dot(answer.normal, ray.direction);
  if (!(facing <= 16 * tolerance::epsilon * length(ray.direction)))
    return Verdict::off("the ray does not come from the front", facing);
  if (Verdict v = check_start_outside(shape, ray.origin, 4 * tolerance); !v) return v;
  // Up to a hair before the hit.
  const double speed = length(ray.direction);
  const double hair = speed > 0 ? 8 * tolerance / speed : 0;
  return answer.t > hair ? check_no_part_met(shape, ray, answer.t - hair, tolerance)
                         : Verdict::yes();
}

} // namespace carom::verify
