// Two trees, one seen from the other: in what numbers they are compared. Internal to the traversals.
//
// Both are taken in the larger of their two units, so that all coordinates of things are at most one half; only the distance between the
// centres may be large, and the slack grows with it.
#pragma once

#include "carom/math/pose.h"
#include "carom/tree/tree_frame.h"

namespace [[gnu::visibility("default")]] carom {

struct PairFrame {
  double unit = 1;
  /// What a coordinate in a tree's own units is in the common one: powers of two, one of them 1.
  float scale_a = 1, scale_b = 1;
  /// A point y of B is basis * y + origin in A.
  float basis[3][3] = {};
  float origin[3] = {};
  /// More than a coordinate may be off, in either frame.
  float slack = tree_slack;

  PairFrame(const TreeFrame& a, const TreeFrame& b, const Frame& b_in_a);
};

} // namespace carom
