// The farthest pair of parts: the walk goes by how far apart points of two boxes may be, the farthest first.
#include "carom/query/composite_queries.h"
#include "carom/query/part_walk.h"

#include <algorithm>

namespace carom {

Span composite_span(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  if (!parts_in_range(a, pose_a) || !parts_in_range(b, pose_b))
    return {.status = Status::bad_input};
  const PartPair pair(a, pose_a, b, pose_b);
  const Opened opened(a, b);
  PartShape part_a(a, pose_a, opened.a), part_b(b, pose_b, opened.b);
  Span best;
  bool any = false;
  int tried = 0;
  walk_parts(
      PartTree(a, opened.a), PartTree(b, opened.b), INFINITY,
      [&](const Aabb& box_a, const Aabb& box_b) { return -pair.reach(box_a, box_b); },
      [&](std::uint64_t i, std::uint64_t j, double& limit) {
        part_a.take(i);
        part_b.take(j);
        ++tried;
        const Span s = span(part_a.shape(), part_a.pose(), part_b.shape(), part_b.pose());
        const double upper = any ? std::max(best.upper_bound, s.upper_bound) : s.upper_bound;
        if (!any || s.value > best.value) best = s;
        best.upper_bound = upper;
        any = true;
        limit = -best.value;
      });
  best.upper_bound = std::max(best.upper_bound, best.value + pair.slack());
  best.iterations = tried;
  return best;
}

} // namespace carom
