// A pose moved by a translation. Internal to the queries.
#pragma once

#include "carom/math/pose.h"
#include "carom/math/tolerance.h"

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

/// A coordinate that comes out too small to be one (tolerance.h) is 0.
[[nodiscard]] inline Pose moved(const Pose& pose, const Vec3& t) {
  Pose result{pose.rotation, pose.position + t};
  for (int k = 0; k < 3; ++k)
    if (std::fabs(result.position[k]) < tolerance::coordinate_min) result.position[k] = 0;
  return result;
}

} // namespace carom
