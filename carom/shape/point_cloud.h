// Points, each with the same ball around it: what a depth camera or a laser gives.
#pragma once

#include "carom/math/result.h"
#include "carom/tree/wide_tree.h"

#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// The radius is the shape's rounding: the cloud itself is points.
class PointCloud {
public:
  /// Points may coincide. Errors: too_few where there is none; not_finite, out_of_range.
  [[nodiscard]] static Result<PointCloud> build(std::span<const Vec3> points,
                                                const TreeBuild& options = {});

  [[nodiscard]] std::span<const Vec3> points() const { return points_; }
  [[nodiscard]] const WideTree& tree() const { return tree_; }
  [[nodiscard]] const Aabb& bounds() const { return bounds_; }

private:
  std::vector<Vec3> points_;
  WideTree tree_;
  Aabb bounds_;
};

} // namespace carom
