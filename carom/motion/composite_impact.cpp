// The pair of parts that meets first. Boxes around groups of parts are followed through time as convex sets are; the time when they may first be too near is where the next look begins.
#include "carom/motion/impact_search.h"
#include "carom/motion/moving_boxes.h"
#include "carom/query/part_walk.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Boxes are measured so often: then they are opened.
constexpr int box_looks = 3;

} // namespace

TimeOfImpact impact_between(const Shape& a, const Motion& motion_a, const Shape& b,
                            const Motion& motion_b, const ImpactQuestion& question,
                            PairCache& cache) {
  if (a.convex() && b.convex()) return convex_impact(a, motion_a, b, motion_b, question, cache);
  const Opened opened(a, b);
  PartShape part_a(a, motion_a.start, opened.a), part_b(b, motion_b.start, opened.b);
  MovingBoxes boxes(a, motion_a, b, motion_b, question.margin + 0.5 * question.error);
  ImpactQuestion earlier = question;
  earlier.at_from = nullptr;
  TimeOfImpact best;
  int tried = 0;
  walk_parts(
      PartTree(a, opened.a), PartTree(b, opened.b), question.until,
      [&](const Aabb& box_a, const Aabb& box_b, double known) {
        return boxes.clear_until(box_a, box_b, std::max(known, question.from), earlier.until,
                                 box_looks);
      },
      [&](std::uint64_t i, std::uint64_t j, double known, double& limit) {
        part_a.take(i);
        part_b.take(j);
        ++tried;
        PairCache own;
        earlier.from = std::max(known, question.from);
        const TimeOfImpact found =
            impact_between(part_a.shape(), of_part(motion_a, part_a.pose()), part_b.shape(),
                           of_part(motion_b, part_b.pose()), earlier, own);
        if (!found.hit || (best.hit && !(found.t < best.t))) return;
        best = found;
        best.part_a = part_a.id(found.part_a);
        best.part_b = part_b.id(found.part_b);
        earlier.until = limit = found.t;
        if (found.t <= question.from) limit = -INFINITY;
      });
  best.iterations = tried;
  return best;
}

} // namespace carom
