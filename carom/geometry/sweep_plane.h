// Anything convex and symmetric about its centre, moving against a plane or a half-space: how far it reaches along the normal is
// all that counts.
#pragma once

#include "carom/geometry/plane.h"
#include "carom/geometry/sweep_axes.h"
#include "carom/math/tolerance.h"

namespace [[gnu::visibility("default")]] carom {
namespace sweep_detail {

/// `deepest` is a point of A, seen from its centre, that lies farthest along the plane's normal: `reach` far. `below` is how far
/// B reaches down along the normal from its surface: 0 for a plane, infinitely for a half-space.
[[nodiscard]] inline Sweep sweep_plane(const Vec3& center, const Vec3& deepest, double reach,
                                       const Vec3& motion, const Plane& b, double below) {
  const double height = b.signed_distance(center);
  const double size = max_abs(center) + max_abs(motion) + max_abs(deepest) + std::fabs(b.offset);
  const AxisSweep axes = cut_axes(motion, {8 * tolerance::epsilon * size, 0}, [&](AxisSweep& s) {
    s.cut(b.normal, {height - reach, height + reach}, {-below, 0});
  });
  const LineSpan span = axes.span();
  const Phase when = phase(span);
  if (when == Phase::miss) return {false, 0, {}, axes.separating_direction(), false};
  const bool start = when == Phase::start;
  const double t = start ? 0 : span.enter;
  const bool above = start ? height >= 0 || below > 0 : dot(span.enter_normal, b.normal) > 0;
  const double now = start ? height : above ? reach : -reach;
  // The point of the surface on the way from the centre to the corner on the other side; within a half-space, the centre.
  const double part = reach > 0 && !(now < 0 && below > 0) ? now / reach : 0;
  return {true, t,
          center + motion * t -
              deepest * (part > 1    ? 1
                         : part < -1 ? -1
                                     : part),
          above ? b.normal : -b.normal, start};
}

} // namespace sweep_detail
} // namespace carom
