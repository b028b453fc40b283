// Where a point lies: inside of a closed shape, on its boundary, or outside.
//
// Every decision here is exact for the coordinates as given (predicates.h), except `near_triangle`, which takes a tolerance.
// A shape with no interior (a flat triangle, a segment, a point) is all boundary.
#pragma once

#include "carom/geometry/convex_polyhedron.h"
#include "carom/geometry/triangle.h"
#include "carom/math/vec2.h"

#include <array>
#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

enum class Containment { outside, boundary, inside };

/// A triangle in the plane, in either orientation. Exact.
[[nodiscard]] Containment locate_in_triangle(const Vec2& p, const Vec2& a, const Vec2& b,
                                             const Vec2& c);
/// A triangle in space. `inside` means exactly on its plane and off its edges. Exact.
[[nodiscard]] Containment locate_in_triangle(const Vec3& p, const Triangle& triangle);

/// Whether p is at most `tolerance` from the triangle's plane, and its projection along the normal lies in the closed triangle.
/// For a degenerate triangle: whether p is at most `tolerance` from its longest edge.
[[nodiscard]] bool near_triangle(const Vec3& p, const Triangle& triangle, double tolerance);

/// A convex polygon, counter-clockwise, in O(log n). Straight and coincident corners are legal; where the first corner is one of
/// these, where the polygon is flat, or has fewer than three corners, it takes O(n). No corners: outside. Exact.
[[nodiscard]] Containment locate_in_convex(const Vec2& p, std::span<const Vec2> polygon);
/// The same answer in O(n), always.
[[nodiscard]] Containment locate_in_convex_linear(const Vec2& p, std::span<const Vec2> polygon);

/// Any polygon, convex or not, in either orientation, by the even-odd rule: inside is what a ray to infinity leaves after an odd
/// number of crossings. Where edges cross, a region that is wound around twice is thus outside. Exact, in O(n).
[[nodiscard]] Containment locate_in_polygon(const Vec2& p, std::span<const Vec2> polygon);

/// A tetrahedron with its corners in any order. Exact.
[[nodiscard]] Containment locate_in_tetrahedron(const Vec3& p, const Tetrahedron& tetrahedron);

/// The half-spaces exactly as given, whatever the length of their normals. `boundary` is where none is violated and one holds with
/// equality (which may touch the solid at p only: a half-space that cuts nothing counts). No half-spaces: inside. Exact.
[[nodiscard]] Containment locate_in_polyhedron(const Vec3& p, const ConvexPolyhedron& polyhedron);

/// The corners of a triangle, as indices into an array of vertices.
using TriangleIndices = std::array<std::uint32_t, 3>;

/// Any closed polyhedron, convex or not, of any genus, in any number of shells, oriented or not, by the even-odd rule. Closed: every
/// edge belongs to an even number of triangles; otherwise the answer is that of the crossings upward from p. Flat triangles are
/// legal. A triangle with an index out of range is left out. Exact, in O(n): no ray is ever cast again.
[[nodiscard]] Containment locate_in_mesh(const Vec3& p, std::span<const Vec3> vertices,
                                         std::span<const TriangleIndices> triangles);

} // namespace gnu::visibility("default")]]carom
