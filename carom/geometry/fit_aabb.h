// Boxes along the axes: around points, and around things that move.
//
// Every box here encloses in exact arithmetic: what it bounds, with its doubles taken as real numbers, lies in the box. Ends are rounded
// outward, by the last bit or two, and only where they cannot be held.
//
// Four ways to keep the box of a moving thing, from loose to tight, from cheap to dear:
//   from a bounding sphere   does not depend on the rotation; loose unless the thing is round. A constant cost.
//   from the original box    loose by up to a factor sqrt(3) in each extent. *Always* from the original, at rest: a box made from the last
//                            box instead grows at each turn and never shrinks. A constant cost.
//   by hill climbing         tight; needs the convex hull as a graph. Six short walks where the motion is coherent.
//   from the points          tight. All points, each time.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/hull_climb.h"
#include "carom/geometry/swept_sphere.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {

/// The least box around the points, exactly; empty without any. Points with a NaN are passed over.
[[nodiscard]] Aabb fit_aabb(std::span<const Vec3> points);

/// Around a ball given in the thing's own frame.
[[nodiscard]] Aabb placed_aabb(const Sphere& local, const Frame& frame);
/// Around a box given in the thing's own frame: the least box of its eight placed corners. Empty stays empty.
[[nodiscard]] Aabb placed_aabb(const Aabb& local, const Frame& frame);
/// Around points given in the thing's own frame.
[[nodiscard]] Aabb placed_aabb(std::span<const Vec3> local, const Frame& frame);

/// Keeps the box of a moving hull: the six vertices that touched it last are where the next search starts.
class AabbTracker {
public:
  /// The box of the hull placed by the frame; up to 64 epsilon of the hull's size larger than the tightest. The hull is the same each time.
  [[nodiscard]] Aabb update(const HullGraph& hull, const Frame& frame);
  /// How many vertices the last update looked at.
  [[nodiscard]] std::size_t seen() const { return seen_; }

private:
  HullClimber climber_;
  std::array<std::uint32_t, 6> touching_{};
  std::size_t seen_ = 0;
};

} // namespace carom
