// Simple hulls around more complicated ones: what a vertex limit asks for. A part of convex_hull.h.
#pragma once

#include "carom/math/result.h"
#include "carom/mesh/convex_hull.h"

#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {
namespace hull_limit {

/// A vertex proposed for the simpler hull, and where it comes from.
struct Candidate {
  Vec3 at;
  std::uint32_t source = 0; ///< an input point
  Vec3 from;                ///< a point in the hull of the input,
  double slack = 0;         ///< or no farther from it than this
};

/// The hull of the candidates, enlarged about their mean just so much that all the points are inside: by rounding only, where the
/// candidates are right. Confirmed exactly. out_of_range where that would be beyond Carom's range; degenerate where no reasonable
/// enlargement helps.
[[nodiscard]] Result<ConvexHull> confirmed(std::span<const Candidate> candidates,
                                           std::span<const Vec3> points);

/// Around a set of points that is flat, or nearly: a pyramid of `limit` corners. Its base is a polygon around the points, seen along the
/// normal, just below them, and its tip is above; as low as it can be without making the base much larger.
[[nodiscard]] Result<ConvexHull> pyramid_around(std::span<const Vec3> points,
                                                std::span<const std::uint32_t> source,
                                                const Vec3& normal, std::uint32_t limit);

} // namespace hull_limit

/// A hull around `core` and the points numbered in `outside` with the number of vertices that `core` has, or `limit`. All of the vertices of
/// `core` are among the points.
[[nodiscard]] Result<ConvexHull> enclosing_hull(const ConvexHull& core,
                                                std::span<const Vec3> points,
                                                std::span<const std::uint32_t> outside,
                                                std::uint32_t limit);

/// A thin solid around a flat hull that has more vertices than `limit`.
[[nodiscard]] Result<ConvexHull> enclosing_hull_of_polygon(const ConvexHull& polygon,
                                                           std::uint32_t limit);

} // namespace carom
