#include "carom/mesh/face_turns.h"

#include "carom/math/expansion.h"
#include "carom/math/predicates.h"
#include "carom/mesh/mesh_check.h"

#include <cmath>

namespace carom {
namespace {

/// body(a, b, c) for the triangles of the faces.
template<class Body>
void for_each_triangle(const PolygonSurface& surface, std::span<const std::uint32_t> faces,
                       Body&& body) {
  for (const std::uint32_t f : faces) {
    const auto corners = corners_of(surface, f);
    for (std::size_t i = 2; i < corners.size(); ++i) {
      body(surface.vertices[corners[0]], surface.vertices[corners[i - 1]],
           surface.vertices[corners[i]]);
    }
  }
}

predicate::Row3<Expansion<1>> exact_row(const Vec3& v) { return {v.x, v.y, v.z}; }

/// Six times the volume is the sum of a.(b x c) over the triangles; for a closed surface the origin does not matter, so that the exact
/// sum needs no differences.
int exact_volume_sign(const PolygonSurface& surface, std::span<const std::uint32_t> faces) {
  Expansion<expansion::max_terms> sum;
  for_each_triangle(surface, faces, [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    sum = sum + predicate::det3(exact_row(a), exact_row(b), exact_row(c));
  });
  return sum.sign();
}

} // namespace

FaceTurns face_turns(const MeshEdges& edges) {
  FaceTurns turns;
  turns.patches = mesh_components(edges, Connection::manifold);
  turns.turned.resize(edges.face_count());
  turns.orientable.assign(turns.patches.count, true);
  std::vector<bool> reached(edges.face_count());
  std::vector<std::uint32_t> queue;
  const auto disagree = [&](std::uint32_t h, std::uint32_t other) {
    const bool turned = turns.turned[edges.face_of[h]] != turns.turned[edges.face_of[other]];
    return (edges.ascends(h) == edges.ascends(other)) != turned;
  };
  for (std::uint32_t first = 0; first < edges.face_count(); ++first) {
    if (reached[first]) continue;
    reached[first] = true;
    queue.assign(1, first);
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const std::uint32_t f = queue[at];
      for (std::uint32_t h = edges.face_begin[f]; h < edges.face_begin[f + 1]; ++h) {
        const std::uint32_t edge = edges.edge_of[h];
        if (edge == MeshEdges::none || !edges.is_manifold(edge)) continue;
        const auto pair = edges.half_edges(edge);
        const std::uint32_t other = pair[0] == h ? pair[1] : pair[0];
        const std::uint32_t g = edges.face_of[other];
        if (reached[g]) continue;
        reached[g] = true;
        turns.turned[g] = turns.turned[f];
        if (disagree(h, other)) turns.turned[g] = !turns.turned[g];
        queue.push_back(g);
      }
    }
  }
  for (std::uint32_t edge = 0; edge < edges.edge_count(); ++edge) {
    if (!edges.is_manifold(edge)) continue;
    const auto pair = edges.half_edges(edge);
    if (!disagree(pair[0], pair[1])) continue;
    turns.conflicts.push_back(edge);
    turns.orientable[turns.patches.of_face[edges.face_of[pair[0]]]] = false;
  }
  return turns;
}

int volume_sign(const PolygonSurface& surface, std::span<const std::uint32_t> faces) {
  // In double first, about a point of the surface. A term passes through 8 roundings at most, and one for each addition to the sum.
  double sum = 0;
  double magnitude = 0;
  std::size_t terms = 0;
  const Vec3* origin = nullptr;
  for_each_triangle(surface, faces, [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    if (origin == nullptr) origin = &a;
    const Vec3 u = a - *origin;
    const Vec3 v = b - *origin;
    const Vec3 w = c - *origin;
    sum += predicate::det3(predicate::row(u), predicate::row(v), predicate::row(w));
    magnitude += predicate::det3_magnitude(u, v, w);
    ++terms;
  });
  if (std::fabs(sum) > (2 * static_cast<double>(terms) + 20) * 0x1p-53 * magnitude) {
    return predicate::sign_of_nonzero(sum);
  }
  return exact_volume_sign(surface, faces);
}

} // namespace carom
