// How far one of two solids has to be moved to separate them, where neither needs to be convex. Internal to penetration.
//
// Let t be a translation of B. The translations that leave A and B overlapping are the points of an open set, the interior of A - B; the depth is the distance from the origin to its complement. The
// set is not convex, and as complicated as A and B together. It is enclosed from both sides:
//   below  For convex pieces P of A and Q of B the set contains the interior of P - Q. Around the origin, space is divided into cells; a cell that is in one P - Q is done with. The nearest of
//          the cells that are left proves the lower bound.
//   above  A translation is outside where A and the moved B are apart, by their distance. Cells that are left are where to look for one: from there B is moved back, toward where it came from, until it touches.
// The search goes on from the nearest cell that is left, and ends where the bounds are near enough to each other.
#pragma once

#include "carom/geometry/swept_sphere.h"
#include "carom/query/answer.h"
#include "carom/shape/shape.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// What is asked of a solid: convex pieces inside it, and a convex shape around it, in its own frame. A convex shape is both itself.
struct SolidOperand {
  std::span<const Shape> pieces;
  Shape hull;
  Pose pose;
};

/// How A and the moved B are apart, or not.
struct Separation {
  double lower = 0;      ///< not more than their distance; 0 where they may overlap
  Vec3 normal{1, 0, 0};  ///< from A to B where they are nearest, a unit vector
  Vec3 on_a{}, on_b{};   ///< points there, of A and of the moved B, in the world
};
/// Of A, and of B moved by `t`. `lower` is at least 1 - relative_error of the distance; where B is inside of A or A of B, 0.
using SeparationAt = std::function<Separation(const Vec3& t, double relative_error)>;

/// A ball in A, and one in B where it stands (not moved), in the world.
struct BallPair {
  Sphere a, b;
};
/// Balls in A and B whose difference has `t` inside, as deep as can be found, or `enough`; none where none is found, or A and the moved B do not overlap.
using BallsAt = std::function<std::optional<BallPair>(const Vec3& t, double enough)>;

struct SolidPenetrationOptions {
  /// The search may end where upper_bound / lower_bound is at most this.
  double ratio = 1.25;
  /// So many cells are looked at, at most.
  int most_cells = 600;
  /// So often balls are asked for, at most.
  int most_balls = 24;
};

/// The bounds are as near as the search got them, and the status `wide` where they are farther apart than penetration promises for convex shapes. `pose` of both is in range.
[[nodiscard]] Penetration solid_penetration(const SolidOperand& a, const SolidOperand& b,
                                            const SeparationAt& apart,
                                            const BallsAt& balls,
                                            const SolidPenetrationOptions& options = {});

} // namespace carom
