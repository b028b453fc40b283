// Vectors as floats, eight side by side, to find the one that is farthest in a direction. Internal to the world.
#pragma once

#include "carom/math/mat3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Of memory that others keep.
struct VectorLanes {
  struct alignas(32) Eight {
    float x[8], y[8], z[8];
  };
  std::span<const Eight> eights;

  /// Lanes of vectors, less an origin. Places beyond the last repeat it.
  [[nodiscard]] static std::vector<Eight> of(std::span<const Vec3> vectors, const Vec3& origin);
  /// One of them: three floats.
  void copy(std::size_t i, float* to) const {
    const Eight& e = eights[i / 8];
    to[0] = e.x[i % 8];
    to[1] = e.y[i % 8];
    to[2] = e.z[i % 8];
  }
  /// All d . v, into as many places as there are lanes.
  void along(const Vec3& d, float* to) const;
  /// The least and the greatest d . v for three directions, columns of a matrix, in floats.
  void span(const Mat3& directions, Vec3& least, Vec3& greatest) const;
  /// Of normals of planes, with as many offsets as there are lanes, aligned as they are: how far three points, nine floats, are beyond the plane that all are farthest beyond.
  [[nodiscard]] float beyond(const float* offsets, const float* points) const;
  /// The number of the one with the greatest d . v in floats, the first of equals.
  [[nodiscard]] std::uint32_t farthest(const Vec3& d) const;
};

} // namespace carom
