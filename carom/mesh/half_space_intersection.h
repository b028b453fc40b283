// The corners and faces of a convex solid that is given by its faces' planes: from n . x <= d for each face to a hull.
//
// This is what level editors call a brush. The half-spaces are taken as exact real numbers; their normals have any length but zero.
// Duplicate, redundant and touching half-spaces are legal and change nothing.
#pragma once

#include "carom/geometry/plane.h"
#include "carom/mesh/convex_hull.h"

#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// The points in all of some half-spaces, as the hull of its corners.
///
/// How exact it is. Let e = 2^-52 and `size` be the greatest |coordinate| of a corner.
///   - Corners. Three planes or more meet in a corner, and it is their meeting point with each coordinate rounded once, at whatever angle the
///     planes cross: a corner whose coordinates are doubles is exactly there. Where the half-spaces do not tell within rounding which
///     planes meet (three pass a fourth's corner at less than e of the size, say, or two faces have the same plane but for the last
///     bit), a corner is a point that the next rule allows.
///   - Outside. No corner is outside of a half-space by more than 64 e |normal| size, and most by 2 at most.
///   - Inside. The solid scaled by 1 - 64 e about a point inside it lies in the hull, to within the rounding of the corners' coordinates.
///     So every half-space whose face is wider than rounding has its face in the hull. A thin solid is exact in proportion to its thickness:
///     this holds for slabs of 1e-9 or less of their length.
/// A coordinate below 1e-30, the least that Carom takes, becomes 0 or 1e-30, whichever is nearer.
struct HalfSpaceIntersection {
  /// The exact hull of the corners, which are doubles: a solid. A face with more than three corners is flat only where its rounded corners are
  /// coplanar. Where they are not, several faces stand for it, their planes the same to within rounding. `hull.source` has no meaning to
  /// the caller.
  ConvexHull hull;
  /// Per face of the hull: the half-space on whose plane its corners lie, to within rounding; the first of equals. Where there is
  /// none (a face that only rounding made, as thin as that), the number of half-spaces.
  std::vector<std::uint32_t> face_of;
};

/// The intersection, if it is a bounded solid. Expected time O(n log n).
///
/// Errors:
///   not_finite    A number is NaN or infinite.
///   out_of_range  A number is not a coordinate (tolerance.h), a normal is zero, a corner lies beyond the range, there are more than
///                 `max_half_spaces`; or entries of the normals differ by such factors (1e15) that rounding leaves nothing decided.
///   unbounded     It reaches to infinity; without any half-space it is all of space. The sentence names a direction.
///   degenerate    It is empty (the sentence names half-spaces that contradict each other), or flat, a segment, a point: it has no inside, or
///                 none wider than rounding, some 16 e of the size. An axis-parallel box may be thinner, as its planes need no rounding.
[[nodiscard]] Result<HalfSpaceIntersection> intersect_half_spaces(std::span<const HalfSpace> faces);

/// So many half-spaces that all their corners, 2 n - 4 at most, make a hull.
inline constexpr std::size_t max_half_spaces = max_hull_points / 2;

} // namespace carom
