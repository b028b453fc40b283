// How different two placed shapes are as sets: the Hausdorff distance, with a guaranteed error.
//
//   Hausdorff h = hausdorff(scan, pose_a, model, pose_b, {.absolute_error = 0.1});
//   h.a_from_b.value; h.a_from_b.on_a;                   // no point of the scan is much farther from the model, and this one is as far
//   h.value; h.lower_bound; h.upper_bound;               // both ways
//
// verify::check_hausdorff confirms the answer without trusting anything here.
#pragma once

#include "carom/query/answer.h"
#include "carom/shape/shape.h"

namespace [[gnu::visibility("default")]] carom {

/// How near the bounds should come to each other.
struct HausdorffOptions {
  /// upper_bound - lower_bound should be at most the greater of absolute_error, a length, and relative_error * value. Below 1e-12 of the shapes' size and translation it cannot be (1e-10 where one is curved).
  double absolute_error = 0, relative_error = 0.01;
  /// So many points of each shape may be asked for their distance from the other; then the answer is what is known, and its status `wide`. A point costs about a microsecond for surfaces of
  /// triangles, up to ten times that for solids of some kinds.
  int max_points = 300'000;
};

/// For every ordered pair of kinds. Shapes are what they are as sets: a solid's inside belongs to it, so a point inside of a solid B is at distance 0 from it, and the point of a solid A that is farthest from B may be
/// inside of A. A half-space reaches to infinity: it is infinitely far from all but a half-space that is parallel, to within 16 epsilon.
///
/// Time: surfaces of 70,000 triangles, 1 to 150 ms for 1%, the more the closer they are to each other; convex shapes, microseconds to milliseconds; solids that are not convex and shapes that are rounded and not
/// convex, up to a second, where they are searched through by boxes. Allocates.
[[nodiscard]] Hausdorff hausdorff(const Shape& a, const Pose& pose_a, const Shape& b,
                                  const Pose& pose_b, const HausdorffOptions& options = {});

/// One side of it alone: how far A reaches beyond B.
[[nodiscard]] OneSidedHausdorff one_sided_hausdorff(const Shape& a, const Pose& pose_a,
                                                    const Shape& b, const Pose& pose_b,
                                                    const HausdorffOptions& options = {});

} // namespace carom
