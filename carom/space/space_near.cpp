// Boxes near ones first; of each the distance itself, which lowers the limit.
#include "carom/space/space_near.h"

#include "carom/query/closest_point.h"
#include "carom/query/distance.h"
#include "carom/query/rounded.h"
#include "carom/shape/support.h"
#include "carom/space/candidates.h"

#include <algorithm>

namespace carom {
namespace {

bool asks_well(const Pose& pose, const NearOptions& options) {
  return in_range(pose) && options.max_distance >= 0;
}

template<class Best>
Status look_from(const Space& space, const Vec3& p, const NearOptions& options, const Among& among,
                 Best& best) {
  if (!asks_well(Pose::at(p), options)) return Status::bad_input;
  visit_near(space, {p, p}, best.limit(), among, [&](std::uint32_t slot, double gap) {
    const SpaceObject& object = space.object_at(slot);
    const SurfacePoint s = closest_point(p, object.shape, object.pose);
    best.take({space.id_at(slot), s, gap > 0 ? std::max(s.value, gap) : s.value});
    // Inside of an object, others may contain the point, too.
    return best.limit() < 0 ? 0 : best.limit();
  });
  return Status::ok;
}

template<class Best>
Status look_from(const Space& space, const Shape& shape, const Pose& pose,
                 const NearOptions& options, const Among& among, Best& best) {
  if (!asks_well(pose, options)) return Status::bad_input;
  visit_near(space, bounds(shape, pose), best.limit(), among, [&](std::uint32_t slot, double gap) {
    const SpaceObject& object = space.object_at(slot);
    // Many parts: whether it can matter at all is found sooner than how far it is. The answer itself is asked for without a limit, so that it does not depend on what was found before.
    if (!shape.convex() || !object.shape.convex()) {
      const Distance first =
          distance(shape, pose, object.shape, object.pose, {.limit = best.limit()});
      if (first.lower_bound > best.limit()) return best.limit();
    }
    const Distance d = distance(shape, pose, object.shape, object.pose);
    best.take({space.id_at(slot), d, std::max(d.value, gap)});
    return best.limit();
  });
  return Status::ok;
}

} // namespace

SpaceNearPoint nearest(const Space& space, const Vec3& p, const NearOptions& options,
                       const Among& among) {
  BestHit<SpaceNearPoint> best(options.max_distance);
  const Status status = look_from(space, p, options, among, best);
  if (status == Status::bad_input) return {.surface = {.status = status}};
  return best.best();
}

Status nearest(const Space& space, const Vec3& p, std::size_t count,
               std::vector<SpaceNearPoint>& found, const NearOptions& options, const Among& among) {
  BestHits<SpaceNearPoint> best(found, count, options.max_distance);
  const Status status = look_from(space, p, options, among, best);
  best.sort();
  return status;
}

SpaceDistance nearest(const Space& space, const Shape& shape, const Pose& pose,
                      const NearOptions& options, const Among& among) {
  BestHit<SpaceDistance> best(options.max_distance);
  const Status status = look_from(space, shape, pose, options, among, best);
  if (status == Status::bad_input) return {.distance = {.status = status}};
  return best.best();
}

Status nearest(const Space& space, const Shape& shape, const Pose& pose, std::size_t count,
               std::vector<SpaceDistance>& found, const NearOptions& options, const Among& among) {
  BestHits<SpaceDistance> best(found, count, options.max_distance);
  const Status status = look_from(space, shape, pose, options, among, best);
  best.sort();
  return status;
}

} // namespace carom
