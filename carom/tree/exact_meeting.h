// Whether and where a ray of the triangle queries meets one triangle: what trees and height fields ask at their leaves. Internal.
#pragma once

#include "carom/geometry/triangle_meeting.h"
#include "carom/tree/triangle_rays.h"

#include <algorithm>

namespace [[gnu::visibility("default")]] carom {
namespace tree_detail {

/// t of where the ray meets the triangle, from the right side and at most t_max; -1 where it does not. Exact like cast(ray, triangle), and the same t.
[[nodiscard]] inline double meeting_t(const TriangleRay& query, const Triangle& triangle,
                                      double t_max) {
  const Ray& ray = query.ray;
  const cast_detail::Meeting m = cast_detail::meet({ray.origin, ray.direction}, triangle);
  if (!m.hit) return -1;
  const bool front = m.along_normal <= 0;
  if (query.faces != Faces::both && front != (query.faces == Faces::front)) return -1;
  if (m.in_plane) return m.exit >= 0 && m.enter <= t_max ? std::max(m.enter, 0.0) : -1;
  if (orient3d(triangle.a, triangle.b, triangle.c, ray.origin) * m.along_normal > 0) return -1;
  const double t = std::max(m.enter, 0.0);
  return t <= t_max ? t : -1;
}

} // namespace tree_detail
} // namespace carom
