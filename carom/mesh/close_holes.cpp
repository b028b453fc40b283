#include "carom/mesh/close_holes.h"

#include "carom/mesh/boundary_loops.h"
#include "carom/mesh/mesh_components.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace carom {

void join_vertices(PolygonMesh& mesh) {
  const auto less = [&](std::uint32_t i, std::uint32_t j) {
    const Vec3& a = mesh.vertices[i];
    const Vec3& b = mesh.vertices[j];
    for (int k = 0; k < 3; ++k) {
      if (a[k] != b[k]) return a[k] < b[k];
    }
    return i < j;
  };
  std::vector<std::uint32_t> order(mesh.vertices.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), less);
  std::vector<std::uint32_t> first(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool again = i > 0 && mesh.vertices[order[i]] == mesh.vertices[order[i - 1]];
    first[order[i]] = again ? first[order[i - 1]] : order[i];
  }
  for (std::uint32_t& c : mesh.corners) c = first[c];
}

std::vector<std::uint32_t> hole_patches(const PolygonMesh& triangles, const MeshEdges& edges) {
  const BoundaryLoops loops = boundary_loops(edges, mesh_fans(edges));
  std::vector<std::uint32_t> patches;
  PolygonMesh filled = triangles;
  for (std::size_t i = 0; i < loops.count(); ++i) {
    if (!loops.closed[i]) return {};
    const std::vector<std::uint32_t> around = loop_vertices(edges, loops, i);
    for (std::size_t k = 2; k < around.size(); ++k) {
      const std::array<std::uint32_t, 3> patch = {around[0], around[k], around[k - 1]};
      patches.insert(patches.end(), patch.begin(), patch.end());
      filled.add_face(patch);
    }
  }
  const Result<MeshEdges> closed = mesh_edges(filled.surface());
  if (!closed || !is_closed(*closed)) patches.clear();
  return patches;
}

} // namespace carom
