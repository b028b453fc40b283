// The part of a flat convex polygon that lies in a box: how box tests find a common point. Used by overlap_box*.cpp.
#pragma once

#include "carom/math/vec3.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {

/// A point of the convex polygon within `slack` of the box -half <= x <= half, component by component; false where there is none.
/// At most 4 corners. The point is the mean of the corners of the clipped polygon, and lies in the polygon up to rounding.
///
/// With a slack of a few epsilon of the size it never misses a common point: cutting at half + slack keeps everything
/// within half of a plane in spite of rounding, and a corner made by a cut lies on its edge and on its plane up to rounding, even where
/// those are nearly parallel and its place along the edge is arbitrary.
[[nodiscard]] bool point_in_box(std::span<const Vec3> polygon, const Vec3& half, double slack,
                                Vec3& point);

} // namespace gnu::visibility("default")]]carom
