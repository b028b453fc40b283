// Quickhull: the surface of a solid convex hull as triangles. A part of convex_hull.h, which makes faces of them.
#pragma once

#include "carom/math/vec3.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {
namespace hull_surface {

inline constexpr std::uint32_t none = 0xffffffff;

/// A triangle of the surface, counter-clockwise seen from outside, and never degenerate.
struct Facet {
  std::array<std::uint32_t, 3> vertex{};   ///< none in the first: a free place, no triangle
  std::array<std::uint32_t, 3> neighbor{}; ///< across the edge from vertex[i] to vertex[i + 1]
  /// (vertex[1] - vertex[0]) x (vertex[2] - vertex[0]), rounded; and the bound of the rounding error of normal . (p - vertex[0]) for
  /// all points p of the input.
  Vec3 normal;
  double error = 0;
  std::uint32_t begin = 0;    ///< the points outside that are kept with it: where in the store,
  std::uint32_t count = 0;    ///< how many,
  std::uint32_t farthest = 0; ///< and which of them is farthest from its plane
  std::uint32_t mark = 0;     ///< the search that saw it last
};

/// A closed surface of triangles around all of the points (but those in `outside`), exactly; weakly convex: neighbours may be coplanar, and vertices may lie inside
/// an edge or a face of the hull.
struct Surface {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> source; ///< which input point each is: the first of equals
  std::vector<Facet> facets;         ///< with free places among them
  std::vector<std::uint32_t>
      outside; ///< where stopped at the limit: the input points that are outside
};

/// The surface of the points' hull, begun at four of them that are not coplanar, each the first of equals. `vertex_limit` 0: all of it; else
/// at most so many vertices, and at least 4, the farthest point taken each time.
[[nodiscard]] Surface build(std::span<const Vec3> points,
                            const std::array<std::uint32_t, 4>& simplex,
                            std::uint32_t vertex_limit = 0);

/// The sign of the exact volume of facet and point p: 1 outside its plane, 0 on it, -1 inside. The point is one of the input.
[[nodiscard]] int side_of(const Surface& surface, const Facet& facet, const Vec3& p);

} // namespace hull_surface
} // namespace carom
