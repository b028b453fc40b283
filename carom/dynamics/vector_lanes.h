// Vectors as floats, eight side by side, to find the one that is farthest in a direction. Internal to the world.
#pragma once

#include "carom/math/mat3.h"

#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Places beyond the last repeat it.
struct VectorLanes {
  struct alignas(32) Eight {
    float x[8], y[8], z[8];
  };
  std::vector<Eight> eights;

  void assign(const std::vector<Vec3>& vectors);
  /// All d . v, into as many places as there are lanes.
  void along(const Vec3& d, float* to) const;
  /// The least and the greatest d . v for three directions, columns of a matrix, in floats.
  void span(const Mat3& directions, Vec3& least, Vec3& greatest) const;
  /// The number of the one with the greatest d . v in floats, the first of equals.
  [[nodiscard]] std::uint32_t farthest(const Vec3& d) const;
};

} // namespace carom
