// Sets of points for fitting: generic, and degenerate in every way that a fit may stumble over.
#pragma once

#include "carom/geometry/covariance.h"
#include "carom/geometry/hull_climb.h"
#include "carom/math/predicates.h"
#include "tests/support/generate.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

namespace carom::test {

/// 1 to about 20 points of size about 1: duplicates, on a line, in a plane, on a sphere, corners of a box, a tiny cluster, slivers.
inline std::vector<Vec3> small_cloud(Source& source) {
  std::vector<Vec3> points;
  const int n = 1 + source.index(12);
  const int kind = source.index(9);
  const Vec3 a = vec3(source);
  const Vec3 d = direction(source);
  const Vec3 e = perpendicular(d);
  const double r = positive(source);
  for (int i = 0; i < n; ++i) {
    switch (kind) {
    case 1: // few different places, many times
      points.push_back({source.index(2) * 1.0, source.index(2) * 1.0, source.index(2) * 0.5});
      break;
    case 2:
      points.push_back(a + d * real(source));
      break;
    case 3: {
      const double x = real(source), y = real(source);
      points.push_back(a + d * x + e * y);
      break;
    }
    case 4:
      points.push_back(a + direction(source) * r);
      break;
    case 5: { // exactly on a sphere of radius 3 about the origin
      const int x = 1 + source.index(2);
      points.push_back({source.index(2) ? 1.0 * x : -1.0 * x, source.index(2) ? 2.0 : -2.0,
                        source.index(2) ? 2.0 : -2.0});
      if (max_abs(points.back()) == 2 && points.back().x * points.back().x == 4)
        points.back() = {2, 1, -2};
      break;
    }
    case 6: { // nearly on a line
      const double x = real(source), y = real(source);
      points.push_back(a + d * x + e * std::ldexp(y, -source.index(50)));
      break;
    }
    case 7: // a tiny cluster, and sometimes one far off
      points.push_back(a + halved_vec3(source, 35) * 0x1p-10);
      if (source.chance(6)) points.push_back(vec3(source));
      break;
    default:
      points.push_back(vec3(source));
    }
  }
  return points;
}

/// The same at another scale, and sometimes far from the origin.
inline std::vector<Vec3> cloud(Source& source) {
  std::vector<Vec3> points = small_cloud(source);
  const double s = scale(source);
  const Vec3 o = offset(source);
  for (Vec3& p : points) p = (p + o) * s;
  // Rounding may leave a coordinate below the range: such a number is 0 in Carom.
  for (Vec3& p : points) {
    for (int i = 0; i < 3; ++i) {
      if (std::fabs(p[i]) < 1e-30) p[i] = 0;
    }
  }
  return points;
}

/// The greatest |coordinate|.
inline double size_of(const std::vector<Vec3>& points) {
  double size = 0;
  for (const Vec3& p : points) size = std::max(size, max_abs(p));
  return size;
}

/// A graph that owns its numbers.
struct OwnedGraph {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> first, neighbors;

  [[nodiscard]] HullGraph view() const { return {vertices, first, neighbors}; }
};

inline OwnedGraph make_graph(std::vector<Vec3> vertices,
                             const std::set<std::pair<std::uint32_t, std::uint32_t>>& edges) {
  OwnedGraph g;
  g.vertices = std::move(vertices);
  for (std::uint32_t i = 0; i < g.vertices.size(); ++i) {
    g.first.push_back(static_cast<std::uint32_t>(g.neighbors.size()));
    for (const auto& [a, b] : edges) {
      if (a == i) g.neighbors.push_back(b);
      if (b == i) g.neighbors.push_back(a);
    }
  }
  g.first.push_back(static_cast<std::uint32_t>(g.neighbors.size()));
  return g;
}

/// The surface of the cube [-1, 1]^3 as a grid of n x n squares on each face: most vertices have coplanar neighbours only.
inline OwnedGraph cube_grid(int n) {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> at;
  for (int x = 0; x <= n; ++x) {
    for (int y = 0; y <= n; ++y) {
      for (int z = 0; z <= n; ++z) {
        if (x % n && y % n && z % n) continue;
        at.push_back({x, y, z});
        vertices.push_back({2.0 * x / n - 1, 2.0 * y / n - 1, 2.0 * z / n - 1});
      }
    }
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t i = 0; i < at.size(); ++i) {
    for (std::uint32_t j = i + 1; j < at.size(); ++j) {
      const int steps = std::abs(at[i][0] - at[j][0]) + std::abs(at[i][1] - at[j][1]) +
                        std::abs(at[i][2] - at[j][2]);
      if (steps == 1) edges.insert({i, j});
    }
  }
  return make_graph(std::move(vertices), edges);
}

/// The convex hull of n random points on an ellipsoid, by trying all triples: for few points.
inline OwnedGraph random_hull(Source& source, int n) {
  std::vector<Vec3> vertices;
  const Vec3 radii{1, source.uniform(0.2, 1), source.uniform(0.2, 1)};
  for (int i = 0; i < n; ++i) {
    const Vec3 u =
        normalized(Vec3{source.uniform(-1, 1), source.uniform(-1, 1), source.uniform(-1, 1)});
    vertices.push_back(mul(u, radii));
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  const auto count = static_cast<std::uint32_t>(n);
  for (std::uint32_t a = 0; a < count; ++a) {
    for (std::uint32_t b = a + 1; b < count; ++b) {
      for (std::uint32_t c = b + 1; c < count; ++c) {
        int above = 0;
        int below = 0;
        for (const Vec3& p : vertices) {
          const int side = orient3d(vertices[a], vertices[b], vertices[c], p);
          above += side > 0;
          below += side < 0;
        }
        if (above > 0 && below > 0) continue;
        edges.insert({a, b});
        edges.insert({b, c});
        edges.insert({a, c});
      }
    }
  }
  return make_graph(std::move(vertices), edges);
}

} // namespace carom::test
