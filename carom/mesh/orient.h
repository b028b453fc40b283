// Winding all faces alike, and closed surfaces outward.
#pragma once

#include "carom/math/result.h"
#include "carom/mesh/polygon_mesh.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct OrientOptions {
  /// Turn closed patches so that their volume is positive, exactly. A cavity inside a solid is turned outward as well; to keep it, leave this off: then
  /// every patch keeps the winding that most of its faces have (of the lowest face, where that is half).
  bool outward = true;
};

/// What was done. A patch is a set of faces joined by edges of exactly two faces; patches that meet along edges of three faces or more are wound
/// independently of each other.
struct OrientedMesh {
  PolygonMesh
      mesh; ///< the same faces in the same order; turned ones begin at the same corner as before
  std::size_t turned_faces = 0;
  std::size_t patches = 0;
  std::size_t closed_patches = 0; ///< consistently wound now, without a border
  std::size_t flat_patches =
      0; ///< of the closed: enclose no volume, so that neither side is outside
  /// Patches that cannot be wound consistently (Moebius strips), by their lowest face. They are wound as far as possible.
  std::vector<std::uint32_t> not_orientable;
  std::size_t conflicting_edges = 0; ///< edges of those along which faces still disagree
};

/// Errors: those of check_usable.
[[nodiscard]] Result<OrientedMesh> orient(const PolygonMesh& mesh,
                                          const OrientOptions& options = {});

/// Turns a face over. It begins at the same corner.
void turn_over(PolygonMesh& mesh, std::size_t face);

} // namespace carom
