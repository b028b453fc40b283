#include "carom/mesh/merge_coplanar.h"

#include "carom/mesh/convex_union.h"
#include "carom/mesh/coplanar_regions.h"
#include "carom/mesh/degenerate_faces.h"
#include "carom/mesh/mesh_check.h"
#include "carom/mesh/mesh_rebuild.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace carom {
namespace {

/// Each region as a whole, where that is convex: most are, and it saves the steps.
void unite_regions(const CoplanarRegions& regions, ConvexUnions& unions) {
  std::vector<std::vector<std::uint32_t>> faces(regions.count());
  for (std::uint32_t f = 0; f < regions.of_face.size(); ++f) {
    if (regions.of_face[f] != CoplanarRegions::none) faces[regions.of_face[f]].push_back(f);
  }
  for (const auto& region : faces) {
    if (region.size() > 1) unions.unite(region);
  }
}

/// The half-edges between two faces of a region, one for each edge: the longest first.
std::vector<std::uint32_t> inner_edges(std::span<const Vec3> vertices, const MeshEdges& edges,
                                       const ConvexUnions& unions) {
  std::vector<std::pair<double, std::uint32_t>> order; // (-length^2, half-edge)
  for (std::uint32_t h = 0; h < edges.corners.size(); ++h) {
    const std::uint32_t t = unions.twin(h);
    if (t == MeshEdges::none || t < h) continue;
    order.emplace_back(-distance_squared(vertices[edges.from(h)], vertices[edges.to(h)]), h);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t> half_edges;
  half_edges.reserve(order.size());
  for (const auto& [length, h] : order) half_edges.push_back(h);
  return half_edges;
}

/// The least convex unions across the edges that are left. What cannot be united now never can: a convex union of more would be one of these, too. So each
/// edge is tried once.
/// In rounds: a polygon that has just grown waits for the next. So they grow by doubling, rather than one of them a face at a time, at the
/// price of its whole border each.
void unite_neighbours(std::span<const Vec3> vertices, const MeshEdges& edges,
                      ConvexUnions& unions) {
  std::vector<std::uint32_t> waiting = inner_edges(vertices, edges, unions);
  std::vector<std::uint32_t> later;
  std::vector<std::uint32_t> grown(
      edges.face_count()); // per polygon: the round in which it last did
  for (std::uint32_t round = 1; !waiting.empty(); ++round) {
    later.clear();
    for (const std::uint32_t h : waiting) {
      const std::uint32_t pair[] = {unions.polygon_of(edges.face_of[h]),
                                    unions.polygon_of(edges.face_of[unions.twin(h)])};
      if (pair[0] == pair[1]) continue;
      if (grown[pair[0]] == round || grown[pair[1]] == round) {
        later.push_back(h);
      } else if (unions.unite(pair)) {
        grown[unions.polygon_of(pair[0])] = round;
      }
    }
    waiting.swap(later);
  }
}

/// Faces that are not convex can be part of a union all by themselves.
void unite_reflex(const CoplanarRegions& regions, ConvexUnions& unions) {
  for (std::uint32_t f = 0; f < regions.of_face.size(); ++f) {
    if (regions.of_face[f] == CoplanarRegions::none || unions.polygon_of(f) != f) continue;
    const std::uint32_t alone[] = {f};
    if (!unions.is_convex(f)) unions.unite(alone);
  }
}

/// The corners of the merged mesh, by vertex, to find the straight ones.
class StraightCorners {
public:
  /// `whole` per face: it has area and lies in a region.
  StraightCorners(const PolygonMesh& mesh, const MeshEdges& edges, const std::vector<bool>& whole)
      : straight_(mesh.vertices.size()) {
    for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
      straight_[v] = is_straight(mesh, edges, whole, v);
    }
  }
  [[nodiscard]] bool operator()(std::uint32_t vertex) const { return straight_[vertex]; }

private:
  static bool is_straight(const PolygonMesh& mesh, const MeshEdges& edges,
                          const std::vector<bool>& whole, std::uint32_t v) {
    // Two edges only; at both the same faces, which go along one and on along the other.
    const auto at = edges.edges_at(v);
    const auto corners = edges.corners_at(v);
    if (at.size() != 2 || corners.empty() || corners.size() > 2) return false;
    for (const std::uint32_t c : corners) {
      if (!whole[edges.face_of[c]]) return false;
      const std::uint32_t before = edges.from(edges.previous(c));
      const std::uint32_t after = edges.to(c);
      if (before == after) return false;
      const Vec3& a = mesh.vertices[before];
      const Vec3& b = mesh.vertices[after];
      const Vec3& p = mesh.vertices[v];
      const bool between = min(min(a, b), p) == min(a, b) && max(max(a, b), p) == max(a, b);
      if (!between || p == a || p == b || !collinear(a, b, p)) return false;
    }
    return true;
  }
  std::vector<bool> straight_;
};

/// Leaves the straight corners out; returns how many.
std::size_t drop_straight(PolygonMesh& mesh, const std::vector<bool>& whole) {
  const Result<MeshEdges> edges = mesh_edges(mesh.surface());
  if (!edges) return 0; // cannot be: the mesh was built from one whose arrays fit
  const StraightCorners straight(mesh, *edges, whole);
  MeshRebuild rebuild(mesh);
  std::vector<std::uint32_t> kept;
  std::size_t dropped = 0;
  for (std::uint32_t f = 0; f < mesh.face_count(); ++f) {
    kept.clear();
    for (const std::uint32_t c : mesh.face(f)) {
      if (!straight(c)) kept.push_back(c);
    }
    dropped += mesh.face(f).size() - kept.size();
    rebuild.add(kept, f);
  }
  mesh = std::move(rebuild).finish();
  return dropped;
}

} // namespace

