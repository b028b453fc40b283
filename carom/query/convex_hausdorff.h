// How far a convex shape reaches beyond a convex shape. Internal to hausdorff.
#pragma once

#include "carom/query/hausdorff_search.h"

namespace [[gnu::visibility("default")]] carom {

/// Looks for the point of A that is farthest from B. A is bounded, B perhaps a half-space.
void search_convex(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                   HausdorffBounds& bounds);

} // namespace carom
