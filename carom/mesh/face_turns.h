// Which faces would have to be turned over so that all are wound alike.
#pragma once

#include "carom/mesh/mesh_components.h"
#include "carom/mesh/mesh_edges.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Two faces at an edge without a third agree where one runs along it each way. Faces joined by such edges make a patch; edges of three
/// or more faces join nothing here, as no pair of them is the right one.
struct FaceTurns {
  MeshComponents patches;   ///< by Connection::manifold
  std::vector<bool> turned; ///< per face: wound against the lowest face of its patch
  std::vector<bool>
      orientable; ///< per patch: false where no turning makes all agree (a Moebius strip)
  std::vector<std::uint32_t>
      conflicts; ///< the edges of patches that are not orientable which disagree after turning, ascending
};

/// Walks over each patch from its lowest face, breadth first. O(n).
[[nodiscard]] FaceTurns face_turns(const MeshEdges& edges);

/// -1, 0 or 1: the sign of the volume that faces enclose, exactly; 1 where they are wound counter-clockwise seen from outside. The faces, together,
/// are closed (is_closed), their corners exist and have coordinates in Carom's range. A face that is not a triangle counts as the fan from its
/// first corner.
[[nodiscard]] int volume_sign(const PolygonSurface& surface, std::span<const std::uint32_t> faces);

} // namespace carom
