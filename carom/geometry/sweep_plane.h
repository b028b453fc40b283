// Anything convex and symmetric about its centre, moving against a plane or a half-space: how far it reaches along the normal is all that counts.
#pragma once

#include "carom/geometry/plane.h"
#include "carom/geometry/sweep_axes.h"
#include "carom/math/tolerance.h"

namespace [[gnu::visibility("default")]] carom {
namespace sweep_detail {

/// `deepest` is a point of A, seen from its centre, that lies farthest along the plane's normal: `reach` far. `below` is how far B reaches down
/// along the normal from its surface: 0 for a plane, infinitely for a half-space.
[[nodiscard]] inline Sweep sweep_plane(const Vec3& center, const Vec3& deepest, double reach,
                                       const Vec3& motion, const Plane& b, double below) {
  const double height = b.signed_distance(center);
  const double size =
      max_abs(center) + max_abs(motion) + max_abs(deepest) + std::fabs(b.offset);
  const AxisSweep axes = cut_axes(motion, {8 * tolerance::epsilon * size, 0}, [&](AxisSweep& s) {
    s.cut(b.normal, {height - reach, height + reach}, {-below, 0});
  });
  const LineSpan span = axes.span();
  const Phase when = phase(span);
  if (when == Phase::miss) return {false, 0, {}, axes.separating_direction(), false};
  const double t = when == Phase::start ? 0 : span.enter;
  const double now = when == Phase::start ? height : span.enter_normal == b.normal ? reach : -reach;
  const Vec3 normal = now >= 0 || below > 0 ? b.normal : -b.normal;
  // On the way from the centre to the point that is deepest on the other side, the one on the surface.
  const double part = now < 0 && below > 0 ? 0 : reach > 0 ? now / reach : 0;
  return {true, t, center + motion * t - deepest * (part > 1 ? 1 : part < -1 ? -1 : part), normal,
          when == Phase::start};
}

} // namespace sweep_detail
} // namespace carom
