// The best separating axis nearby, to rounding: Newton's method on the support function of two cores. Internal to the queries.
//
// Along a unit vector n the cores reach into each other by s(n), the support of A - B: its least value is the depth, or minus the distance. The searches
// for it gain a few bits a step where a core is curved. From an axis that is near enough, this gains twice as many bits with each step.
//
// It is a proposal. What comes back is made of supports: an axis with its reach, and corners of A - B, so it cannot be wrong, only not as good as hoped.
#pragma once

#include "carom/query/core_pair.h"
#include "carom/shape/curvature.h"

#include <array>

namespace [[gnu::visibility("default")]] carom {

/// A corner of A - B, farthest along a unit vector, with the second derivative of its piece of s there (curvature.h).
struct CurvedCorner {
  Vec3 along; ///< in A's frame
  CorePair::Corner corner;
  Mat3 hessian;
};
[[nodiscard]] CurvedCorner curved_corner(const CorePair& pair, const Vec3& along);

/// An axis where s is least nearby, or as near to it as the search came.
struct RefinedAxis {
  Vec3 axis;        ///< a unit vector, in A's frame
  double reach = 0; ///< s there, to within rounding
  /// What carries the axis: corners whose pieces of s meet there (one where s is smooth), and weights so that the sum of weight *
  /// difference is axis * reach, to within what `agreement` allows.
  std::array<CurvedCorner, 3> corners;
  std::array<double, 3> weight{};
  int count = 0;
  int iterations = 0; ///< corners looked for
};

/// From the unit vector `start`, in A's frame, until a step promises no more than `agreement`.
[[nodiscard]] RefinedAxis refine_axis(const CorePair& pair, const Vec3& start, double agreement);

/// The same for where s is smooth, at a fraction of the cost: no corners (count 0) as soon as it turns out not to be.
[[nodiscard]] RefinedAxis smooth_axis(const CorePair& pair, const Vec3& start, double agreement);

/// Whether the new corner is about where the old one's piece says.
[[nodiscard]] bool same_piece(const CorePair& pair, const CurvedCorner& old,
                              const CurvedCorner& now);

} // namespace carom
