// How far apart two boxes are, and when a moving one meets another: lower bounds of the same for what is in them. Internal to the space.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/ray_slabs.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <cmath>

namespace [[gnu::visibility("default")]] carom {

/// The distance of the boxes, rounded down. Either may be infinite.
[[nodiscard]] inline double box_gap(const Aabb& a, const Aabb& b) {
  const auto along = [](double a_min, double a_max, double b_min, double b_max) {
    return std::max({b_min - a_max, a_min - b_max, 0.0});
  };
  const Vec3 gap{along(a.min.x, a.max.x, b.min.x, b.max.x),
                 along(a.min.y, a.max.y, b.min.y, b.max.y),
                 along(a.min.z, a.max.z, b.min.z, b.max.z)};
  // Five roundings, half an epsilon each; and what a square underflows by is less than the root of the least double.
  return std::max(0.0, length(gap) * (1 - 4 * tolerance::epsilon));
}

/// When box a, moved by t * translation, first meets box b, 0 <= t <= t_max, or infinity: as enter() of ray_slabs.h has it. That is where the origin, moved so, meets all differences of a point of b and one of a.
class BoxSweep {
public:
  BoxSweep(const Aabb& box, const Vec3& translation)
      : box_(box), slabs_(Ray{{}, translation}, INFINITY) {}

  [[nodiscard]] double meets(const Aabb& other, double t_max) const {
    RaySlabs slabs = slabs_;
    slabs.t_max = t_max;
    return enter(slabs, {other.min - box_.max, other.max - box_.min});
  }

private:
  Aabb box_;
  RaySlabs slabs_;
};

} // namespace carom
