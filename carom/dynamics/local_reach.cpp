#include "carom/dynamics/local_reach.h"

#include "carom/dynamics/surface_triangles.h"
#include "carom/geometry/overlap_box.h"
#include "carom/math/scratch.h"
#include "carom/shape/parts.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <array>

namespace carom {
namespace {

/// A triangle has at most one corner more for each side of the box.
struct Cut {
  std::array<Vec3, 9> corners{};
  std::size_t count = 0;

  explicit Cut(const Triangle& t) : corners{t.a, t.b, t.c}, count(3) {}
  /// Leaves what has at least this height: the corner's coordinate, or its opposite.
  void keep_above(int axis, double sign, double least) {
    std::array<Vec3, 9> kept{};
    std::size_t number = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3 &p = corners[i], &q = corners[i + 1 == count ? 0 : i + 1];
      const double here = sign * p[axis] - least, there = sign * q[axis] - least;
      if (here >= 0) kept[number++] = p;
      if ((here >= 0) != (there >= 0) && number < kept.size())
        kept[number++] = p + (q - p) * (here / (here - there));
    }
    corners = kept;
    count = number;
  }
};

double reach_of(const Triangle& t, const Aabb& box, const Vec3& along) {
  Cut cut(t);
  for (int axis = 0; axis < 3 && cut.count > 0; ++axis) {
    cut.keep_above(axis, 1, box.min[axis]);
    cut.keep_above(axis, -1, -box.max[axis]);
  }
  double most = -INFINITY;
  for (std::size_t i = 0; i < cut.count; ++i) most = std::max(most, dot(along, cut.corners[i]));
  return most;
}

/// Of one part of the shape, in its frame.
double reach_of_part(const Shape& shape, std::uint64_t number, const Vec3& along, const Vec3& place,
                     double around) {
  if (const auto* compound = body_of<Compound>(shape)) {
    const CompoundPart& part = compound->parts()[number];
    return reach_near(part.shape, part.pose, along, place, around);
  }
  const Vec3 room{around, around, around};
  const Aabb box{place - room, place + room};
  if (const auto* cloud = body_of<PointCloud>(shape)) {
    const Vec3& p = cloud->points()[number];
    return overlaps(Aabb{p, p}, box) ? dot(along, p) : -INFINITY;
  }
  return reach_of(triangle_of(shape, static_cast<std::uint32_t>(number)), box, along);
}

} // namespace

double reach_near(const Shape& shape, const Pose& pose, const Vec3& along, const Vec3& place,
                  double around) {
  const Frame frame = pose.frame();
  const Vec3 d = frame.direction_to_local(along), at = frame.to_local(place);
  const double offset = dot(along, frame.origin);
  if (shape.convex()) return offset + dot(d, support_point(shape, d));
  const double more = around + shape.rounding();
  const Vec3 room{more, more, more};
  const Aabb box{at - room, at + room};
  const PartTree tree(shape);
  ScratchVector<PartGroup> waiting(1, tree.whole());
  PartTree::Children children;
  double most = -INFINITY;
  while (!waiting.empty()) {
    const PartGroup next = waiting.back();
    waiting.pop_back();
    if (!overlaps(next.box, box)) continue;
    if (next.single) {
      most = std::max(most, reach_of_part(shape, next.place, d, at, more));
      continue;
    }
    const std::size_t count = tree.open(next, children);
    waiting.insert(waiting.end(), children.begin(),
                   children.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return offset + most + shape.rounding();
}

} // namespace carom
