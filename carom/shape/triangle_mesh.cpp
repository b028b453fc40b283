#include "carom/shape/triangle_mesh.h"

#include "carom/mesh/face_turns.h"
#include "carom/mesh/inner_pieces.h"
#include "carom/mesh/mesh_check.h"
#include "carom/mesh/mesh_duplicates.h"
#include "carom/mesh/mesh_edges.h"
#include "carom/mesh/triangulate.h"
#include "carom/mesh/union_find.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace carom {
namespace {

/// Why the surface is no solid; empty where it is one.
std::string no_solid_because(const PolygonMesh& joined, const MeshEdges& edges) {
  if (!is_closed(edges))
    return "The surface is not closed: along some edge, not as many faces run one way as the "
           "other.";
  std::vector<std::uint32_t> all(joined.face_count());
  std::iota(all.begin(), all.end(), 0U);
  const int sign = volume_sign(joined.surface(), all);
  if (sign == 0) return "The surface encloses no volume.";
  if (sign < 0)
    return "The surface is inside out: it encloses a negative volume. orient() turns it.";
  return {};
}

/// The first triangle of each piece that hangs together by common vertices.
std::vector<std::uint32_t> pieces_of(const PolygonMesh& triangles) {
  UnionFind pieces(triangles.vertices.size());
  for (std::size_t f = 0; f < triangles.face_count(); ++f) {
    const auto c = triangles.face(f);
    pieces.join(c[0], c[1]);
    pieces.join(c[0], c[2]);
  }
  std::vector<std::uint32_t> first;
  std::vector<bool> seen(triangles.vertices.size());
  for (std::uint32_t f = 0; f < triangles.face_count(); ++f) {
    const std::uint32_t piece = pieces.root(triangles.face(f)[0]);
    if (!seen[piece]) first.push_back(f);
    seen[piece] = true;
  }
  return first;
}

Aabb bounds_of(const TriangleSurface& surface) {
  Aabb box;
  for (std::size_t i = 0; i < surface.size(); ++i) {
    const Aabb own = bounds(surface[i]);
    box.min = min(box.min, own.min);
    box.max = max(box.max, own.max);
  }
  return box;
}

} // namespace

Result<TriangleMesh> TriangleMesh::build(const PolygonMesh& mesh, const MeshOptions& options) {
  if (auto usable = check_usable(mesh); !usable) return tl::unexpected(usable.error());
  PolygonMesh triangles = triangulated(mesh);
  if (triangles.face_count() == 0)
    return failure(ErrorCode::too_few, "The mesh has no face of three corners or more.");

  auto topology = std::make_shared<Topology>();
  topology->materials = std::move(triangles.materials);
  topology->triangles.reserve(triangles.face_count());
  for (std::size_t f = 0; f < triangles.face_count(); ++f) {
    const auto c = triangles.face(f);
    topology->triangles.push_back({c[0], c[1], c[2]});
  }
  // Where vertices are in the same place they are one, to see what hangs together.
  topology->apart.triangles = pieces_of(triangles);
  PolygonMesh joined = std::move(triangles);
  const std::vector<std::uint32_t> first = first_equal_vertices(joined.vertices);
  for (std::uint32_t& c : joined.corners) c = first[c];
  topology->joined.triangles = pieces_of(joined);
  for (Anchors* anchors : {&topology->joined, &topology->apart})
    for (const std::uint32_t t : anchors->triangles)
      anchors->vertices.push_back(topology->triangles[t][0]);
  Result<MeshEdges> edges = mesh_edges(joined.surface());
  if (!edges) return tl::unexpected(edges.error());
  if (options.body != MeshOptions::Body::surface) {
    const std::string why_not = no_solid_because(joined, *edges);
    topology->solid = why_not.empty();
    if (options.body == MeshOptions::Body::solid && !topology->solid)
      return failure(ErrorCode::degenerate, why_not);
  }

  TriangleMesh result;
  result.topology_ = std::move(topology);
  result.vertices_ = mesh.vertices;
  result.bounds_ = bounds_of(result.surface());
  result.tree_ = TriangleTree(result.surface(), options.tree);
  result.find_inner_pieces(options.inner_pieces);
  return result;
}

void TriangleMesh::find_inner_pieces(std::size_t most) {
  inner_pieces_.clear();
  if (!solid() || most == 0) return;
  const InnerPieceOptions options{.most = static_cast<std::uint32_t>(most)};
  for (const ConvexHull& hull : carom::inner_pieces(tree_, surface(), options)) {
    if (auto shape = Shape::hull(hull.vertices)) inner_pieces_.push_back(std::move(*shape));
  }
}

Result<void> TriangleMesh::deform(std::span<const Vec3> vertices) {
  if (vertices.size() != vertices_.size()) {
    return failure(ErrorCode::too_few, "There are " + std::to_string(vertices.size()) +
                                           " vertices where the mesh has " +
                                           std::to_string(vertices_.size()) + ".");
  }
  if (auto fit = check_coordinates(PolygonSurface{vertices, {}, {}}); !fit) return fit;
  vertices_.assign(vertices.begin(), vertices.end());
  deformed_ = true;
  bounds_ = bounds_of(surface());
  tree_.refit(surface());
  inner_pieces_.clear();
  return {};
}

Result<TriangleMesh> TriangleMesh::deformed(std::span<const Vec3> vertices) const {
  TriangleMesh result = *this;
  return result.deform(vertices).map([&] { return std::move(result); });
}

Result<TriangleMesh> TriangleMesh::scaled(const Vec3& factors) const {
  TriangleMesh result = *this;
  if (factors.x * factors.y * factors.z < 0) {
    auto turned = std::make_shared<Topology>(*topology_);
    for (auto& [a, b, c] : turned->triangles) std::swap(b, c);
    result.topology_ = std::move(turned);
  }
  for (Vec3& v : result.vertices_) v = {v.x * factors.x, v.y * factors.y, v.z * factors.z};
  if (auto fit = check_coordinates(PolygonSurface{result.vertices_, {}, {}}); !fit)
    return tl::unexpected(fit.error());
  result.bounds_ = bounds_of(result.surface());
  result.tree_ = TriangleTree(result.surface());
  result.find_inner_pieces(inner_pieces_.size());
  return result;
}

std::size_t TriangleMesh::bytes() const {
  return tree_.bytes() + (topology_->materials.size() + 2 * topology_->joined.triangles.size() +
                          2 * topology_->apart.triangles.size()) *
                             sizeof(std::uint32_t);
}

} // namespace carom
