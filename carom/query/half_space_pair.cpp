#include "carom/query/half_space_pair.h"

#include "carom/geometry/overlap.h"
#include "carom/math/tolerance.h"
#include "carom/shape/support.h"

#include <algorithm>

namespace carom {
namespace {

/// A placed half-space with a unit normal, its rounding included, and the point that its offset was measured from.
struct Border {
  Vec3 normal;
  Vec3 point; ///< on the border
  double size;

  [[nodiscard]] HalfSpace half_space() const { return {normal, dot(normal, point)}; }
};

Border border_of(const Shape& shape, const Pose& pose) {
  const HalfSpace& h = std::get<HalfSpace>(shape.core());
  const Frame frame = pose.frame();
  const Vec3 normal = normalized(h.normal);
  const Vec3 local = normal * (h.offset / length(h.normal) + shape.rounding());
  const Vec3 world = normalized(frame.direction_to_world(normal));
  return {world, frame.to_world(local), shape.size() + max_abs(pose.position)};
}

/// The nearest points of a half-space A and a bounded B: B's lowest point and the point of the border below it.
Distance to_bounded(const Border& a, const Shape& b, const Pose& pose_b) {
  const Frame frame = pose_b.frame();
  const Vec3 lowest = frame.to_world(support_point(b, frame.direction_to_local(-a.normal)));
  const double height = dot(a.normal, lowest - a.point);
  const double rounding =
      16 * tolerance::epsilon *
      (a.size + b.size() + max_abs(pose_b.position) + max_abs(lowest - a.point));
  Distance d;
  d.value = std::max(0.0, height);
  d.lower_bound = std::max(0.0, height - rounding);
  d.on_b = lowest;
  d.on_a = height > 0 ? lowest - a.normal * height : lowest;
  d.normal = a.normal;
  d.iterations = 1;
  return d;
}

Distance flipped(Distance d) {
  std::swap(d.on_a, d.on_b);
  d.normal = -d.normal;
  return d;
}

/// Two half-spaces are apart only where they face each other exactly.
Distance between_borders(const Border& a, const Border& b) {
  Distance d;
  if (a.normal == -b.normal) {
    const double height = dot(a.normal, b.point - a.point);
    const double rounding = 16 * tolerance::epsilon * (a.size + b.size);
    d.value = std::max(0.0, height);
    d.lower_bound = std::max(0.0, height - rounding);
    d.normal = a.normal;
    d.on_b = b.point;
    d.on_a = height > 0 ? b.point - a.normal * height : b.point;
    return d;
  }
  const Overlap common = overlap(a.half_space(), b.half_space());
  d.on_a = d.on_b = common.point;
  return d;
}

} // namespace

Distance half_space_distance(const Shape& a, const Pose& pose_a, const Shape& b,
                             const Pose& pose_b) {
  if (!a.bounded() && !b.bounded()) {
    return between_borders(border_of(a, pose_a), border_of(b, pose_b));
  }
  if (!a.bounded()) return to_bounded(border_of(a, pose_a), b, pose_b);
  return flipped(to_bounded(border_of(b, pose_b), a, pose_a));
}

} // namespace carom
