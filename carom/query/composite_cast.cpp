// The pair of parts that touches first. Where a solid has the other inside at the start, that is the hit; one that has not is entered through its surface.
#include "carom/query/composite_queries.h"
#include "carom/query/part_walk.h"
#include "carom/query/solid_inside.h"

#include <algorithm>

namespace carom {
namespace {

ShapeCast begins_inside(const Vec3& point) {
  ShapeCast c;
  c.hit = c.initial_overlap = true;
  c.t = 0;
  c.on_a = c.on_b = c.point = point;
  return c;
}

} // namespace

ShapeCast composite_shape_cast(const Shape& a, const Pose& pose_a, const Vec3& translation,
                               const Shape& b, const Pose& pose_b,
                               const ShapeCastOptions& options) {
  if (!parts_in_range(a, pose_a) || !parts_in_range(b, pose_b))
    return {.status = Status::bad_input};
  const PartPair pair(a, pose_a, b, pose_b);
  const Opened opened(a, b);
  if (const auto inside = point_inside(a, pair.frame_a(), b, pose_b)) {
    ShapeCast c = begins_inside(inside->point);
    c.part_b = inside->part;
    return c;
  }
  if (const auto inside = point_inside(b, pair.frame_b(), a, pose_a)) {
    ShapeCast c = begins_inside(inside->point);
    c.part_a = inside->part;
    return c;
  }
  PartShape part_a(a, pose_a, opened.a), part_b(b, pose_b, opened.b);
  const Vec3 in_a = pair.frame_a().direction_to_local(translation);
  ShapeCastOptions nearer = options;
  nearer.max_t = std::clamp(options.max_t, 0.0, 1.0);
  ShapeCast best;
  int tried = 0;
  walk_parts(
      PartTree(a, opened.a), PartTree(b, opened.b), nearer.max_t,
      [&](const Aabb& box_a, const Aabb& box_b) { return pair.first_touch(box_a, box_b, in_a); },
      [&](std::uint64_t i, std::uint64_t j, double& limit) {
        part_a.take(i);
        part_b.take(j);
        ++tried;
        const ShapeCast c = shape_cast(part_a.shape(), part_a.pose(), translation, part_b.shape(),
                                       part_b.pose(), nearer);
        if (!c.hit || (best.hit && !(c.t < best.t))) return;
        best = c;
        best.part_a = part_a.id(c.part_a);
        best.part_b = part_b.id(c.part_b);
        nearer.max_t = limit = c.t;
        if (c.t == 0) limit = -INFINITY;
      });
  best.iterations = tried;
  return best;
}

} // namespace carom
