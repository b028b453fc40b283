// Two trees, one seen from the other: in what numbers they are compared. Internal to the traversals.
//
// Both are taken in the larger of their two units, so that all coordinates of things are at most one half; only the distance between the
// centres may be large, and the slack grows with it.
//
// Floats do for trees that are of comparable size, and not farther apart than they are large. Else the slack would be as large as the smaller tree, or as
// the differences between its parts' distances: nothing could be ruled out, and there are billions of pairs. Then it is doubles.
#pragma once

#include "carom/math/pose.h"
#include "carom/tree/tree_frame.h"

namespace [[gnu::visibility("default")]] carom {

template<class Real>
struct PairFrameOf {
  double unit = 1;
  /// What a coordinate in a tree's own units is in the common one: powers of two, one of them 1.
  Real scale_a = 1, scale_b = 1;
  /// A point y of B is basis * y + origin in A.
  Real basis[3][3] = {};
  Real origin[3] = {};
  /// More than a coordinate may be off, in either frame.
  Real slack = tree_slack;
  /// The rounding of corners takes the shape away from both, so small are they for where they are: to tell whether they meet takes all pairs.
  bool blurred = false;
  /// What nearest pairs need not be told apart by, in units: the rounding of corners. Zero for floats, whose slack is more than that, unless blurred.
  double tolerance = 0;

  PairFrameOf(const TreeFrame& a, const TreeFrame& b, const Frame& b_in_a);
};
extern template struct PairFrameOf<float>;
extern template struct PairFrameOf<double>;

using PairFrame = PairFrameOf<float>;

/// Whether floats tell the parts of the smaller tree apart, for a question about distances or one about overlaps.
[[nodiscard]] bool floats_do_for_distance(const PairFrame& f);
[[nodiscard]] bool floats_do_for_overlap(const PairFrame& f);

} // namespace carom
