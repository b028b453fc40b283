// The farthest of many points in a direction, by branch and bound over a shallow tree of boxes, eight children a node.
#pragma once

#include "carom/math/vec3.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Built once over fixed points; the queries read only. Each block holds up to eight points (or eight child boxes) in lanes, so that one look is one pass
/// through the lanes.
class SupportTree {
public:
  SupportTree() = default;
  explicit SupportTree(std::span<const Vec3> points);

  /// The index of the point with the greatest d . p, computed as d.x * p.x + d.y * p.y + d.z * p.z in double; of equals, the lowest. 0 where there are no points,
  /// or where d is not finite. The same on every machine and lane width.
  [[nodiscard]] std::uint32_t farthest(const Vec3& d) const;

private:
  // (up to the implementation)
};

} // namespace carom
