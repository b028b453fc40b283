// The nearest points of flat pieces: triangles, rectangles, segments; and of a line or ray and a triangle.
//
// Where the two have a common point, the distance is exactly 0, and on_a == on_b is one of them. Whether they cross is decided by exact
// predicates on the corners (a rectangle's are its vertices()), touching included. Two pieces in exactly one plane count as
// touching where the distance found is at most 4 epsilon L.
//
// How exact. With L the greatest coordinate of the input, the points lie in the pieces and the distance is the least possible, each to
// within about 32 epsilon L, for slivers too. Parallel pieces have many nearest pairs: the answer is one of them.
// Degenerate pieces are the segments or points they look like.
#pragma once

#include "carom/geometry/answer.h"
#include "carom/geometry/line.h"
#include "carom/geometry/polygon.h"
#include "carom/geometry/triangle.h"
#include "carom/math/vec2.h"

namespace [[gnu::visibility("default")]] carom {

/// on_a is the segment's (line's, ray's) point at t, on_b the triangle's at the barycentric weights (>= 0, of sum 1, up to rounding).
struct ClosestToTriangle : ClosestPair {
  double t = 0;
  Vec3 barycentric;
};

/// on_a is the segment's point at t, on_b is rectangle.at(st.x, st.y).
struct ClosestToRectangle : ClosestPair {
  double t = 0;
  Vec2 st;
};

/// The weights of on_a in A and of on_b in B.
struct ClosestTriangles : ClosestPair {
  Vec3 barycentric_a, barycentric_b;
};

/// on_a is the triangle's point, on_b is rectangle.at(st.x, st.y).
struct ClosestTriangleRectangle : ClosestPair {
  Vec3 barycentric;
  Vec2 st;
};

/// on_a is a.at(st_a.x, st_a.y), on_b is b.at(st_b.x, st_b.y).
struct ClosestRectangles : ClosestPair {
  Vec2 st_a, st_b;
};

[[nodiscard]] ClosestToTriangle closest_points(const Line& line, const Triangle& triangle);
[[nodiscard]] ClosestToTriangle closest_points(const Ray& ray, const Triangle& triangle);
[[nodiscard]] ClosestToTriangle closest_points(const Segment& segment, const Triangle& triangle);
[[nodiscard]] ClosestToRectangle closest_points(const Segment& segment, const Rectangle& rectangle);
[[nodiscard]] ClosestTriangles closest_points(const Triangle& a, const Triangle& b);
[[nodiscard]] ClosestTriangleRectangle closest_points(const Triangle& triangle,
                                                      const Rectangle& rectangle);
[[nodiscard]] ClosestRectangles closest_points(const Rectangle& a, const Rectangle& b);

} // namespace gnu::visibility("default")]]carom
