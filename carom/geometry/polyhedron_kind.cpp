// A test of neighbouring faces alone is fooled: an extruded pentagram bends outward at every edge. So the test is global: all vertices
// behind every face. Then every face lies on a facet of the convex hull, and a closed surface of such faces covers the hull's surface
// a whole number of times, the same number everywhere. That number must be 1: it can be 2 (take a pyramid on a pentagon, go around
// the pentagon twice, and close it from below in the same way: every vertex is behind every face, and Euler's formula holds).
// It is counted in one place: the faces that look up along an axis, over one point inside one of them.
//
// Edges are checked by sorting the directed ones: each must occur once in each direction. Around a vertex, from one face to the next across
// their common edge, all faces of the vertex must be met.
#include "carom/geometry/polyhedron_kind.h"

#include "carom/geometry/containment.h"
#include "carom/geometry/convexity.h"
#include "carom/geometry/plane.h"
#include "carom/math/predicates.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace carom {
namespace {

/// One side of an edge, with the corner before it in its face.
struct HalfEdge {
  std::uint32_t from, to, before;
  std::size_t face;
};

bool less(const HalfEdge& a, const HalfEdge& b) {
  return std::pair(a.from, a.to) < std::pair(b.from, b.to);
}

bool is_face(FaceIndices face, std::size_t vertex_count) {
  if (face.size() < 3) return false;
  std::vector<std::uint32_t> sorted(face.begin(), face.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted.back() < vertex_count &&
         std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

std::vector<HalfEdge> sorted_half_edges(std::span<const FaceIndices> faces) {
  std::vector<HalfEdge> edges;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const FaceIndices face = faces[f];
    const std::size_t n = face.size();
    for (std::size_t i = 0; i < n; ++i)
      edges.push_back({face[i], face[(i + 1) % n], face[(i + n - 1) % n], f});
  }
  std::stable_sort(edges.begin(), edges.end(), less);
  return edges;
}

using Edges = std::vector<HalfEdge>;

std::pair<Edges::const_iterator, Edges::const_iterator> find(const Edges& edges, std::uint32_t from,
                                                             std::uint32_t to) {
  return std::equal_range(edges.begin(), edges.end(), HalfEdge{from, to, 0, 0}, less);
}

/// Each edge once in each direction?
std::optional<PolyhedronKind> edge_defect(const Edges& edges) {
  std::optional<PolyhedronKind> defect;
  for (const HalfEdge& e : edges) {
    const auto along = find(edges, e.from, e.to);
    const auto against = find(edges, e.to, e.from);
    const auto forth = along.second - along.first;
    const auto back = against.second - against.first;
    if (forth + back > 2) return PolyhedronKind::not_manifold;
    if (back != 1) defect = PolyhedronKind::open; // also where two go forth
  }
  return defect;
}

/// All faces of each vertex in one fan? The edges are sorted by `from`, and have passed `edge_defect`.
bool fans_are_whole(const Edges& edges) {
  for (auto first = edges.begin(); first != edges.end();) {
    const auto end =
        std::find_if(first, edges.end(), [&](const HalfEdge& e) { return e.from != first->from; });
    const auto count = end - first;
    auto e = first;
    for (auto steps = count; steps > 1; --steps) {
      e = find(edges, e->from, e->before).first;
      if (e == first) return false;
    }
    first = end;
  }
  return true;
}

bool is_connected(const Edges& edges, std::size_t face_count) {
  std::vector<std::size_t> leader(face_count);
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  const auto root = [&](std::size_t f) {
    while (leader[f] != f) f = leader[f] = leader[leader[f]];
    return f;
  };
  std::size_t components = face_count;
  for (const HalfEdge& e : edges) {
    const std::size_t a = root(e.face);
    const std::size_t b = root(find(edges, e.to, e.from).first->face);
    if (a == b) continue;
    leader[std::max(a, b)] = std::min(a, b);
    --components;
  }
  return components == 1;
}

/// The corners of a face, without those that are straight to within the tolerance.
std::vector<Vec3> corners_of(std::span<const Vec3> vertices, FaceIndices face, double tolerance) {
  std::vector<Vec3> corners;
  const std::size_t n = face.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3& p = vertices[face[i]];
    const Vec3& a = corners.empty() ? vertices[face[n - 1]] : corners.back();
    const Vec3& b = vertices[face[(i + 1) % n]];
    const Vec3 along = normalized(b - a);
    const bool straight = tolerance > 0 && n > 3 && dot(p - a, along) > 0 &&
                          dot(b - p, along) > 0 && length(cross(p - a, along)) <= tolerance;
    if (!straight) corners.push_back(p);
  }
  return corners;
}

/// The widest triangle at the first corner, in the order of the outline: it has the outline's orientation, if that is convex.
Triangle widest_triangle(std::span<const Vec3> corners) {
  std::size_t b = 0;
  std::size_t c = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (distance_squared(corners[i], corners[0]) > distance_squared(corners[b], corners[0])) b = i;
  }
  const auto width = [&](std::size_t i) {
    return length_squared(cross(corners[b] - corners[0], corners[i] - corners[0]));
  };
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (width(i) > width(c)) c = i;
  }
  if (width(c) == 0) {
    // No width to be seen in doubles; any triangle with exact area is as good.
    for (std::size_t i = 1; i < corners.size(); ++i) {
      if (i != b) c = i;
    }
  }
  return {corners[0], corners[std::min(b, c)], corners[std::max(b, c)]};
}

