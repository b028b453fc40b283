// Points in the world and how far they are from a placed shape of any kind. Internal to hausdorff.
#pragma once

#include "carom/math/pose.h"
#include "carom/math/tolerance.h"
#include "carom/query/pair_cache.h"
#include "carom/shape/shape.h"

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

/// The same point as queries take it: coordinates too small for them are 0, too large ones the greatest.
[[nodiscard]] inline Vec3 askable(Vec3 p) {
  for (int k = 0; k < 3; ++k) {
    if (std::fabs(p[k]) < tolerance::coordinate_min) p[k] = 0;
    p[k] = std::fmin(std::fmax(p[k], -tolerance::coordinate_max), tolerance::coordinate_max);
  }
  return p;
}

/// The nearest point of a placed shape, for point after point. Refers to the shape and the pose.
class NearestOn {
public:
  NearestOn(const Shape& shape, const Pose& pose)
      : shape_(shape), pose_(pose), frame_(pose.frame()) {}

  struct Near {
    /// The distance is between these; 0 inside.
    double lower, upper;
    Vec3 point; ///< in the world; p itself inside
    /// Inside: all points within this of p are inside, too.
    double depth = 0;
  };
  [[nodiscard]] Near operator()(const Vec3& p);

private:
  const Shape& shape_;
  const Pose& pose_;
  Frame frame_;
  PairCache cache_;
};

} // namespace carom
