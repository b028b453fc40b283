// Every pair of parallel planes is a slab, and cuts the line's interval at both ends. A slab that the line is parallel to cuts all or
// nothing and takes no part in divisions, so there is no 0 * infinity.
//
// Touch. Along the axes of the world an end t = (face - origin) / direction has two roundings, so it is within 2^-52 of itself:
// moving every face outward by twice that part of its distance loses no line that touches an edge or a corner, and leaves parallel
// slabs exact. In other directions the dot products err by some epsilon of the coordinates.
#include "carom/geometry/cast_box.h"

#include "carom/geometry/line_clipper.h"
#include "carom/math/tolerance.h"

#include <algorithm>

namespace carom {
namespace {

using cast_detail::clip_or_touch;
using cast_detail::Clipper;
using tolerance::epsilon;

LineSpan clip_axes(const Line& line, const Aabb& box, double slack) {
  Clipper clipper;
  for (int i = 0; i < 3; ++i) {
    const double above = box.max[i] - line.origin[i];
    const double below = line.origin[i] - box.min[i];
    clipper.cut(above + slack * std::fabs(above), line.direction[i], unit_axis(i));
    clipper.cut(below + slack * std::fabs(below), -line.direction[i], -unit_axis(i));
  }
  return clipper.finish();
}

} // namespace

LineSpan clip(const Line& line, const Aabb& box) {
  if (box.empty()) return {};
  return clip_or_touch(2 * epsilon, [&](double slack) { return clip_axes(line, box, slack); });
}

LineSpan clip(const Line& line, const Obb& box) {
  const Vec3 origin = box.frame().to_local(line.origin);
  const Vec3 direction = box.frame().direction_to_local(line.direction);
  // Four roundings in each local coordinate.
  const double size = max_abs(line.origin - box.center) + max_abs(box.half);
  return clip_or_touch(4 * epsilon * size, [&](double slack) {
    Clipper clipper;
    for (int i = 0; i < 3; ++i) {
      const double half = box.half[i] + slack;
      clipper.cut(half - origin[i], direction[i], box.axes[i]);
      clipper.cut(half + origin[i], -direction[i], -box.axes[i]);
    }
    return clipper.finish();
  });
}

LineSpan clip_slabs(const Line& line, std::span<const Vec3> directions, std::span<const double> min,
                    std::span<const double> max) {
  double size = max_abs(line.origin);
  for (std::size_t i = 0; i < directions.size(); ++i) {
    if (!(min[i] <= max[i])) return {};
    size = std::max({size, std::fabs(min[i]), std::fabs(max[i])});
  }
  return clip_or_touch(4 * epsilon * size, [&](double slack) {
    Clipper clipper;
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const Vec3& n = directions[i];
      const double l = length(n);
      const double at = dot(n, line.origin), speed = dot(n, line.direction);
      clipper.cut(max[i] + slack * l - at, speed, n / l);
      clipper.cut(at + slack * l - min[i], -speed, -n / l);
    }
    return clipper.finish();
  });
}

} // namespace carom
