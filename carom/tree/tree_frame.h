// Where a tree keeps its floats: in a frame of its own, so that they are small numbers however large, tiny or far away the things are.
//
// A point x of the things is (x - center) / unit in the tree. The unit is a power of two, so dividing by it is exact; all things lie within half a unit of
// the centre on each axis. A float there resolves 2^-25 of the size of the whole.
#pragma once

#include "carom/geometry/box.h"

namespace [[gnu::visibility("default")]] carom {

struct TreeFrame {
  Vec3 center;
  double unit = 1; ///< a power of two
  double per_unit = 1;

  TreeFrame() = default;
  /// For things in these bounds. An empty box is the one around the origin.
  explicit TreeFrame(const Aabb& bounds);

  /// Off by less than 2^-53 for the things themselves.
  [[nodiscard]] constexpr Vec3 to_tree(const Vec3& p) const { return (p - center) * per_unit; }
};

/// What a float near a tree may be off by, all in all, in units: coordinates within two units, through a handful of roundings.
inline constexpr float tree_slack = 0x1p-20F;

} // namespace carom
