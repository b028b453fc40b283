#include "carom/shape/composite_support.h"

#include "carom/math/scratch.h"
#include "carom/math/tolerance.h"
#include "carom/shape/parts.h"
#include "carom/shape/support.h"

namespace carom {
namespace {

double greatest_along(const Vec3& d, const Aabb& box) {
  return dot(d, box.center()) + dot(abs(d), box.half());
}

} // namespace

Vec3 farthest_of_parts(const Shape& shape, const Vec3& d) {
  const PartTree tree(shape);
  const Pose unplaced;
  PartShape part(shape, unplaced);
  const double slack = 64 * tolerance::epsilon * shape.size() * max_abs(d);
  double best = -INFINITY;
  Vec3 farthest;
  ScratchVector<PartGroup> waiting = {tree.whole()};
  PartTree::Children children;
  while (!waiting.empty()) {
    const PartGroup next = waiting.back();
    waiting.pop_back();
    if (greatest_along(d, next.box) + slack <= best) continue;
    if (!next.single) {
      const std::size_t count = tree.open(next, children);
      waiting.insert(waiting.end(), children.begin(),
                     children.begin() + static_cast<std::ptrdiff_t>(count));
      // The one that reaches farthest goes first; the order of the others does not matter much.
      std::size_t last = waiting.size() - 1;
      for (std::size_t i = waiting.size() - count; i < waiting.size(); ++i)
        if (greatest_along(d, waiting[i].box) > greatest_along(d, waiting[last].box)) last = i;
      std::swap(waiting[last], waiting.back());
      continue;
    }
    part.take(next.place);
    const Frame frame = part.pose().frame();
    const Vec3 p = frame.to_world(support_point(part.shape(), frame.direction_to_local(d)));
    const double along = dot(d, p);
    if (!(along > best)) continue;
    best = along;
    farthest = p;
  }
  return farthest;
}

} // namespace carom
