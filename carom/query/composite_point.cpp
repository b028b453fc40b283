// The nearest part, and of a solid mesh the side of its surface.
#include "carom/geometry/triangle_normal.h"
#include "carom/math/tolerance.h"
#include "carom/query/composite_queries.h"
#include "carom/query/part_walk.h"
#include "carom/query/point_shape.h"
#include "carom/shape/height_field_near.h"
#include "carom/tree/triangle_nearest.h"
#include "carom/tree/triangle_winding.h"

#include <algorithm>

namespace carom {
namespace {

// What meshes and height fields have in common.

NearTriangle nearest(const TriangleMesh& mesh, const Vec3& p) {
  return nearest_triangle(mesh.tree(), mesh.surface(), p);
}
NearTriangle nearest(const HeightField& field, const Vec3& p) { return nearest_triangle(field, p); }

bool is_inside(const TriangleMesh& mesh, const Vec3& p) {
  return mesh.solid() && locate(mesh.tree(), mesh.surface(), p) == PointPlace::inside;
}
bool is_inside(const HeightField&, const Vec3&) { return false; }

/// Of a mesh or a height field.
template<class Body>
SurfacePoint nearest_of_triangles(const Vec3& p, const Shape& shape, const Body& body,
                                  const Frame& frame) {
  const Vec3 local = frame.to_local(p);
  const NearTriangle near = nearest(body, local);
  const bool inside = is_inside(body, local);
  const double away = near.on.distance;
  const auto [a, b, c] = body.triangle(near.triangle);
  const Vec3 own_normal = normalized_or(triangle_normal(a, b, c), {});
  const Vec3 outward =
      normalized_or(inside ? near.on.point - local : local - near.on.point, own_normal);
  SurfacePoint s;
  s.value = (inside ? -away : away) - shape.rounding();
  s.normal = frame.direction_to_world(normalized_or(outward, {1, 0, 0}));
  s.point = frame.to_world(near.on.point) + s.normal * shape.rounding();
  // closest_point of triangles is off by some 26 roundings (geometry/closest_point.h), the frame by a few.
  const double slack = 48 * tolerance::epsilon * (shape.size() + max_abs(local));
  s.lower_bound = s.value - slack;
  s.upper_bound = s.value + slack;
  s.part = {near.triangle, 0, body.material(near.triangle)};
  return s;
}

} // namespace

SurfacePoint composite_closest_point(const Vec3& p, const Shape& shape, const Pose& pose) {
  if (const auto* mesh = body_of<TriangleMesh>(shape))
    return nearest_of_triangles(p, shape, *mesh, pose.frame());
  if (const auto* field = body_of<HeightField>(shape))
    return nearest_of_triangles(p, shape, *field, pose.frame());
  if (!parts_in_range(shape, pose)) return {.status = Status::bad_input};
  const Shape& point = point_shape();
  const Pose at = Pose::at(p);
  const PartPair pair(point, at, shape, pose);
  PartShape part(shape, pose);
  SurfacePoint best;
  best.value = INFINITY;
  int tried = 0;
  walk_parts(
      PartTree(point), PartTree(shape), INFINITY,
      [&](const Aabb& box_a, const Aabb& box_b) { return pair.gap(box_a, box_b); },
      [&](std::uint64_t, std::uint64_t i, double& limit) {
        part.take(i);
        ++tried;
        const SurfacePoint s = closest_point(p, part.shape(), part.pose());
        if (!(s.value < best.value)) return;
        best = s;
        best.part = part.id(s.part);
        // Inside of a part, others that the point is inside of count still.
        limit = std::max(s.value, 0.0);
      });
  best.lower_bound -= pair.slack();
  best.iterations = tried;
  return best;
}

} // namespace carom
