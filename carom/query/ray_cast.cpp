// A formula where the core has one and no rounding spoils it (geometry/cast*.h), in the shape's frame; else the search of the shape cast with a point.
//
// A formula's hit is taken only where its normal faces the ray: then it proves that the ray was outside before. A ray in the plane of
// a triangle, say, is level with its normal, which proves nothing: the search finds a better one.
//
// Solids with faces: every plane that the ray comes through from the front is a bound by itself, so the search starts at the last of them, and
// mostly ends there.
#include "carom/query/ray_cast.h"

#include "carom/geometry/cast_box.h"
#include "carom/geometry/cast_cone.h"
#include "carom/geometry/cast_flat.h"
#include "carom/geometry/cast_polyhedron.h"
#include "carom/geometry/cast_round.h"
#include "carom/query/composite_queries.h"
#include "carom/query/first_contact.h"
#include "carom/query/formula_axes.h"
#include "carom/query/point_shape.h"
#include "carom/query/rounded.h"

#include <algorithm>
#include <optional>

namespace carom {
namespace {

/// Faces are tried one by one up to this many; beyond, the search alone is faster.
constexpr std::size_t most_faces = 64;

/// The part of a line in a rounded core, where there is a formula for it.
struct Formula {
  const Line& line;
  double rounding;

  using Span = std::optional<LineSpan>;
  // Without a radius rounding alone would tell a hit from a miss: the search takes what is near enough.
  Span operator()(const Vec3& p) const {
    return rounding > 0 ? Span(clip(line, Sphere{p, rounding})) : Span();
  }
  Span operator()(const Segment& s) const {
    return rounding > 0 ? Span(clip(line, Capsule{s.a, s.b, rounding})) : Span();
  }
  Span operator()(const HalfSpace& h) const {
    const double l = length(h.normal);
    return clip(line, HalfSpace{h.normal / l, h.offset / l + rounding});
  }
  Span operator()(const Triangle& t) const { return sharp(t, true); }
  Span operator()(const Obb& b) const { return sharp(b, is_orthonormal(b.axes)); }
  Span operator()(const Ellipsoid& e) const { return sharp(e, is_orthonormal(e.axes)); }
  Span operator()(const Cylinder& c) const { return sharp(c, is_unit(c.axis)); }
  Span operator()(const Cone& c) const { return sharp(c, is_unit(c.axis)); }
  template<class Core>
  Span operator()(const Core&) const {
    return {};
  }

private:
  template<class Core>
  [[nodiscard]] Span sharp(const Core& core, bool applies) const {
    return applies && rounding == 0 ? Span(clip(line, core)) : Span();
  }
};

const Polytope* faces_of(const Shape& shape) {
  const auto* polytope = std::get_if<Polytope>(&shape.core());
  if (const auto* brush = std::get_if<BrushCore>(&shape.core())) polytope = &brush->corners;
  const bool use =
      polytope && polytope->hull().dimension == 3 && polytope->planes().size() <= most_faces;
  return use ? polytope : nullptr;
}

/// Of the planes that the ray comes through from the front, in the shape's frame: the one it comes to last. Its normal keeps them apart until then.
void start_at_last_plane(CoreMotion& motion, const CorePair& pair, const Polytope& polytope) {
  const Vec3 origin = pair.frame_b().to_local(pair.frame_a().origin);
  const Vec3 direction =
      pair.frame_b().direction_to_local(pair.frame_a().direction_to_world(motion.velocity));
  double last = 0;
  const HalfSpace* plane = nullptr;
  for (const HalfSpace& h : polytope.planes()) {
    const double speed = -dot(h.normal, direction);
    const double height = h.signed_distance(origin) - motion.radius;
    if (!(speed > 0) || !(height > last * speed)) continue;
    last = height / speed;
    plane = &h;
  }
  if (!plane) return;
  const Vec3 axis =
      -pair.frame_a().direction_to_local(pair.frame_b().direction_to_world(plane->normal));
  const double t = dot(axis, motion.velocity) > 0 ? kept_apart_until(pair, motion, axis) : 0;
  if (!(t > 0 && t <= motion.until)) return;
  motion.from = t;
  motion.axis = axis;
}

RayHit hit_at(const Ray& ray, double t, const Vec3& normal) {
  return {.hit = true, .t = t, .point = ray.at(t), .normal = normal};
}
RayHit inside_at_start(const Ray& ray) {
  return {.hit = true, .t = 0, .point = ray.origin, .inside = true};
}

RayHit search(const Shape& shape, const Pose& pose, const Ray& ray, double max_t) {
  const CorePair pair(point_shape(), Pose::at(ray.origin), shape, pose);
  CoreMotion motion{.velocity = ray.direction, .radius = shape.rounding(), .until = max_t};
  if (const Polytope* polytope = faces_of(shape)) start_at_last_plane(motion, pair, *polytope);
  PairCache cache;
  const FirstContact found = first_contact(pair, motion, cache);
  RayHit h;
  if (found.kind == FirstContact::Kind::miss) {
    h.normal = -found.axis;
  } else {
    h = found.axis == Vec3{} ? inside_at_start(ray) : hit_at(ray, found.t, -found.axis);
    h.status = found.kind == FirstContact::Kind::unknown ? Status::wide : Status::ok;
  }
  h.iterations = found.iterations;
  return h;
}

/// What separates a half-space from a ray that misses it; zero for other shapes.
Vec3 border_normal(const Shape& shape, const Frame& frame) {
  const auto* h = std::get_if<HalfSpace>(&shape.core());
  return h ? normalized(frame.direction_to_world(normalized(h->normal))) : Vec3{};
}

/// The formula's answer, where it has a proof.
std::optional<RayHit> by_formula(const Shape& shape, const Pose& pose, const Ray& ray,
                                 double max_t) {
  const Frame frame = pose.frame();
  const Line line{frame.to_local(ray.origin), frame.direction_to_local(ray.direction)};
  const std::optional<LineSpan> span = std::visit(Formula{line, shape.rounding()}, shape.core());
  if (!span) return {};
  const Cast cast = first_in_range(*span, Ray{line.origin, line.direction}, max_t);
  if (!cast.hit) return RayHit{.normal = border_normal(shape, frame)};
  if (cast.inside) return inside_at_start(ray);
  const Vec3 normal = frame.direction_to_world(cast.normal);
  const double facing = -dot(normal, ray.direction);
  const bool proves = facing > 16 * tolerance::epsilon * length(ray.direction);
  if (!proves && shape.bounded()) return {};
  return hit_at(ray, cast.t, normal);
}

bool in_range(const Ray& ray) {
  const double d = max_abs(ray.direction);
  return is_finite(ray.origin) && is_finite(ray.direction) &&
         max_abs(ray.origin) <= tolerance::coordinate_max && d <= tolerance::coordinate_max &&
         (d == 0 || d >= tolerance::coordinate_min);
}

} // namespace

RayHit ray_cast(const Shape& shape, const Pose& pose, const Ray& ray,
                const RayCastOptions& options) {
  if (!in_range(pose) || !in_range(ray) || std::isnan(options.max_t))
    return {.status = Status::bad_input};
  if (!(options.max_t >= 0)) return {};
  if (!shape.convex()) return composite_ray_cast(shape, pose, ray, options);
  const std::optional<RayHit> formula = by_formula(shape, pose, ray, options.max_t);
  if (formula && (formula->hit || !options.prove_misses || !shape.bounded())) return *formula;
  return search(shape, pose, ray, options.max_t);
}

} // namespace carom
