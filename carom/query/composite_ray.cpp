// Meshes and height fields by their own trees; others part by part, in the order in which the ray enters their boxes.
#include "carom/geometry/barycentric.h"
#include "carom/geometry/ray_slabs.h"
#include "carom/geometry/triangle_normal.h"
#include "carom/query/composite_queries.h"
#include "carom/query/part_walk.h"
#include "carom/query/point_shape.h"
#include "carom/query/ray_cast_all.h"
#include "carom/query/rounded.h"
#include "carom/shape/height_field_rays.h"
#include "carom/tree/triangle_winding.h"

#include <algorithm>

namespace carom {
namespace {

RayHit inside_hit(const Ray& ray) {
  return {.hit = true, .t = 0, .point = ray.origin, .inside = true};
}

// What meshes and height fields have in common.

bool is_inside(const TriangleMesh& mesh, const Vec3& p) {
  if (!mesh.solid()) return false;
  const Aabb& box = mesh.bounds();
  if (min(p, box.min) != box.min || max(p, box.max) != box.max) return false;
  return locate(mesh.tree(), mesh.surface(), p) == PointPlace::inside;
}
bool is_inside(const HeightField&, const Vec3&) { return false; }

RayTriangle first_met(const TriangleMesh& mesh, const TriangleRay& ray) {
  return first_hit(mesh.tree(), mesh.surface(), ray);
}
RayTriangle first_met(const HeightField& field, const TriangleRay& ray) {
  return first_hit(field, ray);
}

template<class Found>
void all_met(const TriangleMesh& mesh, const TriangleRay& ray, Found&& found) {
  all_hits(mesh.tree(), mesh.surface(), ray, found);
}
template<class Found>
void all_met(const HeightField& field, const TriangleRay& ray, Found&& found) {
  all_hits(field, ray, found);
}

/// A placed mesh or height field without rounding, and a ray in its frame.
template<class Body>
class SurfaceRay {
public:
  SurfaceRay(const Body& body, const Frame& frame, const Ray& ray, const RayCastOptions& options)
      : body_(body), frame_(frame),
        ray_(ray), local_{{frame.to_local(ray.origin), frame.direction_to_local(ray.direction)},
                          options.max_t,
                          options.faces} {}

  [[nodiscard]] RayHit first() const {
    if (is_inside(body_, local_.ray.origin)) return inside_hit(ray_);
    const RayTriangle found = first_met(body_, local_);
    return found ? hit(found) : RayHit{};
  }
  void all(std::vector<RayHit>& hits) const {
    if (is_inside(body_, local_.ray.origin)) hits.push_back(inside_hit(ray_));
    all_met(body_, local_, [&](const RayTriangle& found) {
      hits.push_back(hit(found));
      return true;
    });
  }

private:
  [[nodiscard]] RayHit hit(const RayTriangle& found) const {
    const Triangle triangle = body_.triangle(found.triangle);
    const Vec3 against = -normalized_or(local_.ray.direction, {-1, 0, 0});
    const Vec3 normal = normalized_or(triangle_normal(triangle.a, triangle.b, triangle.c), against);
    RayHit h{.hit = true, .t = found.t, .point = ray_.at(found.t)};
    h.front = !(dot(normal, local_.ray.direction) > 0);
    h.normal = frame_.direction_to_world(h.front ? normal : -normal);
    h.part = {found.triangle, 0, body_.material(found.triangle)};
    h.barycentric = barycentric(local_.ray.at(found.t), triangle).weights;
    return h;
  }

