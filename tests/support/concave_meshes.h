// Closed meshes that are not convex, for tests of decompositions.
#pragma once

#include "carom/math/mat3.h"
#include "tests/support/procedural_meshes.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace carom::test {

/// Three cells around a corner.
inline PolygonMesh l_mesh() {
  return voxel_mesh(2, [](int x, int y, int z) { return z == 0 && (x == 0 || y == 0); });
}
/// Seven cells: three boxes, and no single cut gains anything.
inline PolygonMesh u_mesh() {
  return voxel_mesh(3, [](int x, int y, int z) { return z == 0 && (x != 1 || y == 0); });
}

/// A prism over a star of n points.
inline PolygonMesh star_mesh(std::uint32_t n, double inner = 0.4) {
  PolygonMesh mesh;
  std::vector<std::uint32_t> top;
  std::vector<std::uint32_t> bottom;
  for (std::uint32_t i = 0; i < 2 * n; ++i) {
    const double a = std::numbers::pi * i / n;
    const double r = i % 2 == 0 ? 1 : inner;
    for (const double z : {0.0, 0.5})
      mesh.vertices.push_back({r * std::cos(a), r * std::sin(a), z});
    bottom.insert(bottom.begin(), 2 * i);
    top.push_back(2 * i + 1);
  }
  mesh.add_face(bottom);
  mesh.add_face(top);
  for (std::uint32_t i = 0; i < 2 * n; ++i) {
    const std::uint32_t j = (i + 1) % (2 * n);
    add_face(mesh, {2 * i, 2 * j, 2 * j + 1, 2 * i + 1});
  }
  return mesh;
}

/// Schoenhardt's polyhedron: a prism over a triangle, twisted, its sides folded inward. No tetrahedra at its own vertices fill it.
inline PolygonMesh schoenhardt_mesh(double twist = -0.5) {
  PolygonMesh mesh;
  for (int i = 0; i < 6; ++i) {
    const double a = 2 * std::numbers::pi * (i % 3) / 3 + (i < 3 ? 0 : twist);
    mesh.vertices.push_back({std::cos(a), std::sin(a), i < 3 ? 0.0 : 1.0});
  }
  add_face(mesh, {2, 1, 0});
  add_face(mesh, {3, 4, 5});
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::uint32_t j = (i + 1) % 3;
    // The diagonal that is the longer way round: reflex.
    add_face(mesh, {i, j, i + 3});
    add_face(mesh, {j, j + 3, i + 3});
  }
  return mesh;
}

/// Some of 27 cells: reflex edges and vertices of all kinds, edges of four faces, cavities. The middle one is there.
inline PolygonMesh random_cells_mesh(Source& source) {
  std::array<bool, 27> filled{};
  for (bool& f : filled) f = source.chance(2);
  filled[13] = true;
  return voxel_mesh(
      3, [&](int x, int y, int z) { return filled[static_cast<std::size_t>(x + 3 * y + 9 * z)]; });
}

/// Moved and scaled; every coordinate is rounded once or twice.
inline PolygonMesh placed(PolygonMesh mesh, const Mat3& turn, double scale, const Vec3& by) {
  for (Vec3& v : mesh.vertices) v = turn * v * scale + by;
  return mesh;
}

/// A rotation about no special axis, made of 3-4-5 and 7-24-25 triangles.
inline Mat3 oblique() {
  const Mat3 x{{1, 0, 0}, {0, 0.6, 0.8}, {0, -0.8, 0.6}};
  const Mat3 z{{0.28, 0.96, 0}, {-0.96, 0.28, 0}, {0, 0, 1}};
  return x * z;
}

} // namespace carom::test
