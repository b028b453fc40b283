// Closing cracks: borders that run beside each other within a tolerance are joined, their corners welded and inserted into each other's edges.
#pragma once

#include "carom/math/result.h"
#include "carom/mesh/polygon_mesh.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct StitchedMesh {
  PolygonMesh mesh;
  std::vector<std::uint32_t> face_of; ///< per face: the old face it comes from
  std::size_t welded_vertices = 0;    ///< border vertices that went to another
  std::size_t inserted_corners = 0;   ///< corners that edges were divided at: T-junctions resolved
  std::size_t dropped_corners = 0;    ///< by welding (weld.h)
  std::size_t dropped_faces = 0;      ///< by welding: fewer than three different corners left
  std::size_t open_edges_before = 0, open_edges = 0;
  std::size_t t_junctions = 0; ///< left after the last pass (0, mostly)
};

/// The mesh with its cracks closed. Only borders change:
///   border vertices within `tolerance` (a length) of each other are welded, by weld.h's rule;
///   a border vertex at a T-junction (t_junctions.h) becomes a corner of the edge's face, which bends the edge by at most the tolerance. Where two edges
///   of a face are near enough, it goes into the nearer.
/// That is repeated, since edges that were bent can meet others, until nothing changes, at most 8 times. Holes wider than the tolerance stay; so do borders
/// without a counterpart. Parts thinner than the tolerance collapse: choose it smaller than the smallest detail.
/// Tolerance 0: only what coincides exactly.
/// Errors: those of check_usable, and of weld_vertices for the tolerance.
[[nodiscard]] Result<StitchedMesh> stitch(const PolygonMesh& mesh, double tolerance);

} // namespace carom
