// Gives equal points one number: vertices of a mesh from corners that each bring their own coordinates.
#pragma once

#include "carom/math/vec3.h"

#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Points are equal where their coordinates are, as numbers: exactly, but 0 equals -0 (the first to come is kept). Points that are near, and not
/// equal, stay apart: welding is another matter. NaN equals nothing.
class VertexPool {
public:
  /// New points are appended to `vertices`, which is empty at first and must outlive the pool.
  explicit VertexPool(std::vector<Vec3>& vertices) : vertices_(vertices), slots_(64, empty) {}

  /// The number of the point. Constant time, on average.
  [[nodiscard]] std::uint32_t number(const Vec3& p);

private:
  static constexpr std::uint32_t empty = 0xffffffffu;

  void grow();

  std::vector<Vec3>& vertices_;
  std::vector<std::uint32_t>
      slots_; ///< numbers by hash, with open addressing; a power of two, at most half full
};

} // namespace carom