  const Body& body_;
  const Frame& frame_;
  const Ray& ray_;
  TriangleRay local_;
};

/// Calls use(SurfaceRay) where the shape is a mesh or a height field without rounding; else it returns false.
template<class Use>
bool with_surface(const Shape& shape, const Frame& frame, const Ray& ray,
                  const RayCastOptions& options, Use&& use) {
  if (shape.rounding() > 0) return false;
  if (const auto* mesh = body_of<TriangleMesh>(shape)) {
    use(SurfaceRay(*mesh, frame, ray, options));
    return true;
  }
  if (const auto* field = body_of<HeightField>(shape)) {
    use(SurfaceRay(*field, frame, ray, options));
    return true;
  }
  return false;
}

/// Boxes are entered not later than what is in them is hit. The boxes may be a few roundings too small.
class BoxEntry {
public:
  BoxEntry(const PartPair& pair, const Ray& ray, double max_t)
      : slabs_(Ray{pair.frame_b().to_local(ray.origin),
                   pair.frame_b().direction_to_local(ray.direction)},
               max_t),
        slack_(pair.slack()) {}
  double operator()(const Aabb&, const Aabb& box) const {
    const Vec3 more{slack_, slack_, slack_};
    return enter(slabs_, {box.min - more, box.max + more}) * (1 - 8 * tolerance::epsilon);
  }

private:
  RaySlabs slabs_;
  double slack_;
};

/// Calls visit(part, limit) for the parts whose boxes are met before the limit.
template<class Visit>
void walk_ray(const Shape& shape, const Pose& pose, const Ray& ray, double max_t, Visit&& visit) {
  const Shape& point = point_shape();
  const PartPair pair(point, Pose::at(ray.origin), shape, pose);
  // A box that is missed has an infinite key.
  const double limit = std::min(max_t, std::numeric_limits<double>::max());
  walk_parts(PartTree(point), PartTree(shape), limit, BoxEntry(pair, ray, max_t),
             [&](std::uint64_t, std::uint64_t i, double& last) { visit(i, last); });
}

/// In a solid that is rounded, and not only in the rounding.
bool starts_in_solid(const Shape& shape, const Pose& pose, const Ray& ray) {
  const auto* mesh = body_of<TriangleMesh>(shape);
  return mesh && is_inside(*mesh, pose.frame().to_local(ray.origin));
}

RayHit parts_ray_cast(const Shape& shape, const Pose& pose, const Ray& ray,
                      const RayCastOptions& options) {
  if (starts_in_solid(shape, pose, ray)) return inside_hit(ray);
  PartShape part(shape, pose);
  RayHit best;
  int tried = 0;
  walk_ray(shape, pose, ray, options.max_t, [&](std::uint64_t i, double& limit) {
    part.take(i);
    ++tried;
    RayCastOptions nearer = options;
    nearer.prove_misses = false;
    nearer.max_t = std::min(options.max_t, best.t);
    const RayHit h = ray_cast(part.shape(), part.pose(), ray, nearer);
    // Of two at the same time, one that starts inside; then the first.
    if (!h.hit || !(h.t < best.t || (h.inside && !best.inside))) return;
    best = h;
    best.part = part.id(h.part);
    limit = best.inside || options.any ? -INFINITY : best.t;
  });
  best.iterations = tried;
  return best;
}

/// As ray_cast.h says.
bool in_range(const Ray& ray) {
  const double d = max_abs(ray.direction);
  return is_finite(ray.origin) && is_finite(ray.direction) &&
         max_abs(ray.origin) <= tolerance::coordinate_max &&
         (d == 0 || tolerance::is_coordinate(d));
}

bool earlier(const RayHit& x, const RayHit& y) {
  if (x.t != y.t) return x.t < y.t;
  if (x.part.part != y.part.part) return x.part.part < y.part.part;
  return x.part.element + 1 < y.part.element + 1; // the inside of a solid has none, and comes first
}

} // namespace

RayHit composite_ray_cast(const Shape& shape, const Pose& pose, const Ray& ray,
                          const RayCastOptions& options) {
  if (!parts_in_range(shape, pose)) return {.status = Status::bad_input};
  RayHit hit;
  const auto first = [&](const auto& surface) { hit = surface.first(); };
  if (with_surface(shape, pose.frame(), ray, options, first)) return hit;
  return parts_ray_cast(shape, pose, ray, options);
}

void ray_cast_all(const Shape& shape, const Pose& pose, const Ray& ray, std::vector<RayHit>& hits,
                  const RayCastOptions& options) {
  hits.clear();
  if (shape.convex() || !in_range(pose) || !parts_in_range(shape, pose) ||
      std::isnan(options.max_t)) {
    const RayHit h = ray_cast(shape, pose, ray, options);
    if (h.hit || h.status == Status::bad_input) hits.push_back(h);
    return;
  }
  if (!in_range(ray)) hits.push_back({.status = Status::bad_input});
  if (!(options.max_t >= 0) || !hits.empty()) return;
  const auto all = [&](const auto& surface) { surface.all(hits); };
  if (!with_surface(shape, pose.frame(), ray, options, all)) {
    if (starts_in_solid(shape, pose, ray)) hits.push_back(inside_hit(ray));
    PartShape part(shape, pose);
    std::vector<RayHit> of_part;
    walk_ray(shape, pose, ray, options.max_t, [&](std::uint64_t i, double&) {
      part.take(i);
      ray_cast_all(part.shape(), part.pose(), ray, of_part, options);
      for (RayHit& h : of_part) {
        h.part = part.id(h.part);
        hits.push_back(h);
      }
    });
  }
  std::sort(hits.begin(), hits.end(), earlier);
}

} // namespace carom
