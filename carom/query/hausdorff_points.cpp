#include "carom/query/hausdorff_points.h"

#include "carom/query/closest_point.h"
#include "carom/shape/composite.h"
#include "carom/tree/triangle_nearest.h"
#include "carom/tree/triangle_winding.h"

#include <algorithm>

namespace carom {

NearestOn::Near NearestOn::operator()(const Vec3& p) {
  const auto* mesh = body_of<TriangleMesh>(shape_);
  if (!mesh) {
    const SurfacePoint s = closest_point(askable(p), shape_, pose_, &cache_);
    if (!(s.value > 0)) return {0, std::max(s.upper_bound, 0.0), p, std::max(-s.upper_bound, 0.0)};
    return {std::max(s.lower_bound, 0.0), s.upper_bound, s.point};
  }
  const Vec3 local = frame_.to_local(p);
  const NearTriangle near = nearest_triangle(mesh->tree(), mesh->surface(), local);
  const double radius = shape_.rounding();
  const double away = near.on.distance - radius;
  if (mesh->solid() && locate(mesh->tree(), mesh->surface(), local) != PointPlace::outside)
    return {0, 0, p, near.on.distance + radius};
  if (!(away > 0)) return {0, 0, p, -away};
  const Vec3 on = near.on.point + (local - near.on.point) * (radius / near.on.distance);
  return {away, away, frame_.to_world(on)};
}

} // namespace carom
