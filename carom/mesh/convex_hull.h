// Convex hulls of points in space: exact, with adjacency, from any number of points.
//
// The hull is that of the points as real numbers: nothing is welded, jittered or merged within a tolerance. Four points that are coplanar
// share a face, four points that are coplanar but for the last bit do not. What a float library drops as 'too close' is here a vertex.
#pragma once

#include "carom/math/result.h"
#include "carom/math/vec3.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// The boundary of a convex hull as vertices, flat faces and half-edges. Plain data.
///
/// A half-edge is a side of a face, walked with the face on its left as seen from outside. The half-edges of face f are
/// face_begin[f] .. face_begin[f + 1] - 1, counter-clockwise seen from outside; after the last comes the first. Their origins are the corners
/// of the face. Along an edge of the hull run two half-edges, one each way: twins.
///
/// By dimension:
///   3  A solid. No two faces are coplanar, no three corners of a face collinear, every vertex is a corner of three faces or more.
///   2  A flat polygon. Two opposite faces with the same corners. Vertices are numbered around face 0, whose normal points to the
///      positive side of the coordinate axis that it is closest to (exactly known to be not at right angles to it).
///   1  A segment: two vertices, and one face with two sides, out and back, which are each other's twins. It has no normal.
///   0  A point: one vertex, no face, no half-edge.
///
/// The arrays do not depend on how the hull was found. In a solid the vertices stand in the order of the input; a face begins at its
/// vertex of lowest number; faces are ordered by their first vertex, then by their second.
struct ConvexHull {
  /// What `outgoing` holds for the vertex of a point.
  static constexpr std::uint32_t none = 0xffffffff;

  int dimension = 0;
  std::vector<Vec3> vertices;        ///< the extreme points, each once
  std::vector<std::uint32_t> source; ///< per vertex: which input point it is, the first of equals
  std::vector<std::uint32_t>
      face_begin; ///< per face: its first half-edge; then the number of half-edges
  std::vector<std::uint32_t> origin; ///< per half-edge: the vertex that it leaves
  std::vector<std::uint32_t> twin;   ///< per half-edge: the one that runs back along the same edge
  std::vector<std::uint32_t> face;   ///< per half-edge: the face that it bounds
  std::vector<std::uint32_t> outgoing; ///< per vertex: the lowest half-edge that leaves it

  /// With a vertex limit: no point of this hull is farther than this length from the hull of the input. An upper bound, a few roundings
  /// above the greatest displacement of a vertex. 0: this is the hull of the input.
  double growth = 0;

  [[nodiscard]] std::size_t face_count() const {
    return face_begin.empty() ? 0 : face_begin.size() - 1;
  }
  /// The corners of face f.
  [[nodiscard]] std::span<const std::uint32_t> corners(std::size_t f) const {
    return std::span(origin).subspan(face_begin[f], face_begin[f + 1] - face_begin[f]);
  }
  /// The half-edge after h around its face.
  [[nodiscard]] std::uint32_t next(std::uint32_t h) const {
    return h + 1 == face_begin[face[h] + 1] ? face_begin[face[h]] : h + 1;
  }
  /// The vertex that half-edge h leads to.
  [[nodiscard]] std::uint32_t target(std::uint32_t h) const { return origin[twin[h]]; }
  /// The half-edge that leaves the same vertex as h, next in clockwise order seen from outside.
  [[nodiscard]] std::uint32_t around(std::uint32_t h) const { return next(twin[h]); }
};

struct ConvexHullOptions {
  /// At most this many vertices; 0: as many as the hull has, else at least 4. A hull with more is replaced by a simpler one around it:
  /// the search stops there, having taken the farthest point each time, and the vertices are moved outward until every
  /// point is inside, which is confirmed exactly. Then the vertices are no longer input points (`source` says which they come from, in no
  /// order, and one may appear twice), and `growth` says how much larger the hull has become. A flat polygon becomes a very thin
  /// solid, since its plane seldom has other points with double coordinates.
  std::uint32_t vertex_limit = 0;
};

/// The convex hull. Expected time O(n log n), and O(n) where few points are extreme; O(n^2) at worst.
///
/// The same set of points in another order gives the same hull (its arrays permuted). Coordinates equal to -0 count as 0.
///
/// Errors: too_few where there is no point; not_finite; out_of_range for a coordinate outside of Carom's range (tolerance.h), more than
/// `max_hull_points` points, a vertex limit of 1, 2 or 3, or a limited hull that would have to reach beyond the range.
[[nodiscard]] Result<ConvexHull> convex_hull(std::span<const Vec3> points,
                                             const ConvexHullOptions& options = {});

/// So many points that all half-edges of their hull, 6 n at most, have 32-bit numbers.
inline constexpr std::size_t max_hull_points = std::size_t{1} << 29;

} // namespace carom
