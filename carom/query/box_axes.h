// Two boxes projected on their fifteen axes. Internal to the contacts.
#pragma once

#include "carom/geometry/box.h"

namespace [[gnu::visibility("default")]] carom {

/// Where two boxes are, each seen from the other. Arrays, because axes are chosen at run time; the fourth numbers are 0.
struct BoxPair {
  Mat3 axes_a, axes_b; ///< in the world
  Vec3 center_a, center_b;
  double half_a[4], half_b[4];
  double r[3][4];  ///< r[i][j]: axis i of A . axis j of B
  double t_a[4];   ///< from A's centre to B's, along A's axes
  double t_b[4];   ///< from B's centre to A's, along B's axes
  double rounding; ///< how much a gap may be off

  BoxPair(const Obb& a, const Pose& pose_a, const Obb& b, const Pose& pose_b);
};

/// The axis of least overlap. The gap along it is minus the depth of boxes that overlap.
struct BoxAxis {
  enum class Kind { face_a, face_b, edges };
  Kind kind = Kind::face_a;
  int i = 0; ///< the axis of A, where it is a face of A or an edge
  int j = 0; ///< the axis of B, where it is a face of B or an edge
  double gap = 0;
  double n[3];    ///< edges only: a unit vector from A to B, in A's axes
  double on_b[3]; ///< edges only: the same in B's
};

/// Stops at the first gap above `enough`. Of axes that are equally good to within rounding, A's faces come before B's, both before edges, lower numbers first; so
/// the gap is the greatest of all, or less by at most twice the rounding.
[[nodiscard]] BoxAxis best_axis(const BoxPair& pair, double enough);

} // namespace carom
