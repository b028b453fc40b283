// Simple hulls around more complicated ones: what a vertex limit asks for. A part of convex_hull.h.
#pragma once

#include "carom/math/result.h"
#include "carom/mesh/convex_hull.h"

#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// A solid of at most `limit` vertices (4 or more) around a flat or solid hull that has more, with its `growth`. Errors: as convex_hull.
[[nodiscard]] Result<ConvexHull> enclosing_hull(const ConvexHull& hull, std::uint32_t limit);

namespace hull_limit {

/// A vertex proposed for the simpler hull.
struct Candidate {
  Vec3 at;
  std::uint32_t source = 0; ///< the input point that it comes from
};

/// The hull of the candidates, which is around `hull` to within rounding: drawn in where it has room to spare, enlarged just so much that
/// `hull` is inside, which is confirmed exactly, and its growth measured.
[[nodiscard]] Result<ConvexHull> confirmed(std::span<const Candidate> candidates,
                                           const ConvexHull& hull);

/// A pyramid of `limit` corners, good around hulls that are flat like a plate. Its base is a polygon around the hull, seen along the
/// normal, just below it, and its tip is above; as low as it can be without making the base much larger.
[[nodiscard]] Result<ConvexHull> pyramid_around(const ConvexHull& hull, const Vec3& normal,
                                                std::uint32_t limit);

/// A tetrahedron along the hull, good around those that are thin like a needle, and possible around all.
[[nodiscard]] Result<ConvexHull> spike_around(const ConvexHull& hull);

} // namespace hull_limit
} // namespace carom
