// How far any shape reaches beyond any other, by boxes. Internal to hausdorff.
#pragma once

#include "carom/query/hausdorff_search.h"

namespace [[gnu::visibility("default")]] carom {

/// Looks for the point of A that is farthest from B; both of any kind, A bounded. Slower than the searches that know more of the shapes.
void search_cells(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  HausdorffBounds& bounds);

} // namespace carom
