#include "carom/mesh/coplanar_regions.h"

#include "carom/geometry/convexity.h"
#include "carom/math/predicates.h"
#include "carom/mesh/degenerate_faces.h"
#include "carom/mesh/mesh_check.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace carom {
namespace {

/// The plane of a seed: exactly, by three of its corners, and in double, by its area.
struct SeedPlane {
  std::array<Vec3, 3> exact; ///< not on a line
  Vec3 normal;               ///< unit
  double height = 0;         ///< of the plane above exact[0], along the normal
  double allowed = 0;        ///< half the thickness

  [[nodiscard]] bool holds(const Vec3& p) const {
    if (orient3d(exact[0], exact[1], exact[2], p) == 0) return true;
    return std::fabs(dot(normal, p - exact[0]) - height) <= allowed;
  }
};

/// Twice the area, with the direction of the normal (Newell), about the first corner.
Vec3 area_of(const PolygonSurface& surface, std::span<const std::uint32_t> corners) {
  Vec3 sum;
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const Vec3& origin = surface.vertices[corners[0]];
    sum += cross(surface.vertices[corners[i - 1]] - origin, surface.vertices[corners[i]] - origin);
  }
  return sum;
}

/// Faces without a plane of their own have none.
bool find_plane(const PolygonSurface& surface, std::size_t f, double thickness, SeedPlane& plane) {
  const auto corners = corners_of(surface, f);
  if (corners.size() < 3) return false;
  const auto at = [&](std::size_t i) { return surface.vertices[corners[i]]; };
  // The first three corners that are not on a line.
  std::size_t second = 1;
  while (second < corners.size() && at(second) == at(0)) ++second;
  std::size_t third = second + 1;
  while (third < corners.size() && collinear(at(0), at(second), at(third))) ++third;
  if (third >= corners.size()) return false;
  plane.exact = {at(0), at(second), at(third)};
  plane.normal = normalized(area_of(surface, corners));
  plane.allowed = 0.5 * thickness;
  plane.height = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    plane.height += dot(plane.normal, at(i) - plane.exact[0]) / static_cast<double>(corners.size());
  }
  return true;
}

/// Whether a face appears counter-clockwise: exactly where it is convex, else by its area.
bool faces_front(const PolygonSurface& surface, std::size_t f, const FlatView& view,
                 std::vector<Vec2>& polygon) {
  const auto corners = corners_of(surface, f);
  polygon.clear();
  for (const std::uint32_t c : corners) polygon.push_back(view(surface.vertices[c]));
  const PolygonConvexity shape = convexity(polygon);
  if (shape.convex()) return shape.winding > 0;
  double area = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    const Vec2 a = polygon[i - 1] - polygon[0];
    const Vec2 b = polygon[i] - polygon[0];
    area += a.x * b.y - a.y * b.x;
  }
  return area > 0;
}

/// Grows regions one at a time.
class Growth {
public:
  Growth(const PolygonSurface& surface, const MeshEdges& edges, const RegionOptions& options)
      : surface_(surface), edges_(edges), options_(options) {
    regions_.of_face.assign(face_count(surface), CoplanarRegions::none);
    if (options.kin == nullptr) return;
    part_.resize(face_count(surface));
    const auto& parts = options.kin->parts;
    std::uint32_t part = 0;
    for (std::uint32_t f = 0; f < part_.size(); ++f) {
      while (part < parts.size() && parts[part].first_face <= f) ++part;
      part_[f] = part;
    }
  }

  void grow_from(std::uint32_t seed) {
    SeedPlane plane;
    if (regions_.of_face[seed] != CoplanarRegions::none) return;
    if (!find_plane(surface_, seed, options_.thickness, plane)) return;
    const int axis = largest_axis(plane.normal);
    const FlatView view{axis, plane.normal[axis] > 0};
    if (!belongs(seed, seed, plane, view)) return;
    const auto number = static_cast<std::uint32_t>(regions_.count());
    regions_.view.push_back(view);
    regions_.of_face[seed] = number;
    std::vector<std::uint32_t> queue = {seed};
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const std::uint32_t f = queue[at];
      for (std::uint32_t h = edges_.face_begin[f]; h < edges_.face_begin[f + 1]; ++h) {
        const std::uint32_t edge = edges_.edge_of[h];
        if (edge == MeshEdges::none || !edges_.is_manifold(edge)) continue;
        if (edges_.excess(edge) != 0) continue;
        const auto pair = edges_.half_edges(edge);
        const std::uint32_t g = edges_.face_of[pair[0] == h ? pair[1] : pair[0]];
        if (regions_.of_face[g] != CoplanarRegions::none) continue;
        if (!belongs(g, seed, plane, view)) continue;
        regions_.of_face[g] = number;
        queue.push_back(g);
      }
    }
  }

  [[nodiscard]] CoplanarRegions take() { return std::move(regions_); }

private:
  bool belongs(std::uint32_t f, std::uint32_t seed, const SeedPlane& plane, const FlatView& view) {
    if (options_.kin != nullptr) {
      const auto& materials = options_.kin->materials;
      if (!materials.empty() && materials[f] != materials[seed]) return false;
      if (part_[f] != part_[seed]) return false;
    }
    const auto corners = corners_of(surface_, f);
    const bool within = std::all_of(corners.begin(), corners.end(), [&](std::uint32_t c) {
      return plane.holds(surface_.vertices[c]);
    });
    return within && faces_front(surface_, f, view, polygon_);
  }

  const PolygonSurface& surface_;
  const MeshEdges& edges_;
  const RegionOptions& options_;
  CoplanarRegions regions_;
  std::vector<std::uint32_t> part_; ///< per face, where there are parts to respect
  std::vector<Vec2> polygon_;
};

} // namespace

CoplanarRegions coplanar_regions(const PolygonSurface& surface, const MeshEdges& edges,
                                 const RegionOptions& options) {
  std::vector<double> area(face_count(surface));
  for (std::size_t f = 0; f < area.size(); ++f) {
    area[f] = length(area_of(surface, corners_of(surface, f)));
  }
  std::vector<std::uint32_t> order(area.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::sort(order.begin(), order.end(), [&](std::uint32_t f, std::uint32_t g) {
    return area[f] != area[g] ? area[f] > area[g] : f < g;
  });
  Growth growth(surface, edges, options);
  for (const std::uint32_t f : order) growth.grow_from(f);
  return growth.take();
}

} // namespace carom
