// Triangles of polygons in space, and of whole meshes. (How flat a polygon is: flatness() in carom/geometry/convexity.h.)
#pragma once

#include "carom/mesh/ear_cutting.h"
#include "carom/mesh/polygon_mesh.h"

#include <cstddef>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// The polygon seen along the coordinate axis nearest to its normal (Newell's, flatness()): two of the three coordinates, exactly as they are. It may
/// come out mirrored.
void flatten(std::span<const Vec3> polygon, std::vector<Vec2>& flat);

/// n - 2 triangles of a polygon of n corners, the same way round as it: those of cut_ears() for the flattened polygon, with all its promises there. A
/// convex quad is cut along its shorter diagonal.
[[nodiscard]] PolygonTriangles triangulate(std::span<const Vec3> polygon);

/// What became of the faces of a mesh.
struct TriangulationReport {
  std::size_t cut_faces = 0; ///< of more than three corners
  std::size_t forced_faces =
      0; ///< among these, outlines that cross themselves: their triangles may overlap (PolygonTriangles::forced)
  std::size_t small_faces = 0; ///< of one or two corners, or none: left out
  std::size_t bad_faces = 0;   ///< with a corner that does not exist: left out
  double greatest_height =
      0; ///< a length: how far a corner of a cut face lies from its plane, at most
  std::size_t highest_face = 0; ///< where that is
};

/// The same mesh in triangles. Vertices stay, triangles keep the way round, the material and the part of their face, in the order of faces. Faces that
/// share an edge still do. Triangles with no area are kept as well: without them, corners on straight edges would come loose.
[[nodiscard]] PolygonMesh triangulated(const PolygonMesh& mesh,
                                       TriangulationReport* report = nullptr);

} // namespace carom
