// Inside or outside of a mesh: how often its surface is wound around a point. Also where the surface has holes.
//
// Three functions, each a linear scan over the faces:
//   crossing_count   closed surfaces: a whole number, exact for every point that is not on the surface, however close.
//   winding_number   any surface: solid angles added up (Jacobson, Kavan, Sorkine 2013). The same whole number for closed ones, up to rounding; a
//                    surface with holes gives a fraction that is near it, but close to the holes; half-spaces give a half.
//   locate           what both say together: inside, outside or on the surface.
//
// Faces are counter-clockwise seen from outside; turned inside out, numbers are negative. A face of more than three corners counts as the fan of triangles from its
// first corner; where it is flat but not convex, the parts of the fan beyond its border cancel in the first two. `on` looks at each triangle of
// the fan by itself: triangulate such faces first. Corners out of range of the vertices are passed over with their face. Coordinates are in Carom's range.
#pragma once

#include "carom/geometry/triangle_crossing.h"
#include "carom/math/vec3.h"
#include "carom/mesh/polygon_mesh.h"

#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// How often a closed surface (is_closed) is wound around the point: 1 inside of a solid, 0 outside, -1 inside of one turned inside out, 2 where two overlap.
/// Exact. For a point on the surface, the number on one of its sides. For a surface that is not closed it means nothing.
[[nodiscard]] std::int64_t crossing_count(const PolygonSurface& surface, const Vec3& point);

/// The solid angle that the surface covers as seen from the point, positive where its inner side is seen, over 4 pi. Always finite; its error is
/// about 1e-15 times the number of faces or below. On the surface, a value between those on its two sides: that of the rest of the surface. On which side
/// of a triangle the point lies is decided exactly, so the jump is where it should be. Where the point is closer to an edge than 2^-90 of the size of the
/// faces there, the angle between the two may be wrong; crossing_count never is.
[[nodiscard]] double winding_number(const PolygonSurface& surface, const Vec3& point);

/// Whether the point is on the surface, exactly: on a triangle or its border; degenerate triangles count as the segments or points they are.
[[nodiscard]] bool is_on_surface(const PolygonSurface& surface, const Vec3& point);

/// Inside: where the surface is wound around the point at least once. `closed` says that the surface is closed (is_closed): then the answer is exact. Else it
/// is inside where the winding number is above 1/2. A point that is not finite is outside.
[[nodiscard]] PointPlace locate(const PolygonSurface& surface, const Vec3& point, bool closed);

} // namespace carom
