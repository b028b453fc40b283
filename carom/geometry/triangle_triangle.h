// Triangle against triangle: whether they meet, exactly, and in what.
//
// Exact for all triangles of coordinates in range (tolerance.h): coplanar, touching in a vertex or along an edge, slivers, degenerate to
// a segment or a point. Closed sets: touching is meeting. The answers do not depend on the order of the triangles or of their vertices.
#pragma once

#include "carom/geometry/answer.h"
#include "carom/geometry/triangle.h"

#include <array>

namespace [[gnu::visibility("default")]] carom {

/// Whether the triangles have a point in common, exactly.
[[nodiscard]] bool overlaps(const Triangle& a, const Triangle& b);

/// The points common to two triangles: their convex hull is the intersection.
struct TriangleIntersection {
  /// Decided exactly. `none` if and only if `overlaps` says false.
  enum class Kind {
    none,
    point,   ///< 1 point
    segment, ///< 2 points, its ends
    polygon, ///< 3 to 6 points, in order around a convex polygon: only where the triangles are coplanar
  };
  Kind kind = Kind::none;
  int count = 0; ///< how many of the points are in use
  /// Each is a vertex of a triangle, exactly as given, or the crossing of an edge with a plane or an edge, within 8 epsilon of the
  /// greatest |coordinate| of where it really is, in each component, however nearly parallel the two are.
  std::array<Vec3, 6> points{};
};

[[nodiscard]] TriangleIntersection intersect(const Triangle& a, const Triangle& b);

/// The same Boolean as `overlaps`, with a common point (the first of `intersect`) or an axis that separates. The axis' gap is
/// positive in reality; projections in doubles show it to within 8 epsilon of the size. Where the triangles are apart by more
/// than that, the axis shows a gap in doubles, too.
[[nodiscard]] Overlap overlap(const Triangle& a, const Triangle& b);

} // namespace gnu::visibility("default")]]carom
