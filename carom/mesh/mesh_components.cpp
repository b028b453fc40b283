#include "carom/mesh/mesh_components.h"

#include "carom/mesh/union_find.h"

#include <algorithm>
#include <utility>

namespace carom {
namespace {

void join_along(const MeshEdges& edges, Connection by, UnionFind& faces) {
  if (by == Connection::vertex) {
    for (std::size_t v = 0; v < edges.vertex_count(); ++v) {
      const auto corners = edges.corners_at(v);
      for (const std::uint32_t c : corners) {
        faces.join(edges.face_of[corners[0]], edges.face_of[c]);
      }
    }
    return;
  }
  for (std::size_t edge = 0; edge < edges.edge_count(); ++edge) {
    if (by == Connection::manifold && !edges.is_manifold(edge)) continue;
    const auto half_edges = edges.half_edges(edge);
    for (const std::uint32_t h : half_edges) {
      faces.join(edges.face_of[half_edges[0]], edges.face_of[h]);
    }
  }
}

/// The corners at one vertex, joined where they have an edge there in common.
void join_around(const MeshEdges& edges, std::span<const std::uint32_t> corners, UnionFind& local,
                 std::vector<std::pair<std::uint32_t, std::uint32_t>>& sides) {
  local.reset(corners.size());
  sides.clear();
  for (std::uint32_t i = 0; i < corners.size(); ++i) {
    const std::uint32_t out = edges.edge_of[corners[i]];
    const std::uint32_t in = edges.edge_of[edges.previous(corners[i])];
    if (out != MeshEdges::none) sides.emplace_back(out, i);
    if (in != MeshEdges::none) sides.emplace_back(in, i);
    if (out != MeshEdges::none) continue;
    // The face repeats this corner next: both are one.
    const auto next = std::lower_bound(corners.begin(), corners.end(), edges.next(corners[i]));
    local.join(i, static_cast<std::uint32_t>(next - corners.begin()));
  }
  std::sort(sides.begin(), sides.end());
  for (std::size_t i = 1; i < sides.size(); ++i) {
    if (sides[i].first == sides[i - 1].first) local.join(sides[i].second, sides[i - 1].second);
  }
}

} // namespace

MeshComponents mesh_components(const MeshEdges& edges, Connection by) {
  UnionFind faces(edges.face_count());
  join_along(edges, by, faces);
  MeshComponents components;
  components.of_face.resize(edges.face_count());
  for (std::uint32_t f = 0; f < edges.face_count(); ++f) {
    const std::uint32_t root = faces.root(f); // the lowest face: numbered before
    components.of_face[f] =
        root == f ? static_cast<std::uint32_t>(components.count++) : components.of_face[root];
  }
  return components;
}

MeshFans mesh_fans(const MeshEdges& edges) {
  MeshFans fans;
  fans.of_corner.resize(edges.corners.size());
  fans.fan_begin.reserve(edges.vertex_count() + 1);
  std::uint32_t count = 0;
  UnionFind local;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sides;
  for (std::size_t v = 0; v < edges.vertex_count(); ++v) {
    const auto corners = edges.corners_at(v);
    fans.fan_begin.push_back(count);
    join_around(edges, corners, local, sides);
    for (std::uint32_t i = 0; i < corners.size(); ++i) {
      const std::uint32_t root = local.root(i);
      fans.of_corner[corners[i]] = root == i ? count++ : fans.of_corner[corners[root]];
    }
  }
  fans.fan_begin.push_back(count);
  return fans;
}

} // namespace carom
