// Whether polygons are convex, and how flat they are. (Polyhedra: polyhedron_kind.h.)
#pragma once

#include "carom/geometry/plane.h"
#include "carom/geometry/polygon.h"
#include "carom/math/vec2.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {

/// A closed outline is convex where it goes once around a convex set. Corners that coincide with their neighbours are passed over.
enum class Convexity {
  not_convex, ///< it turns both ways (dart), goes around twice (pentagram), crosses itself (bowtie), or runs to and fro (zigzag)
  flat,       ///< convex with no area: a point; a segment, out and back once; no corners at all
  weak,       ///< convex, with straight corners, or corners that coincide
  strict,     ///< convex, and every corner turns
};

struct PolygonConvexity {
  Convexity kind = Convexity::not_convex;
  int winding = 0; ///< where weak or strict: 1 counter-clockwise, -1 clockwise; else 0

  [[nodiscard]] constexpr bool convex() const { return kind != Convexity::not_convex; }
};

/// Exact, O(n).
[[nodiscard]] PolygonConvexity convexity(std::span<const Vec2> polygon);

/// A polygon in space that is flat, up to rounding: judged exactly in its projection along the coordinate axis closest to its normal. The
/// winding is that seen from the positive end of that axis. Corners on a line up to rounding have no projection to be trusted: the
/// kind is then that of one of their projections. How flat it is, is for `flatness` to say. O(n).
[[nodiscard]] PolygonConvexity convexity(std::span<const Vec3> polygon);
[[nodiscard]] PolygonConvexity convexity(const Quad& quad);

/// A plane fitted to a polygon, and the greatest distance of a corner from it.
struct Flatness {
  Plane plane; ///< unit normal; the side from which the outline appears counter-clockwise
  double height =
      0; ///< a length, >= 0: 0 for exactly flat corners, but for rounding (8 epsilon times the greatest |coordinate|)
};
/// The plane through the mean of the corners, with the normal of the outline's area (Newell). Where that vanishes (a bowtie), the
/// normal of the widest triangle found at the first corner; for corners on a line, one of the planes through it.
[[nodiscard]] Flatness flatness(std::span<const Vec3> polygon);
[[nodiscard]] Flatness flatness(const Quad& quad);

} // namespace gnu::visibility("default")]]carom
