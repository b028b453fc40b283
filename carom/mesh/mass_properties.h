// Volume, centre of mass and inertia of a solid given by its surface.
#pragma once

#include "carom/math/mat3.h"
#include "carom/math/pose.h"
#include "carom/mesh/convex_hull.h"
#include "carom/mesh/polygon_mesh.h"

#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// Of a solid of density 1.
struct MassProperties {
  double volume = 0; ///< also the mass
  Vec3 centroid;     ///< the centre of mass
  Mat3 inertia = Mat3::
      zero(); ///< about the centroid, along the coordinate axes: the integral of |r|^2 1 - r r^T
};

/// The integrals over the inside of a closed surface, exact but for rounding (relative errors of a few epsilon for solids that are not thin, wherever they
/// are). Faces need not be convex, nor flat: a face that is not flat counts as the fan of triangles from its first corner. Turned inside
/// out (clockwise), volume and inertia are negative. Where the surface overlaps itself each part counts as often as it is
/// wound around. Where it is not closed the result means little. Where it encloses no volume, all is zero but the centroid, which is then
/// that of the surface's area; without area, the mean of the vertices; without vertices, the origin.
/// Corners out of range of the vertices are passed over with their face. Coordinates up to 1e30; NaN and infinity come out as they went in.
[[nodiscard]] MassProperties mass_properties(const PolygonSurface& surface);
[[nodiscard]] MassProperties mass_properties(const ConvexHull& hull);
/// Triangles: three corners each.
[[nodiscard]] MassProperties mass_properties(std::span<const Vec3> vertices,
                                             std::span<const std::uint32_t> triangles);

/// Of the same solid, moved: the centroid is placed, the inertia turned.
[[nodiscard]] MassProperties moved(const MassProperties& mass, const Frame& frame);
/// Of two solids that do not overlap, together.
[[nodiscard]] MassProperties operator+(const MassProperties& a, const MassProperties& b);
/// The inertia about another point: the parallel axis theorem.
[[nodiscard]] Mat3 inertia_about(const MassProperties& mass, const Vec3& point);

} // namespace carom
