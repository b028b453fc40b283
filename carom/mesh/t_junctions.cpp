// For each open edge, the border vertices near it are found in a tree of points; each is then tested, exactly first, then by distance.
#include "carom/mesh/t_junctions.h"

#include "carom/mesh/degenerate_faces.h"
#include "carom/mesh/point_tree.h"

#include <algorithm>

namespace carom {
namespace {

/// An edge with what the tests against it need.
struct OpenEdge {
  Vec3 a, b;
  double tolerance; ///< >= 0
};

/// Whether p lies on the segment, and is neither end. On the line through both, it lies between where every coordinate does.
bool exactly_inside(const OpenEdge& edge, const Vec3& p) {
  const Vec3 low = min(edge.a, edge.b);
  const Vec3 high = max(edge.a, edge.b);
  if (min(low, p) != low || max(high, p) != high) return false;
  return p != edge.a && p != edge.b && collinear(edge.a, edge.b, p);
}

/// Where along the edge its point nearest to p lies.
double nearest_at(const OpenEdge& edge, const Vec3& p) {
  const Vec3 along = edge.b - edge.a;
  const double t = dot(p - edge.a, along) / length_squared(along);
  return t > 0 ? (t < 1 ? t : 1) : 0;
}

bool nearly_inside(const OpenEdge& edge, const Vec3& p) {
  if (!(edge.tolerance > 0)) return false;
  const double reach = edge.tolerance * edge.tolerance;
  if (!(distance_squared(p, edge.a) > reach && distance_squared(p, edge.b) > reach)) return false;
  // As seen from p, so that the distance of a point close to the edge keeps its digits.
  return length_squared(lerp(edge.a - p, edge.b - p, nearest_at(edge, p))) <= reach;
}

/// False only where no point of the box can be inside the edge. Boxes first; then, for long edges that run across the axes, the
/// ball around the box, with a margin for rounding.
bool reaches(const OpenEdge& edge, const Aabb& box) {
  const Vec3 low = min(edge.a, edge.b);
  const Vec3 high = max(edge.a, edge.b);
  const double size = std::max(max_abs(low), max_abs(high)) + max_abs(box.min) + max_abs(box.max);
  const double slack = edge.tolerance > 0 ? edge.tolerance + 1e-12 * size : 0;
  for (int i = 0; i < 3; ++i) {
    if (low[i] - slack > box.max[i] || high[i] + slack < box.min[i]) return false;
  }
  const Vec3 middle = box.min + (box.max - box.min) * 0.5;
  const double radius = 0.5 * length(box.max - box.min) + edge.tolerance + 1e-12 * size;
  return !(length(lerp(edge.a - middle, edge.b - middle, nearest_at(edge, middle))) > radius);
}

bool is_corner(const MeshEdges& edges, std::uint32_t face, std::uint32_t vertex) {
  const auto begin = edges.corners.begin() + edges.face_begin[face];
  const auto end = edges.corners.begin() + edges.face_begin[face + 1];
  return std::find(begin, end, vertex) != end;
}

} // namespace

std::vector<std::uint32_t> border_vertices(const MeshEdges& edges) {
  std::vector<std::uint32_t> border;
  for (std::size_t edge = 0; edge < edges.edge_count(); ++edge) {
    if (!edges.is_open(edge)) continue;
    border.push_back(edges.ends[edge].low);
    border.push_back(edges.ends[edge].high);
  }
  std::sort(border.begin(), border.end());
  border.erase(std::unique(border.begin(), border.end()), border.end());
  return border;
}

std::vector<TJunction> find_t_junctions(const MeshEdges& edges, std::span<const Vec3> vertices,
                                        double tolerance) {
  const PointTree tree(vertices, border_vertices(edges));
  std::vector<TJunction> found;
  for (std::size_t e = 0; e < edges.edge_count(); ++e) {
    if (!edges.is_open(e)) continue;
    const std::uint32_t h = edges.half_edges(e)[0];
    const OpenEdge edge{vertices[edges.from(h)], vertices[edges.to(h)],
                        tolerance > 0 ? tolerance : 0};
    if (!is_finite(edge.a) || !is_finite(edge.b) || edge.a == edge.b) continue;
    tree.visit([&](const Aabb& box) { return reaches(edge, box); },
               [&](std::uint32_t v) {
                 const Vec3& p = vertices[v];
                 if (!exactly_inside(edge, p) && !nearly_inside(edge, p)) return;
                 if (is_corner(edges, edges.face_of[h], v)) return;
                 found.push_back({v, h, nearest_at(edge, p)});
               });
  }
  std::sort(found.begin(), found.end(), [](const TJunction& s, const TJunction& t) {
    if (s.half_edge != t.half_edge) return s.half_edge < t.half_edge;
    return s.at != t.at ? s.at < t.at : s.vertex < t.vertex;
  });
  return found;
}

} // namespace carom
