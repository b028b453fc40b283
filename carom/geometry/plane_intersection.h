// What two and three planes have in common.
//
// Normals may have any length but zero; a unit normal is not assumed. Planes carry rounding in their normals and offsets, so 'parallel'
// and 'the same' are decided to within it: normals whose angle has a sine below `tolerance::plane_parallel_sine` count as parallel, and
// distances below that times the size of the data (divided by the sine between the planes, which magnifies them) count as 0.
#pragma once

#include "carom/geometry/line.h"
#include "carom/geometry/plane.h"

namespace [[gnu::visibility("default")]] carom {

enum class TwoPlanesKind {
  line,
  parallel,   ///< no common point
  coincident, ///< the same plane, facing either way
  degenerate, ///< a normal is zero or not finite: not a plane
};

struct TwoPlanes {
  TwoPlanesKind kind = TwoPlanesKind::degenerate;
  /// Where they meet in a line: the line, with the unit direction of p.normal x q.normal, from its point nearest to the origin. The point
  /// satisfies each plane's equation to within 8 epsilon times its own length and the plane's distance from the origin.
  Line line{};
};

/// `size`: the greatest |coordinate| of the data that the planes were made from, where known; it matters only for telling parallel from
/// coincident. The planes' distances from the origin are always counted in.
[[nodiscard]] TwoPlanes intersect(const Plane& p, const Plane& q, double size = 0);

/// The ways in which three planes can lie.
enum class ThreePlanesKind {
  point,        ///< one common point
  line,         ///< one common line: three through it, or two that coincide and one across
  prism,        ///< nothing in common; each two meet, in three parallel lines
  two_parallel, ///< nothing in common; two are parallel, the third crosses them
  all_parallel, ///< nothing in common; all are parallel, and at most two of them coincide
  coincident,   ///< all three are one plane
  degenerate,   ///< a normal is zero or not finite
};

struct ThreePlanes {
  ThreePlanesKind kind = ThreePlanesKind::degenerate;
  Vec3
      point; ///< where `point`: each component right to a few epsilon of itself, for the planes as given, at any angle
  Line line{}; ///< where `line`: as for two planes, those two that cross at the widest angle
};

[[nodiscard]] ThreePlanes intersect(const Plane& p, const Plane& q, const Plane& r,
                                    double size = 0);

} // namespace carom
