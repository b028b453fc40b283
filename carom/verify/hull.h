// Is this the convex hull of these points? Exact, and by other means than those that build it.
#pragma once

#include "carom/mesh/convex_hull.h"
#include "carom/verify/check.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// The arrays fit together: sizes, ranges, twins, one ring of faces around each vertex, Euler's formula; numbered as convex_hull.h promises
/// (but for `source`). Nothing about where the vertices are.
[[nodiscard]] Verdict check_hull_topology(const ConvexHull& hull);

/// The topology; every face exactly flat and strictly convex; every edge strictly convex; the whole convex. Then every vertex is extreme.
[[nodiscard]] Verdict check_hull_shape(const ConvexHull& hull);

/// The shape; and every point is in the hull, exactly, on its boundary at most. Points that are vertices are known to be; for the others
/// every face is asked: O(points * faces).
[[nodiscard]] Verdict check_hull_encloses(std::span<const Vec3> points, const ConvexHull& hull);

/// All of that, with every vertex an input point, the first of equals: the hull of the points, and nothing else.
[[nodiscard]] Verdict check_hull(std::span<const Vec3> points, const ConvexHull& hull);

} // namespace verify
} // namespace carom
