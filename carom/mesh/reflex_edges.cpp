#include "carom/mesh/reflex_edges.h"

#include "carom/mesh/mesh_edges.h"

#include <cstddef>

namespace carom {

ReflexEdges reflex_edges(std::span<const Vec3> vertices, std::span<const std::uint32_t> triangles) {
  const std::size_t n = triangles.size() / 3;
  ReflexEdges reflex;
  reflex.of_triangle.resize(n);
  reflex.of_vertex.resize(vertices.size());
  std::vector<std::uint32_t> face_begin(n + 1);
  for (std::size_t t = 0; t <= n; ++t) face_begin[t] = static_cast<std::uint32_t>(3 * t);
  const Result<MeshEdges> edges = mesh_edges({vertices, face_begin, triangles});
  if (!edges) return reflex;
  const auto normal = [&](std::uint32_t t) {
    const Vec3& a = vertices[triangles[3 * t]];
    return normalized_or(
        cross(vertices[triangles[3 * t + 1]] - a, vertices[triangles[3 * t + 2]] - a), {});
  };
  for (std::size_t e = 0; e < edges->edge_count(); ++e) {
    const auto sides = edges->half_edges(e);
    if (sides.size() != 2 || edges->excess(e) != 0) continue;
    const std::uint32_t s = edges->face_of[sides[0]];
    const std::uint32_t t = edges->face_of[sides[1]];
    // The other triangle's third corner in front of this one's plane.
    const Vec3& a = vertices[edges->from(sides[0])];
    const Vec3& b = vertices[edges->to(sides[0])];
    const Vec3& c = vertices[edges->to(edges->next(sides[1]))];
    const double sine = dot(normal(s), normalized_or(c - a, {}));
    const double turn = length(cross(normal(s), normal(t)));
    if (!(sine > 0) || !(turn > 1e-6)) continue;
    const double weight = turn * distance(a, b);
    reflex.of_triangle[s] += weight;
    reflex.of_triangle[t] += weight;
    const auto [low, high] = edges->ends[e];
    reflex.of_vertex[low] += weight;
    reflex.of_vertex[high] += weight;
    reflex.edges.push_back({low, high, weight});
  }
  return reflex;
}

} // namespace carom
