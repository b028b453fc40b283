#include "carom/mesh/hull_contains.h"

#include "carom/math/predicates.h"
#include "carom/mesh/affine_span.h"

#include <cstddef>

namespace carom {
namespace {

/// Seen along an axis, without changing the way round.
Vec2 along(const Vec3& v, int axis) {
  return axis == 0 ? Vec2{v.y, v.z} : axis == 1 ? Vec2{v.z, v.x} : Vec2{v.x, v.y};
}

bool solid_contains(const ConvexHull& hull, const Vec3& p) {
  const auto& v = hull.vertices;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto c = hull.corners(f);
    if (orient3d(v[c[0]], v[c[1]], v[c[2]], p) > 0) return false;
  }
  return true;
}

/// In the plane, and on the same side of all edges as the polygon, seen along an axis that is not parallel to it.
bool polygon_contains(const ConvexHull& hull, const Vec3& p) {
  const auto& v = hull.vertices;
  if (orient3d(v[0], v[1], v[2], p) != 0) return false;
  const int axis = projection_axis(v[0], v[1], v[2]);
  const int turn = orient2d(along(v[0], axis), along(v[1], axis), along(v[2], axis));
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Vec3& next = v[i + 1 == v.size() ? 0 : i + 1];
    if (orient2d(along(v[i], axis), along(next, axis), along(p, axis)) * turn < 0) return false;
  }
  return true;
}

bool segment_contains(const Vec3& a, const Vec3& b, const Vec3& p) {
  for (int k = 0; k < 3; ++k) {
    if (orient2d(along(a, k), along(b, k), along(p, k)) != 0) return false;
    if ((p[k] < a[k] && p[k] < b[k]) || (p[k] > a[k] && p[k] > b[k])) return false;
  }
  return true;
}

} // namespace

bool hull_contains(const ConvexHull& hull, const Vec3& p) {
  if (hull.vertices.empty()) return false;
  switch (hull.dimension) {
  case 3:
    return solid_contains(hull, p);
  case 2:
    return polygon_contains(hull, p);
  case 1:
    return segment_contains(hull.vertices[0], hull.vertices[1], p);
  default:
    return p == hull.vertices[0];
  }
}

} // namespace carom