struct Face {
  std::vector<Vec3> corners;
  Triangle plane; ///< three of the corners, counter-clockwise, that span its plane
  Vec3 normal;    ///< of unit length
};

/// 1 when p is in front of the face's plane, -1 when behind, 0 when on it. Within the tolerance counts as on it.
int side_of(const Face& face, const Vec3& p, double tolerance) {
  const Triangle& t = face.plane;
  if (tolerance > 0 && std::fabs(dot(face.normal, p - t.a)) <= tolerance) return 0;
  return orient3d(t.a, t.b, t.c, p);
}

bool is_flat(const Face& face, double tolerance) {
  return std::all_of(face.corners.begin(), face.corners.end(),
                     [&](const Vec3& p) { return side_of(face, p, tolerance) == 0; });
}

Vec2 drop_axis(const Vec3& v, int axis) {
  return axis == 0 ? Vec2{v.y, v.z} : axis == 1 ? Vec2{v.z, v.x} : Vec2{v.x, v.y};
}

/// How many faces that look up along the axis lie over a point strictly inside one of them; 0 where no such point was found.
int times_covered(std::span<const Face> faces, int axis) {
  std::vector<std::vector<Vec2>> shadows;
  std::vector<Vec2> middles;
  for (const Face& face : faces) {
    const Vec2 a = drop_axis(face.plane.a, axis);
    const Vec2 b = drop_axis(face.plane.b, axis);
    const Vec2 c = drop_axis(face.plane.c, axis);
    if (orient2d(a, b, c) <= 0) continue;
    std::vector<Vec2> shadow;
    for (const Vec3& p : face.corners) shadow.push_back(drop_axis(p, axis));
    shadows.push_back(std::move(shadow));
    middles.push_back(a + ((b - a) + (c - a)) / 3);
  }
  for (std::size_t i = 0; i < shadows.size(); ++i) {
    if (locate_in_polygon(middles[i], shadows[i]) != Containment::inside) continue;
    return static_cast<int>(std::count_if(shadows.begin(), shadows.end(), [&](const auto& shadow) {
      return locate_in_polygon(middles[i], shadow) != Containment::outside;
    }));
  }
  return 0;
}

} // namespace

PolyhedronKind polyhedron_kind(std::span<const Vec3> vertices, std::span<const FaceIndices> faces,
                               double tolerance) {
  for (const FaceIndices& f : faces) {
    if (!is_face(f, vertices.size())) return PolyhedronKind::bad_face;
  }
  const Edges edges = sorted_half_edges(faces);
  if (const auto defect = edge_defect(edges)) return *defect;
  if (!fans_are_whole(edges)) return PolyhedronKind::not_manifold;
  if (!is_connected(edges, faces.size())) return PolyhedronKind::disconnected;

  std::vector<bool> used(vertices.size());
  for (const HalfEdge& e : edges) used[e.from] = true;
  std::vector<Face> outlines;
  for (const FaceIndices& f : faces) {
    std::vector<Vec3> corners = corners_of(vertices, f, tolerance);
    if (!convexity(corners).convex()) return PolyhedronKind::not_convex;
    const Triangle plane = widest_triangle(corners);
    outlines.push_back({std::move(corners), plane, make_plane(plane.a, plane.b, plane.c).normal});
    if (!is_flat(outlines.back(), tolerance)) return PolyhedronKind::not_convex;
  }
  bool solid = false;
  for (const Face& face : outlines) {
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const int side = used[i] ? side_of(face, vertices[i], tolerance) : 0;
      if (side > 0) return PolyhedronKind::not_convex;
      solid = solid || side < 0;
    }
  }
  if (!solid) return PolyhedronKind::flat;
  for (int axis = 0; axis < 3; ++axis) {
    if (const int times = times_covered(outlines, axis); times > 0)
      return times == 1 ? PolyhedronKind::convex : PolyhedronKind::not_convex;
  }
  return PolyhedronKind::flat;
}

} // namespace carom
