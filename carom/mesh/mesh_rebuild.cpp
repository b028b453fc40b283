#include "carom/mesh/mesh_rebuild.h"

#include <algorithm>
#include <utility>

namespace carom {

PolygonMesh MeshRebuild::finish() && {
  mesh_.vertices = old_->vertices;
  mesh_.material_names = old_->material_names;
  if (!old_->materials.empty()) {
    for (const std::uint32_t origin : origins_) mesh_.materials.push_back(old_->materials[origin]);
  }
  for (const MeshPart& part : old_->parts) {
    const auto first = std::lower_bound(origins_.begin(), origins_.end(), part.first_face);
    mesh_.parts.push_back({part.name, static_cast<std::uint32_t>(first - origins_.begin())});
  }
  return std::move(mesh_);
}

std::size_t drop_unreferenced(PolygonMesh& mesh) {
  std::vector<bool> used(mesh.vertices.size());
  for (const std::uint32_t c : mesh.corners) used[c] = true;
  std::vector<std::uint32_t> number(mesh.vertices.size());
  std::uint32_t kept = 0;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    number[v] = kept;
    if (used[v]) mesh.vertices[kept++] = mesh.vertices[v];
  }
  const std::size_t dropped = mesh.vertices.size() - kept;
  mesh.vertices.resize(kept);
  for (std::uint32_t& c : mesh.corners) c = number[c];
  return dropped;
}

} // namespace carom
