#include "carom/mesh/orient.h"

#include "carom/mesh/face_turns.h"
#include "carom/mesh/mesh_check.h"

#include <algorithm>
#include <utility>

namespace carom {
namespace {

/// The faces of each patch, ascending.
std::vector<std::vector<std::uint32_t>> faces_by_patch(const MeshComponents& patches) {
  std::vector<std::vector<std::uint32_t>> faces(patches.count);
  for (std::uint32_t f = 0; f < patches.of_face.size(); ++f) {
    faces[patches.of_face[f]].push_back(f);
  }
  return faces;
}

/// Turns the faces that disagree with most of their patch.
void turn_minorities(const std::vector<std::vector<std::uint32_t>>& patches, const FaceTurns& turns,
                     std::vector<bool>& turned) {
  for (const auto& faces : patches) {
    std::size_t against = 0;
    for (const std::uint32_t f : faces) against += turns.turned[f] ? 1 : 0;
    const bool most = 2 * against > faces.size();
    for (const std::uint32_t f : faces) turned[f] = turns.turned[f] != most;
  }
}

/// Per patch: whether its own faces run along each edge as often one way as the other.
std::vector<bool> closed_patches(const MeshEdges& edges, const FaceTurns& turns,
                                 const std::vector<bool>& turned) {
  std::vector<bool> closed(turns.patches.count, true);
  std::vector<std::pair<std::uint32_t, int>> sides; // (patch, direction)
  for (std::size_t e = 0; e < edges.edge_count(); ++e) {
    sides.clear();
    for (const std::uint32_t h : edges.half_edges(e)) {
      const std::uint32_t f = edges.face_of[h];
      sides.emplace_back(turns.patches.of_face[f], edges.ascends(h) != turned[f] ? 1 : -1);
    }
    std::sort(sides.begin(), sides.end());
    int excess = 0;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      excess += sides[i].second;
      const bool last = i + 1 == sides.size() || sides[i + 1].first != sides[i].first;
      if (last && excess != 0) closed[sides[i].first] = false;
      if (last) excess = 0;
    }
  }
  return closed;
}

} // namespace

void turn_over(PolygonMesh& mesh, std::size_t face) {
  const auto begin = mesh.corners.begin() + mesh.face_begin[face];
  const auto end = mesh.corners.begin() + mesh.face_begin[face + 1];
  if (begin != end) std::reverse(begin + 1, end);
}

Result<OrientedMesh> orient(const PolygonMesh& mesh, const OrientOptions& options) {
  if (const Result<void> usable = check_usable(mesh); !usable) {
    return tl::unexpected(usable.error());
  }
  const Result<MeshEdges> edges = mesh_edges(mesh.surface());
  if (!edges) return tl::unexpected(edges.error());
  const FaceTurns turns = face_turns(*edges);
  const auto patches = faces_by_patch(turns.patches);
  std::vector<bool> turned(mesh.face_count());

  OrientedMesh oriented;
  oriented.patches = patches.size();
  oriented.conflicting_edges = turns.conflicts.size();
  turn_minorities(patches, turns, turned);
  const std::vector<bool> closed = closed_patches(*edges, turns, turned);
  oriented.mesh = mesh;
  for (std::size_t f = 0; f < turned.size(); ++f) {
    if (turned[f]) turn_over(oriented.mesh, f);
  }
  for (std::size_t p = 0; p < patches.size(); ++p) {
    if (!turns.orientable[p]) oriented.not_orientable.push_back(patches[p][0]);
    // A face without edges (one corner, say) has no border, and no side either.
    if (!turns.orientable[p] || !closed[p]) continue;
    ++oriented.closed_patches;
    const int sign = volume_sign(oriented.mesh.surface(), patches[p]);
    if (sign == 0) ++oriented.flat_patches;
    if (sign >= 0 || !options.outward) continue;
    for (const std::uint32_t f : patches[p]) {
      turn_over(oriented.mesh, f);
      turned[f] = !turned[f];
    }
  }
  oriented.turned_faces = static_cast<std::size_t>(std::count(turned.begin(), turned.end(), true));
  return oriented;
}

} // namespace carom