Result<MergedMesh> merge_coplanar(const PolygonMesh& mesh, const MergeOptions& options) {
  if (const Result<void> usable = check_usable(mesh); !usable) {
    return tl::unexpected(usable.error());
  }
  if (!(options.thickness >= 0)) {
    return failure(ErrorCode::out_of_range, "the thickness must be a length of 0 or more");
  }
  const Result<MeshEdges> edges = mesh_edges(mesh.surface());
  if (!edges) return tl::unexpected(edges.error());
  const CoplanarRegions regions = coplanar_regions(
      mesh.surface(), *edges, {options.thickness, options.across_materials ? nullptr : &mesh});
  ConvexUnions unions(mesh.vertices, *edges, regions);
  unite_regions(regions, unions);
  unite_reflex(regions, unions);
  unite_neighbours(mesh.vertices, *edges, unions);

  MergedMesh merged;
  merged.regions = regions.count();
  merged.into.resize(mesh.face_count());
  std::vector<std::size_t> made_of;
  std::vector<bool> whole;
  MeshRebuild rebuild(mesh);
  std::vector<std::uint32_t> corners;
  for (std::uint32_t f = 0; f < mesh.face_count(); ++f) {
    const std::uint32_t polygon = unions.polygon_of(f);
    if (polygon == f) { // its lowest face: the first to be met
      merged.into[f] = static_cast<std::uint32_t>(made_of.size());
      corners.clear();
      for (const std::uint32_t h : unions.border(f)) corners.push_back(edges->from(h));
      rebuild.add(corners, f);
      const bool convex = unions.is_convex(f);
      if (regions.of_face[f] != CoplanarRegions::none && !convex) ++merged.not_convex;
      whole.push_back(convex);
      made_of.push_back(0);
    }
    merged.into[f] = merged.into[polygon];
    ++made_of[merged.into[f]];
  }
  for (const std::size_t count : made_of) merged.merged_faces += count > 1 ? count : 0;
  merged.face_of = rebuild.origins();
  merged.mesh = std::move(rebuild).finish();
  if (options.drop_straight_corners) merged.dropped_corners = drop_straight(merged.mesh, whole);
  return merged;
}

} // namespace carom
