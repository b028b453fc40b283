#include "carom/query/half_space_pair.h"

#include "carom/geometry/overlap.h"
#include "carom/math/tolerance.h"
#include "carom/shape/support.h"

#include <cmath>
#include <utility>

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

/// Along a's normal the shapes are `height` apart; on_b is the point of B that is lowest there.
HalfSpaceAnswer answer(const Border& a, const Vec3& on_b, double size) {
  const Vec3 up = on_b - a.point;
  const double height = dot(a.normal, up);
  const double rounding = 16 * tolerance::epsilon * (size + max_abs(up));
  HalfSpaceAnswer r;
  r.distance = {height, height - rounding, height + rounding, on_b - a.normal * height,
                on_b,   a.normal};
  r.distance.iterations = 1;
  r.common_point = on_b;
  return r;
}

HalfSpaceAnswer against_bounded(const Border& a, const Shape& b, const Pose& pose_b) {
  const Frame frame = pose_b.frame();
  const Vec3 lowest = frame.to_world(support_point(b, frame.direction_to_local(-a.normal)));
  return answer(a, lowest, a.size + b.size() + max_abs(pose_b.position));
}

/// Two half-spaces are apart, or can be moved apart, only where they face each other exactly.
HalfSpaceAnswer against_border(const Border& a, const Border& b) {
  if (a.normal == -b.normal) return answer(a, b.point, a.size + b.size);
  HalfSpaceAnswer r;
  r.distance.value = r.distance.lower_bound = r.distance.upper_bound = -INFINITY;
  r.common_point = overlap(a.half_space(), b.half_space()).point;
  r.distance.on_a = r.distance.on_b = r.common_point;
  return r;
}

HalfSpaceAnswer flipped(HalfSpaceAnswer r) {
  std::swap(r.distance.on_a, r.distance.on_b);
  r.distance.normal = -r.distance.normal;
  return r;
}

} // namespace

HalfSpaceAnswer half_space_pair(const Shape& a, const Pose& pose_a, const Shape& b,
                                const Pose& pose_b) {
  if (!a.bounded() && !b.bounded()) {
    return against_border(border_of(a, pose_a), border_of(b, pose_b));
  }
  if (!a.bounded()) return against_bounded(border_of(a, pose_a), b, pose_b);
  return flipped(against_bounded(border_of(b, pose_b), a, pose_a));
}

} // namespace carom
