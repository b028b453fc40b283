// Triangles to build trees over: meshes by formula, soups full of faults, at any scale and anywhere.
#pragma once

#include "carom/tree/triangle_surface.h"
#include "tests/support/procedural_meshes.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace carom::test {

/// A surface that owns its arrays.
struct Triangles {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;

  [[nodiscard]] TriangleSurface surface() const { return {vertices, triangles}; }
  [[nodiscard]] Aabb box() const {
    Aabb all;
    for (const Vec3& v : vertices) all = {min(all.min, v), max(all.max, v)};
    return all;
  }
};

/// Every face as the fan of its first corner.
inline Triangles triangles_of(const PolygonMesh& mesh) {
  Triangles result{mesh.vertices, {}};
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto c = mesh.face(f);
    for (std::size_t i = 2; i < c.size(); ++i) result.triangles.push_back({c[0], c[i - 1], c[i]});
  }
  return result;
}

inline void add_triangle(Triangles& to, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto first = static_cast<std::uint32_t>(to.vertices.size());
  to.vertices.insert(to.vertices.end(), {a, b, c});
  to.triangles.push_back({first, first + 1, first + 2});
}

/// A number near one that is there: out of range ones become 0.
inline double in_range(double x) { return std::fabs(x) < 1e-30 ? 0 : x; }

/// Scaled, then moved.
inline void place(Triangles& t, double scale, const Vec3& offset) {
  for (Vec3& v : t.vertices) {
    v = v * scale + offset;
    for (int i = 0; i < 3; ++i) v[i] = in_range(v[i]);
  }
}

/// Of several kinds and sizes: large ones, small ones close together, needles, flat ones, points, and copies of those before.
inline Triangles soup(Source& source, int most) {
  Triangles result;
  const int count = source.index(most + 1);
  for (int i = 0; i < count; ++i) {
    const int kind = source.index(8);
    const Vec3 a = vec3(source);
    const Vec3 u = vec3(source);
    const Vec3 v = vec3(source);
    const double small = std::ldexp(1.0, -source.index(30));
    switch (kind) {
    case 0: // a needle
      add_triangle(result, a, a + u, a + u * 0.5 + v * small);
      break;
    case 1: // flat: a segment
      add_triangle(result, a, a + u, a + u * 0.5);
      break;
    case 2: // a point
      add_triangle(result, a, a, a);
      break;
    case 3:
      if (!result.triangles.empty()) {
        result.triangles.push_back(result.triangles[source.below(result.triangles.size())]);
        break;
      }
      [[fallthrough]];
    case 4:
      add_triangle(result, a, a + u, a + v);
      break;
    default:
      add_triangle(result, a, a + u * small, a + v * small);
    }
  }
  return result;
}

/// One of the meshes by formula, of some hundred triangles.
inline Triangles small_mesh(Source& source) {
  switch (source.index(8)) {
  case 0:
    return triangles_of(cube_mesh());
  case 1:
    return triangles_of(sphere_mesh(2, 0.2));
  case 2:
    return triangles_of(torus_mesh(16, 9));
  case 3:
    return triangles_of(terrain_mesh(10));
  case 4:
    return triangles_of(sponge_mesh(1));
  case 5:
    return triangles_of(gear_mesh(7));
  case 6:
    return triangles_of(klein_mesh(12, 8));
  default:
    return triangles_of(moebius_mesh(20, 4));
  }
}

/// A soup or a mesh, mostly where it is, sometimes huge, tiny or far away.
inline Triangles any_triangles(Source& source) {
  Triangles result = source.chance(2) ? small_mesh(source) : soup(source, 60);
  const double by = scale(source);
  const Vec3 to = offset(source);
  place(result, by, to * by);
  return result;
}

} // namespace carom::test
