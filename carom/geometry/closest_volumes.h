// The nearest points of two bounding volumes of a kind. (Whether they meet at all: overlap_*.h.)
//
// Where the volumes overlap, both points are one common point and the distance is 0. Points lie in the volumes, and distances are right, to within
// 64 epsilon of the greatest |coordinate|. Where one is empty the distance is infinite.
#pragma once

#include "carom/geometry/answer.h"
#include "carom/geometry/box.h"
#include "carom/geometry/kdop.h"
#include "carom/geometry/swept_sphere.h"

namespace [[gnu::visibility("default")]] carom {

[[nodiscard]] ClosestPair closest_points(const Sphere& a, const Sphere& b);
[[nodiscard]] ClosestPair closest_points(const Capsule& a, const Capsule& b);
[[nodiscard]] ClosestPair closest_points(const Lozenge& a, const Lozenge& b);
[[nodiscard]] ClosestPair closest_points(const Aabb& a, const Aabb& b);
[[nodiscard]] ClosestPair closest_points(const Obb& a, const Obb& b);
/// By their corners: some microseconds. For K = 6, 14, 18, 26.
template<int K>
[[nodiscard]] ClosestPair closest_points(const Kdop<K>& a, const Kdop<K>& b);

} // namespace carom
