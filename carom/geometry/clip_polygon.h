// Cutting polygons with a plane, without cracks.
//
// The plane is taken to be 2 * thickness thick: a corner within it counts as on the plane. Whether a corner is in front, on or behind
// depends on the corner and the plane only, and where an edge is cut depends on its two ends only, never on the direction in which
// a polygon runs through them. So two polygons that share an edge are cut at the same point, to the bit.
#pragma once

#include "carom/geometry/plane.h"

#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

enum class PlaneSide { on, front, back, straddling };

/// Front is where the normal points to. The plane's normal has unit length; thickness >= 0 is a length. A few epsilon times the
/// greatest |coordinate| of *all* the polygons to be cut is a good one.
[[nodiscard]] PlaneSide classify(const Vec3& corner, const Plane& plane, double thickness);
/// `straddling` where there are corners on both sides, `on` where there are none on either.
[[nodiscard]] PlaneSide classify(std::span<const Vec3> polygon, const Plane& plane,
                                 double thickness);

/// The point of the plane between a corner in front and one behind, always computed from the one in front. It lies in the bounding box of
/// the two, and on the plane to within 8 epsilon times the greatest |coordinate|. (Ends on the same side: one of the two.)
[[nodiscard]] Vec3 cut_edge(const Vec3& in_front, const Vec3& behind, const Plane& plane);

struct PolygonCut {
  PlaneSide side = PlaneSide::on;
  /// How often the outline goes from one side to the other: 0, or 2 for a convex polygon. With 4 and more (a concave polygon) the parts on
  /// a side hang together by edges in the plane that are walked there and back: one ring still, of the right area, not simple.
  int crossings = 0;
};

/// The parts in front of the plane and behind it, as rings in the polygon's own direction. Corners on the plane go to both; so do
/// the points of the cuts. A side on which there is no corner gets nothing, even where the polygon touches the plane; a
/// polygon that is all on the plane goes to both. `polygon` may not refer into `front` or `back`.
PolygonCut split_polygon(std::span<const Vec3> polygon, const Plane& plane, double thickness,
                         std::vector<Vec3>& front, std::vector<Vec3>& back);

/// The part in the half-space alone: the same points as the `back` of a split.
PolygonCut clip_polygon(std::span<const Vec3> polygon, const HalfSpace& half_space,
                        double thickness, std::vector<Vec3>& inside);

} // namespace gnu::visibility("default")]]carom
