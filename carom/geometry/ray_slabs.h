// The quick question that trees ask millions of times: may this ray hit that box?
//
// The direction's reciprocal is computed once for a ray, and each box costs six multiplications. The answer is *conservative*: a ray that
// touches the box, or misses it by no more than rounding, is never told no; a 'yes' may be off by a few epsilon of the
// coordinates. Where the answer itself matters, cast(ray, box) (cast_box.h) has it.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/line.h"

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

/// A ray, made ready for boxes: the points origin + t direction, 0 <= t <= t_max.
struct RaySlabs {
  Vec3 origin;
  Vec3 inverse; ///< 1 / direction: infinite, with the sign of the zero, where a component is zero
  double t_max;

  explicit RaySlabs(const Ray& ray, double limit = INFINITY)
      : origin(ray.origin), inverse{1 / ray.direction.x, 1 / ray.direction.y, 1 / ray.direction.z},
        t_max(limit) {}
};

/// (face - origin) * inverse has three roundings: t is right to within 1.5 epsilon of itself. Both ends of an interval may be off, so
/// the far one is moved out by twice that, and a bit.
inline constexpr double slab_widening = 1 + 4 * 0x1p-52;

/// Where the ray enters a box: t, at least 0, or infinity where it misses. Good for sorting boxes near to far.
///
/// A component of the direction that is zero gives infinite ends, on the right sides, or 0 * infinity where the origin lies on a face.
/// That NaN fails every comparison and so cuts nothing: on the face is in the box.
[[nodiscard]] inline double enter(const RaySlabs& ray, const Aabb& box) {
  double low = 0, high = ray.t_max * slab_widening;
  const auto cut = [&](double origin, double inverse, double min, double max) {
    const bool back = std::signbit(inverse);
    const double near = ((back ? max : min) - origin) * inverse;
    const double far = ((back ? min : max) - origin) * inverse * slab_widening;
    low = near > low ? near : low;
    high = far < high ? far : high;
  };
  cut(ray.origin.x, ray.inverse.x, box.min.x, box.max.x);
  cut(ray.origin.y, ray.inverse.y, box.min.y, box.max.y);
  cut(ray.origin.z, ray.inverse.z, box.min.z, box.max.z);
  return low <= high ? low : INFINITY;
}

} // namespace carom
