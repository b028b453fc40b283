#include "carom/shape/point_cloud.h"

#include "carom/mesh/mesh_check.h"

namespace carom {

Result<PointCloud> PointCloud::build(std::span<const Vec3> points, const TreeBuild& options) {
  if (points.empty()) return failure(ErrorCode::too_few, "The cloud has no points.");
  if (auto fit = check_coordinates(PolygonSurface{points, {}, {}}); !fit)
    return tl::unexpected(fit.error());
  PointCloud cloud;
  cloud.points_.assign(points.begin(), points.end());
  std::vector<Aabb> boxes;
  boxes.reserve(points.size());
  for (const Vec3& p : points) {
    boxes.push_back({p, p});
    cloud.bounds_.min = min(cloud.bounds_.min, p);
    cloud.bounds_.max = max(cloud.bounds_.max, p);
  }
  cloud.tree_ = WideTree(boxes, options);
  return cloud;
}

} // namespace carom
