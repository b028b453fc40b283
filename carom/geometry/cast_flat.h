// Lines against flat things: planes, triangles, quads, polygons, rectangles. See cast.h for what is returned.
//
// Flat things are closed sets like the solids. A line crosses one in a single t: enter and exit are equal, and both normals face the line.
// A line *in* its plane meets it in an interval, from edge to edge; the normal is then still that of the plane (it supports the set,
// and the line is level with it), and a start within is `inside`.
//
// Triangles are watertight: whether a line, ray or segment meets one is decided by exact predicates on the numbers given. Two triangles
// that share an edge see the same sign for it, so no line slips between the triangles of a closed mesh: through an edge or a vertex
// it hits all that meet there.
#pragma once

#include "carom/geometry/cast.h"
#include "carom/geometry/plane.h"
#include "carom/geometry/polygon.h"
#include "carom/geometry/triangle.h"

namespace [[gnu::visibility("default")]] carom {

/// A hit on a triangle, and where on it.
struct TriangleHit : Cast {
  /// Of the point: none negative, their sum 1 but for rounding.
  Vec3 barycentric;
  /// Met from the side of the normal: the corners appear counter-clockwise. Also where the line lies in the plane.
  bool front = false;
};

/// The normal need not be a unit vector here. Parallel: in the plane (exactly) it is all in, else it misses.
[[nodiscard]] LineSpan clip(const Line& line, const Plane& plane);

/// Whether it hits is exact. t is accurate to 1e-13 of the distance, for slivers and at grazing angles too. A degenerate
/// triangle is the segment or the point it is.
[[nodiscard]] LineSpan clip(const Line& line, const Triangle& triangle);

/// Exact: whether the line meets the triangle, and whether t >= 0; t <= t_max and, for a ray in the plane, t >= 0 by the rounded t.
[[nodiscard]] TriangleHit cast(const Ray& ray, const Triangle& triangle, double t_max = INFINITY);
/// The first point of the line in the triangle.
[[nodiscard]] TriangleHit cast(const Line& line, const Triangle& triangle);
/// Exact for the segment between the two points as given; only where it lies in the triangle's plane are its ends compared rounded.
[[nodiscard]] TriangleHit cast(const Segment& segment, const Triangle& triangle);

/// As the triangles around its first corner: watertight within, and toward others that share its edges.
[[nodiscard]] LineSpan clip(const Line& line, const Polygon& polygon);
[[nodiscard]] LineSpan clip(const Line& line, const Quad& quad);

/// In the frame of the rectangle, as a box without thickness. In its plane, the normal is that of the edge.
[[nodiscard]] LineSpan clip(const Line& line, const Rectangle& rectangle);

} // namespace gnu::visibility("default")]]carom
