#include "carom/mesh/solid_mass.h"

#include "carom/mesh/face_turns.h"
#include "carom/mesh/mesh_check.h"
#include "carom/mesh/mesh_edges.h"

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace carom {

Result<MassProperties> solid_mass(const PolygonMesh& mesh) {
  if (const Result<void> usable = check_usable(mesh); !usable) {
    return tl::unexpected(usable.error());
  }
  const Result<MeshEdges> edges = mesh_edges(mesh.surface());
  if (!edges) return tl::unexpected(edges.error());
  for (std::size_t e = 0; e < edges->edge_count(); ++e) {
    if (edges->excess(e) == 0) continue;
    return failure(ErrorCode::degenerate,
                   "the surface is not closed: along the edge between vertices " +
                       std::to_string(edges->ends[e].low) + " and " +
                       std::to_string(edges->ends[e].high) +
                       " not as many faces run one way as the other");
  }
  std::vector<std::uint32_t> faces(mesh.face_count());
  std::iota(faces.begin(), faces.end(), std::uint32_t{0});
  const int sign = volume_sign(mesh.surface(), faces);
  if (sign == 0) return failure(ErrorCode::degenerate, "the surface encloses no volume");
  if (sign < 0) {
    return failure(ErrorCode::degenerate,
                   "the surface is inside out: its volume is negative; orient() turns it");
  }
  const MassProperties mass = mass_properties(mesh.surface());
  if (!(mass.volume > 0)) {
    return failure(ErrorCode::degenerate,
                   "the solid is so thin that its volume is lost in rounding");
  }
  return mass;
}

} // namespace carom
