#include "carom/mesh/stitch.h"

#include "carom/mesh/mesh_check.h"
#include "carom/mesh/mesh_edges.h"
#include "carom/mesh/mesh_rebuild.h"
#include "carom/mesh/t_junctions.h"
#include "carom/mesh/weld.h"

#include <algorithm>
#include <utility>

namespace carom {
namespace {

constexpr int max_passes = 8;

struct Insertion {
  std::uint32_t face;
  double square; ///< of the vertex's distance from the edge
  TJunction junction;
};

/// At most one edge of a face for each vertex: the nearest, and the lowest of equally near ones. Along each edge in order.
std::vector<TJunction> insertions(const MeshEdges& edges, std::span<const Vec3> vertices,
                                  std::span<const TJunction> junctions) {
  std::vector<Insertion> all;
  for (const TJunction& t : junctions) {
    const Vec3 a = vertices[edges.from(t.half_edge)] - vertices[t.vertex];
    const Vec3 b = vertices[edges.to(t.half_edge)] - vertices[t.vertex];
    all.push_back({edges.face_of[t.half_edge], length_squared(lerp(a, b, t.at)), t});
  }
  std::sort(all.begin(), all.end(), [](const Insertion& s, const Insertion& t) {
    if (s.face != t.face) return s.face < t.face;
    if (s.junction.vertex != t.junction.vertex) return s.junction.vertex < t.junction.vertex;
    return s.square != t.square ? s.square < t.square : s.junction.half_edge < t.junction.half_edge;
  });
  std::vector<TJunction> chosen;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool again = i > 0 && all[i].face == all[i - 1].face &&
                       all[i].junction.vertex == all[i - 1].junction.vertex;
    if (!again) chosen.push_back(all[i].junction);
  }
  std::sort(chosen.begin(), chosen.end(), [](const TJunction& s, const TJunction& t) {
    if (s.half_edge != t.half_edge) return s.half_edge < t.half_edge;
    return s.at != t.at ? s.at < t.at : s.vertex < t.vertex;
  });
  return chosen;
}

/// The mesh with vertices inserted behind the corners where their half-edges begin.
PolygonMesh with_insertions(const PolygonMesh& mesh, std::span<const TJunction> chosen) {
  MeshRebuild rebuild(mesh);
  std::vector<std::uint32_t> corners;
  std::size_t next = 0;
  for (std::uint32_t f = 0; f < mesh.face_count(); ++f) {
    corners.clear();
    for (std::uint32_t h = mesh.face_begin[f]; h < mesh.face_begin[f + 1]; ++h) {
      corners.push_back(mesh.corners[h]);
      for (; next < chosen.size() && chosen[next].half_edge == h; ++next) {
        corners.push_back(chosen[next].vertex);
      }
    }
    rebuild.add(corners, f);
  }
  return std::move(rebuild).finish();
}

std::size_t count_open(const MeshEdges& edges) {
  std::size_t open = 0;
  for (std::size_t e = 0; e < edges.edge_count(); ++e) open += edges.is_open(e) ? 1 : 0;
  return open;
}

/// Welds the borders; returns whether anything changed, or what is wrong with the tolerance.
Result<bool> weld_borders(StitchedMesh& stitched, double tolerance) {
  const Result<MeshEdges> edges = mesh_edges(stitched.mesh.surface());
  if (!edges) return tl::unexpected(edges.error());
  const auto welding = weld_vertices(stitched.mesh.vertices, tolerance, border_vertices(*edges));
  if (!welding) return tl::unexpected(welding.error());
  if (welding->merged == 0) return false;
  WeldedMesh welded = apply_welding(stitched.mesh, *welding);
  stitched.welded_vertices += welded.merged_vertices;
  stitched.dropped_corners += welded.dropped_corners;
  stitched.dropped_faces += welded.dropped_faces;
  for (std::uint32_t& f : welded.face_of) f = stitched.face_of[f];
  stitched.face_of = std::move(welded.face_of);
  stitched.mesh = std::move(welded.mesh);
  return true;
}

} // namespace

Result<StitchedMesh> stitch(const PolygonMesh& mesh, double tolerance) {
  if (const Result<void> usable = check_usable(mesh); !usable) {
    return tl::unexpected(usable.error());
  }
  StitchedMesh stitched;
  stitched.mesh = mesh;
  stitched.face_of.resize(mesh.face_count());
  for (std::uint32_t f = 0; f < mesh.face_count(); ++f) stitched.face_of[f] = f;
  for (int pass = 0;; ++pass) {
    const Result<bool> welded = weld_borders(stitched, tolerance);
    if (!welded) return tl::unexpected(welded.error());
    const Result<MeshEdges> edges = mesh_edges(stitched.mesh.surface());
    if (!edges) return tl::unexpected(edges.error());
    if (pass == 0) stitched.open_edges_before = count_open(mesh_edges(mesh.surface()).value());
    stitched.open_edges = count_open(*edges);
    const auto junctions = find_t_junctions(*edges, stitched.mesh.vertices, tolerance);
    stitched.t_junctions = junctions.size();
    if (junctions.empty() || pass == max_passes) return stitched;
    const auto chosen = insertions(*edges, stitched.mesh.vertices, junctions);
    stitched.inserted_corners += chosen.size();
    stitched.mesh = with_insertions(stitched.mesh, chosen);
  }
}

} // namespace carom
