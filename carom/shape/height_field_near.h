// What of a height field is near: in a box, or nearest to a point. All in the field's own frame, and without taking memory.
#pragma once

#include "carom/shape/height_field.h"
#include "carom/tree/function_ref.h"
#include "carom/tree/triangle_nearest.h"

namespace [[gnu::visibility("default")]] carom {

/// Calls `visit` for every triangle whose own box touches the given one, in no order that means anything, always the same. It may return false to end the search; then
/// so does this.
bool visit_triangles(const HeightField& field, const Aabb& box,
                     FunctionRef<bool(std::uint32_t triangle)> visit);

/// The nearest one at most max_distance away, by closest_point(p, triangle); none where there is none, and for a point that is not finite or beyond 8e30 (points in range, seen from a frame in range, are not). Of those at
/// the same distance the one of the lowest number. From farther away than 2^14 times the field's size many are at the same distance but for rounding: there it is one
/// whose distance is the least to within 2^-47 of it.
[[nodiscard]] NearTriangle nearest_triangle(const HeightField& field, const Vec3& p,
                                            double max_distance = INFINITY);

} // namespace carom
