#include "carom/mesh/self_intersections.h"

#include "carom/geometry/triangle_neighbours.h"
#include "carom/mesh/mesh_check.h"
#include "carom/mesh/triangulate.h"
#include "carom/tree/triangle_self.h"

#include <algorithm>

namespace carom {
namespace {

/// All faces in triangles, and which face each came from.
struct FaceTriangles {
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::uint32_t> face;
};

FaceTriangles cut_faces(const PolygonSurface& surface) {
  FaceTriangles result;
  std::vector<Vec3> polygon;
  for (std::uint32_t f = 0; f < face_count(surface); ++f) {
    if (!face_is_usable(surface, f)) continue;
    const auto corners = corners_of(surface, f);
    polygon.clear();
    for (const std::uint32_t c : corners)
      if (in_range(surface.vertices[c])) polygon.push_back(surface.vertices[c]);
    if (corners.size() < 3 || polygon.size() < corners.size()) continue;
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      if (is_degenerate({polygon[a], polygon[b], polygon[c]})) return;
      result.triangles.push_back({corners[a], corners[b], corners[c]});
      result.face.push_back(f);
    };
    if (corners.size() == 3) {
      add(0, 1, 2);
    } else {
      for (const auto& [a, b, c] : triangulate(polygon).triangles) add(a, b, c);
    }
  }
  return result;
}

} // namespace

SelfIntersections self_intersections(const PolygonSurface& surface, std::size_t most) {
  const FaceTriangles cut = cut_faces(surface);
  const TriangleSurface triangles{surface.vertices, cut.triangles};
  const TriangleTree tree(triangles);
  SelfIntersections result;
  const std::uint64_t most_tried = 20'000'000 + 256 * cut.triangles.size();
  result.complete = self_meetings(
      {tree, triangles},
      [&](const TrianglePair& pair) {
        const std::uint32_t a = cut.face[pair.a], b = cut.face[pair.b];
        if (a == b) return true;
        if (result.pairs.size() == most) return false;
        result.pairs.push_back({std::min(a, b), std::max(a, b)});
        return true;
      },
      most_tried);
  std::sort(result.pairs.begin(), result.pairs.end());
  result.pairs.erase(std::unique(result.pairs.begin(), result.pairs.end()), result.pairs.end());
  return result;
}

} // namespace carom
