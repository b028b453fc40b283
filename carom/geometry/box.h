// Boxes: along the axes of the world, and along their own.
#pragma once

#include "carom/math/mat3.h"
#include "carom/math/pose.h"

#include <array>
#include <cmath>

namespace [[gnu::visibility("default")]] carom {

/// The points min <= x <= max. Flat boxes are legal. The default is the empty box, which contains nothing, overlaps nothing, and
/// vanishes in a merge.
struct Aabb {
  Vec3 min{INFINITY, INFINITY, INFINITY};
  Vec3 max{-INFINITY, -INFINITY, -INFINITY};

  [[nodiscard]] constexpr bool empty() const {
    return !(min.x <= max.x && min.y <= max.y && min.z <= max.z);
  }
  [[nodiscard]] constexpr Vec3 center() const { return min * 0.5 + max * 0.5; }
  /// Half the edge lengths.
  [[nodiscard]] constexpr Vec3 half() const { return max * 0.5 - min * 0.5; }
  /// Corner i: bit 0, 1, 2 chooses the greater x, y, z.
  [[nodiscard]] constexpr Vec3 corner(int i) const {
    return {i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z};
  }
};

/// center + axes * s for all |s| <= half, component by component. The columns of `axes` are orthonormal.
struct Obb {
  Vec3 center;
  Mat3 axes;
  Vec3 half;

  [[nodiscard]] constexpr Frame frame() const { return {axes, center}; }
  /// Corner i: bit 0, 1, 2 chooses the far end of axis 0, 1, 2.
  [[nodiscard]] constexpr Vec3 corner(int i) const {
    return center + axes * Vec3{i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                                i & 4 ? half.z : -half.z};
  }
};

/// The same set of points.
[[nodiscard]] constexpr Obb to_obb(const Aabb& box) {
  return {box.center(), Mat3::identity(), box.half()};
}

} // namespace carom
