// Boxes that grow: all shapes whose boxes are within a distance are measured; where that gives as many as are wanted within the distance, nothing beyond it is nearer. Else the distance is four times as great. So the answer depends on nothing
// but where the shapes are, and a shape far away is measured only where nothing is near.
#include "carom/dynamics/world_near.h"

#include "carom/query/closest_point.h"
#include "carom/query/distance.h"
#include "carom/query/rounded.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <tuple>

namespace carom {
namespace {

constexpr double growth = 4;

template<class Near>
bool before(const Near& a, const Near& b) {
  return std::tuple(a.key, a.shape.body.slot, a.shape.shape) <
         std::tuple(b.key, b.shape.body.slot, b.shape.shape);
}

/// `measure` gives the answer for a shape of the world.
template<class Near, class Measure>
Status look(const World& world, const Aabb& around, std::size_t count, const NearOptions& options,
            const WorldAmong& among, std::vector<Near>& found, const Measure& measure) {
  found.clear();
  if (count == 0) return Status::ok;
  std::vector<WorldShape> near;
  for (double reach = 16 * world.options().margin;; reach *= growth) {
    const bool last = !(reach < options.max_distance) || reach > 8 * farthest_position;
    const double within = std::min(reach, options.max_distance);
    const Vec3 grow = Vec3{1, 1, 1} * (last ? options.max_distance : within);
    boxes_in(world, {around.min - grow, around.max + grow}, near, among);
    found.clear();
    for (const WorldShape& s : near) {
      const Near n = measure(s);
      if (n.key <= (last ? options.max_distance : within)) found.push_back(n);
    }
    if (!last && found.size() < count) continue;
    std::sort(found.begin(), found.end(), before<Near>);
    if (found.size() > count) found.resize(count);
    return Status::ok;
  }
}

const PlacedShape& placed(const World& world, const WorldShape& s) {
  return world.bodies().shape(world.bodies()[s.body.slot].shapes[s.shape]);
}

bool asks_well(const Pose& pose, const NearOptions& options) {
  return in_range(pose) && options.max_distance >= 0;
}

} // namespace

Status nearest(const World& world, const Vec3& p, std::size_t count,
               std::vector<WorldNearPoint>& found, const NearOptions& options,
               const WorldAmong& among) {
  found.clear();
  if (!asks_well(Pose::at(p), options)) return Status::bad_input;
  return look(world, {p, p}, count, options, among, found, [&](const WorldShape& s) {
    const PlacedShape& shape = placed(world, s);
    const SurfacePoint at = closest_point(p, shape.def.shape, shape.world);
    return WorldNearPoint{s, at, at.value};
  });
}

WorldNearPoint nearest(const World& world, const Vec3& p, const NearOptions& options,
                       const WorldAmong& among) {
  std::vector<WorldNearPoint> found;
  const Status status = nearest(world, p, 1, found, options, among);
  if (status == Status::bad_input) return {.surface = {.status = status}};
  return found.empty() ? WorldNearPoint{} : found.front();
}

Status nearest(const World& world, const Shape& shape, const Pose& pose, std::size_t count,
               std::vector<WorldDistance>& found, const NearOptions& options,
               const WorldAmong& among) {
  found.clear();
  if (!asks_well(pose, options)) return Status::bad_input;
  return look(world, bounds(shape, pose), count, options, among, found, [&](const WorldShape& s) {
    const PlacedShape& other = placed(world, s);
    const Distance d = distance(shape, pose, other.def.shape, other.world);
    return WorldDistance{s, d, d.value};
  });
}

WorldDistance nearest(const World& world, const Shape& shape, const Pose& pose,
                      const NearOptions& options, const WorldAmong& among) {
  std::vector<WorldDistance> found;
  const Status status = nearest(world, shape, pose, 1, found, options, among);
  if (status == Status::bad_input) return {.distance = {.status = status}};
  return found.empty() ? WorldDistance{} : found.front();
}

} // namespace carom
