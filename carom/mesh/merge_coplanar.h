// Merging coplanar neighbours into convex polygons, without new vertices or edges.
//
// A union of faces can be convex although no two of them make a convex union: nine faces arranged as a spiral, for instance. So neighbours are not tried in
// pairs. Where two faces are to become part of one convex polygon, that polygon has to contain more: a corner at which
// the faces taken so far fill more than half a turn cannot be a corner of a convex polygon, it must be inside of it, and so all faces around it belong
// to it. Taking what is forced until nothing more is gives the *least* convex union of the two, or shows that there is none, and never
// has to choose.
#pragma once

#include "carom/math/result.h"
#include "carom/mesh/polygon_mesh.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct MergeOptions {
  /// A length: corners of a merged face are within half of it from a common plane, that of the largest face of their region; or exactly in that plane.
  /// The thickness with which planes are tested later should not be less.
  double thickness = 0;
  bool across_materials =
      false; ///< also merge faces of different materials or parts; the lowest face's are kept
  /// Leave out corners at which only two faces are left (or one, at a border) and the edge runs straight on, exactly. No T-junction comes of it. Their vertices
  /// stay in the list (clean.h removes them).
  bool drop_straight_corners = true;
};

struct MergedMesh {
  PolygonMesh mesh; ///< in the order of the lowest face of each
  std::vector<std::uint32_t>
      face_of;                     ///< per face of the new mesh: the lowest old face it is made of
  std::vector<std::uint32_t> into; ///< per old face: the new face that it became part of
  std::size_t regions = 0;         ///< of coplanar neighbours (coplanar_regions.h)
  std::size_t merged_faces = 0;    ///< old faces that are now part of larger ones
  std::size_t dropped_corners = 0; ///< straight ones, counted once for each face that had them
  std::size_t not_convex =
      0; ///< faces that are not convex: they were not before, and are part of no convex union. Triangulate them
};

/// The mesh with coplanar neighbours merged. Afterwards no two neighbours of a region are part of any convex union of the faces that are there now: the
/// result cannot be merged further without new edges. (It need not have the fewest faces possible.) Longer edges go first. Faces without area or not flat within the
/// thickness stay as they are, as do edges of three faces or more, open ones, and those along which faces are wound against each other. A closed
/// surface stays closed. About O(n log n) for regions that are convex as a whole; else every edge costs the length of the borders of the
/// polygons that its closure takes in.
/// Errors: those of check_usable; out_of_range where the thickness is negative or not a number.
[[nodiscard]] Result<MergedMesh> merge_coplanar(const PolygonMesh& mesh,
                                                const MergeOptions& options = {});

} // namespace carom
