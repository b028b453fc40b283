// Convex hulls in the plane, exact: every point is a corner of the hull, in its inside, or on its boundary as the real numbers are.
#pragma once

#include "carom/math/scratch.h"
#include "carom/math/vec2.h"

#include <cstddef>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// What happens to points that lie on an edge of the hull, between its corners.
enum class StraightPoints { drop, keep };

/// The convex hull, into `hull`: counter-clockwise from the point of least x (of least y among those), by Andrew's monotone chain.
/// O(n log n). Coincident points count once. All points collinear: the two ends (with `keep`, all of them, in order along the line).
/// One point: itself; none: empty. Points with NaN or infinity are left out.
void convex_hull(std::span<const Vec2> points, std::vector<Vec2>& hull,
                 StraightPoints straight = StraightPoints::drop);
void convex_hull(std::span<const Vec2> points, ScratchVector<Vec2>& hull,
                 StraightPoints straight = StraightPoints::drop);

/// The same hull (straight points dropped) by quickhull: O(n log n) for most inputs, O(n^2) for the worst, no sorting.
void quickhull(std::span<const Vec2> points, std::vector<Vec2>& hull);

/// The index of the point farthest to the left of the line from a to b, strictly: of those equally far, the one farthest along b - a, and
/// the first of equals. points.size() where no point is to the left. Exact. Every point is looked at, the first too.
[[nodiscard]] std::size_t farthest_left_of(const Vec2& a, const Vec2& b,
                                           std::span<const Vec2> points);

} // namespace carom
