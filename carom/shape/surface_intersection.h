// Where two surfaces of triangles meet: curves where they cut, points where they touch, areas where they lie in each other. What carom/query finds, and carom/verify checks.
#pragma once

#include "carom/math/vec3.h"
#include "carom/shape/part_id.h"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// A triangle of each surface.
struct TrianglePartPair {
  PartId a, b;

  bool operator==(const TrianglePartPair&) const = default;
};

/// A chain of segments, each where a triangle of A and a triangle of B meet.
struct IntersectionCurve {
  /// Where the segments join. Segment i goes from points[i] to the next; that of the last point, where the curve is closed, to the first.
  std::vector<Vec3> points;
  /// Of each segment: it is all that these two triangles have in common. Where more than two have it in common, because it lies in an edge, they are those whose corners come first.
  std::vector<TrianglePartPair> triangles;
  /// It ends where it began: one segment a point; else one fewer.
  bool closed = false;

  [[nodiscard]] std::size_t segment_count() const { return triangles.size(); }
  [[nodiscard]] const Vec3& begin_of(std::size_t segment) const { return points[segment]; }
  [[nodiscard]] const Vec3& end_of(std::size_t segment) const {
    return points[segment + 1 == points.size() ? 0 : segment + 1];
  }
};

/// A point that is all two triangles have in common, and not a point of a curve or a corner of an area.
struct TouchingPoint {
  Vec3 point;
  TrianglePartPair triangles;
};

/// Two triangles in one plane that have an area in common.
struct CoplanarOverlap {
  TrianglePartPair triangles;
  int count = 0;                ///< of the corners, 3 to 6
  std::array<Vec3, 6> points{}; ///< the first `count`: the corners of a convex polygon, in order

  [[nodiscard]] std::span<const Vec3> corners() const {
    return std::span(points).first(static_cast<std::size_t>(count));
  }
};

/// All of it. Every pair of triangles that meet is in here: the segment they have in common once among the curves, their point among the points, the curves' points or the areas' corners, their
/// area among the overlaps. Triangles whose corners are in the same places are one triangle here; the first of them stands for all.
struct SurfaceIntersection {
  /// Where more than two segments join in a point, curves end there, so a curve is all of what is between such points. A curve that is closed and runs through one begins there.
  std::vector<IntersectionCurve> curves;
  std::vector<TouchingPoint> points;
  std::vector<CoplanarOverlap> overlaps;

  [[nodiscard]] bool empty() const { return curves.empty() && points.empty() && overlaps.empty(); }
  [[nodiscard]] std::size_t segment_count() const {
    std::size_t count = 0;
    for (const IntersectionCurve& c : curves) count += c.segment_count();
    return count;
  }
};

} // namespace carom
