// A box that moves against a box is a point that moves against the box of differences: each axis of the world gives a span of
// time. The end of a span has two roundings, a difference and a quotient: twice that part of the difference loses no touch of
// edges and corners, and leaves an axis without motion exact.
#include "carom/geometry/sweep_box.h"

#include "carom/geometry/sweep_axes.h"
#include "carom/geometry/sweep_plane.h"

#include <algorithm>

namespace carom {
namespace {

using sweep_detail::AxisSweep;
using sweep_detail::Phase;
using sweep_detail::phase;

AxisSweep cut_box_axes(const Aabb& a, const Vec3& motion, const Aabb& b) {
  return sweep_detail::cut_axes(motion, {0, 2 * tolerance::epsilon}, [&](AxisSweep& axes) {
    for (int i = 0; i < 3; ++i) axes.cut(unit_axis(i), {a.min[i], a.max[i]}, {b.min[i], b.max[i]});
  });
}

// The empty box is apart from everything in every direction.
constexpr Sweep never{false, 0, {}, {1, 0, 0}, false};

// Along which axis, and which way, A leaves B soonest.
Vec3 way_out(const Aabb& a, const Aabb& b) {
  Vec3 best{1, 0, 0};
  double least = INFINITY;
  for (int i = 0; i < 3; ++i) {
    const double up = b.max[i] - a.min[i], down = a.max[i] - b.min[i];
    if (std::min(up, down) < least) {
      least = std::min(up, down);
      best = unit_axis(i) * (up <= down ? 1.0 : -1.0);
    }
  }
  return best;
}

// For a box of any orientation: the corner that is deepest along the normal; the middle of the edge or face where several are.
Sweep sweep_box_plane(const Obb& a, const Vec3& motion, const Plane& b, double below) {
  Vec3 deepest;
  double reach = 0;
  for (int i = 0; i < 3; ++i) {
    const double slope = dot(a.axes[i], b.normal);
    reach += std::fabs(slope) * a.half[i];
    if (slope != 0) deepest += a.axes[i] * (slope > 0 ? a.half[i] : -a.half[i]);
  }
  return sweep_detail::sweep_plane(a.center, deepest, reach, motion, b, below);
}

} // namespace

LineSpan contact_span(const Aabb& a, const Vec3& motion, const Aabb& b) {
  if (a.empty() || b.empty()) return {};
  return cut_box_axes(a, motion, b).span();
}

Sweep sweep(const Aabb& a, const Vec3& motion, const Aabb& b) {
  if (a.empty() || b.empty()) return never;
  const AxisSweep axes = cut_box_axes(a, motion, b);
  const LineSpan span = axes.span();
  const Phase when = phase(span);
  if (when == Phase::miss) return {false, 0, {}, axes.separating_direction(), false};
  const bool start = when == Phase::start;
  const double t = start ? 0 : span.enter;
  const Vec3 low = max(a.min + motion * t, b.min), high = min(a.max + motion * t, b.max);
  return {true, t, low * 0.5 + high * 0.5, start ? way_out(a, b) : span.enter_normal, start};
}

Sweep sweep(const Aabb& a, const Vec3& motion, const Plane& b) {
  return a.empty() ? never : sweep_box_plane(to_obb(a), motion, b, 0);
}

Sweep sweep(const Aabb& a, const Vec3& motion, const HalfSpace& b) {
  return a.empty() ? never : sweep_box_plane(to_obb(a), motion, {b.normal, b.offset}, INFINITY);
}

Sweep sweep(const Obb& a, const Vec3& motion, const Plane& b) {
  return sweep_box_plane(a, motion, b, 0);
}

Sweep sweep(const Obb& a, const Vec3& motion, const HalfSpace& b) {
  return sweep_box_plane(a, motion, {b.normal, b.offset}, INFINITY);
}

} // namespace carom
