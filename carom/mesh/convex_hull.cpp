// By dimension (affine_span.h): nothing to do; the ends of the line; the plane's own hull (hull2.h) in a projection along an axis, in which
// no two points of the plane fall together; quickhull (hull_surface.h). What has too many vertices is then simplified (hull_limit.h).
#include "carom/mesh/convex_hull.h"

#include "carom/geometry/hull2.h"
#include "carom/math/tolerance.h"
#include "carom/mesh/affine_span.h"
#include "carom/mesh/hull_faces.h"
#include "carom/mesh/hull_limit.h"
#include "carom/mesh/hull_surface.h"

#include <algorithm>
#include <string>

namespace carom {
namespace {

using hull_surface::none;

bool lexicographically_less(const Vec3& a, const Vec3& b) {
  if (a.x != b.x) return a.x < b.x;
  if (a.y != b.y) return a.y < b.y;
  return a.z < b.z;
}
bool lexicographically_less(const Vec2& a, const Vec2& b) {
  return a.x != b.x ? a.x < b.x : a.y < b.y;
}

/// Along the axis; areas seen from its positive end keep their sign.
Vec2 project(const Vec3& v, int axis) {
  return axis == 0 ? Vec2{v.y, v.z} : axis == 1 ? Vec2{v.z, v.x} : Vec2{v.x, v.y};
}
ConvexHull point_hull(std::span<const Vec3> points) {
  ConvexHull hull;
  hull.vertices = {points[0]};
  hull.source = {0};
  link_vertices(hull);
  return hull;
}

ConvexHull segment_hull(std::span<const Vec3> points) {
  const auto less = [](const Vec3& a, const Vec3& b) { return lexicographically_less(a, b); };
  const auto least = std::min_element(points.begin(), points.end(), less);
  const auto most = std::max_element(points.begin(), points.end(), less);
  auto first = static_cast<std::uint32_t>(least - points.begin());
  auto second = static_cast<std::uint32_t>(most - points.begin());
  if (second < first) std::swap(first, second);
  ConvexHull hull;
  hull.dimension = 1;
  hull.vertices = {points[first], points[second]};
  hull.source = {first, second};
  hull.face_begin = {0, 2};
  hull.origin = {0, 1};
  hull.twin = {1, 0};
  hull.face = {0, 0};
  link_vertices(hull);
  return hull;
}

ConvexHull polygon_hull(std::span<const Vec3> points, int axis) {
  std::vector<Vec2> flat(points.size());
  std::transform(points.begin(), points.end(), flat.begin(),
                 [axis](const Vec3& p) { return project(p, axis); });
  std::vector<Vec2> around;
  convex_hull(flat, around);

  // Which input point is each corner? Look every point up among the corners, sorted.
  struct Corner {
    Vec2 at;
    std::uint32_t place, source;
  };
  std::vector<Corner> corners;
  for (std::uint32_t i = 0; i < around.size(); ++i) corners.push_back({around[i], i, none});
  std::sort(corners.begin(), corners.end(),
            [](const Corner& a, const Corner& b) { return lexicographically_less(a.at, b.at); });
  for (std::uint32_t i = 0; i < flat.size(); ++i) {
    const auto found = std::lower_bound(
        corners.begin(), corners.end(), flat[i],
        [](const Corner& corner, const Vec2& p) { return lexicographically_less(corner.at, p); });
    if (found != corners.end() && found->at == flat[i] && found->source == none) found->source = i;
  }
  std::vector<std::uint32_t> source(around.size());
  for (const Corner& corner : corners) source[corner.place] = corner.source;
  std::rotate(source.begin(), std::min_element(source.begin(), source.end()), source.end());
  std::vector<Vec3> vertices;
  for (const std::uint32_t i : source) vertices.push_back(points[i]);
  return flat_hull(std::move(vertices), std::move(source));
}

ConvexHull hull_of(std::span<const Vec3> points) {
  const AffineSpan span = affine_span(points);
  const auto corner = [&](std::size_t i) { return points[span.corner[i]]; };
  switch (span.dimension) {
  case 0:
    return point_hull(points);
  case 1:
    return segment_hull(points);
  case 2:
    return polygon_hull(points, projection_axis(corner(0), corner(1), corner(2)));
  default:
    return hull_faces(hull_surface::build(points, span.corner));
  }
}

std::string nth(std::size_t i) { return "point " + std::to_string(i); }

} // namespace

Result<ConvexHull> convex_hull(std::span<const Vec3> points, const ConvexHullOptions& options) {
  if (points.empty()) return failure(ErrorCode::too_few, "a hull needs at least one point");
  if (points.size() > max_hull_points) {
    return failure(ErrorCode::out_of_range, "a hull takes at most 2^29 points");
  }
  const std::uint32_t limit = options.vertex_limit;
  if (limit != 0 && limit < 4) {
    return failure(ErrorCode::out_of_range, "the vertex limit is 0 (none) or at least 4");
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3& p = points[i];
    if (!is_finite(p)) {
      return failure(ErrorCode::not_finite, nth(i) + " has a coordinate that is not finite");
    }
    if (!tolerance::is_coordinate(p.x) || !tolerance::is_coordinate(p.y) ||
        !tolerance::is_coordinate(p.z)) {
      return failure(ErrorCode::out_of_range,
                     nth(i) + " has a coordinate that is neither 0 nor between 1e-30 and 1e30");
    }
  }
  ConvexHull hull = hull_of(points);
  if (limit == 0 || hull.vertices.size() <= limit) return hull;
  return enclosing_hull(hull, limit);
}

} // namespace carom
