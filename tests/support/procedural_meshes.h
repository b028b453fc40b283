// Meshes made by formula, for tests and benches without data: closed and open, of any size, faultless or full of faults.
#pragma once

#include "carom/mesh/polygon_mesh.h"
#include "tests/support/generate.h"
#include "tests/support/source.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <numbers>
#include <tuple>
#include <utility>
#include <vector>

namespace carom::test {

inline void add_face(PolygonMesh& mesh, std::initializer_list<std::uint32_t> corners) {
  mesh.add_face(std::vector<std::uint32_t>(corners));
}

/// A copy of another mesh's surface, added with its own vertices.
inline void append(PolygonMesh& mesh, const PolygonMesh& other, const Vec3& offset = {}) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Vec3& v : other.vertices) mesh.vertices.push_back(v + offset);
  for (std::size_t f = 0; f < other.face_count(); ++f) {
    std::vector<std::uint32_t> corners(other.face(f).begin(), other.face(f).end());
    for (std::uint32_t& c : corners) c += first;
    mesh.add_face(corners);
  }
}

/// Each quad cut in two triangles, every larger face into the fan of its first corner.
inline PolygonMesh fanned(const PolygonMesh& mesh) {
  PolygonMesh out;
  out.vertices = mesh.vertices;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto c = mesh.face(f);
    for (std::size_t i = 2; i < c.size(); ++i) add_face(out, {c[0], c[i - 1], c[i]});
  }
  return out;
}

/// Face f wound the other way; it begins at the same corner.
inline void turn_face(PolygonMesh& mesh, std::size_t f) {
  if (mesh.face(f).empty()) return;
  std::reverse(mesh.corners.begin() + mesh.face_begin[f] + 1,
               mesh.corners.begin() + mesh.face_begin[f + 1]);
}

/// The cube [0, size]^3 of six squares, at 8 vertices.
inline PolygonMesh cube_mesh(double size = 1) {
  PolygonMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.push_back({i & 1 ? size : 0.0, i & 2 ? size : 0.0, i & 4 ? size : 0.0});
  }
  add_face(mesh, {0, 4, 6, 2});
  add_face(mesh, {1, 3, 7, 5});
  add_face(mesh, {0, 1, 5, 4});
  add_face(mesh, {2, 6, 7, 3});
  add_face(mesh, {0, 2, 3, 1});
  add_face(mesh, {4, 5, 7, 6});
  return mesh;
}

/// An n by m grid of quads over (u, v) in 0 .. 1, at point(u, v). Where wrapped, the last column joins the first.
struct GridOptions {
  bool wrap_u = false, wrap_v = false;
  bool flip_u = false; ///< the last column joins the first upside down
};
inline PolygonMesh grid_mesh(std::uint32_t n, std::uint32_t m,
                             const std::function<Vec3(double, double)>& point,
                             const GridOptions& options = {}) {
  PolygonMesh mesh;
  const std::uint32_t columns = options.wrap_u ? n : n + 1;
  const std::uint32_t rows = options.wrap_v ? m : m + 1;
  for (std::uint32_t i = 0; i < columns; ++i) {
    for (std::uint32_t j = 0; j < rows; ++j) {
      mesh.vertices.push_back(point(static_cast<double>(i) / n, static_cast<double>(j) / m));
    }
  }
  const auto at = [&](std::uint32_t i, std::uint32_t j) {
    if (i == n && options.wrap_u) {
      i = 0;
      // Upside down: row j meets row -j of a closed column, or m - j of an open one.
      if (options.flip_u) j = m - j;
    }
    return i * rows + (options.wrap_v ? j % m : j);
  };
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < m; ++j) {
      add_face(mesh, {at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return mesh;
}

/// A torus of radii 2 and `tube`, of n by m quads.
inline PolygonMesh torus_mesh(std::uint32_t n, std::uint32_t m, double tube = 0.75) {
  return grid_mesh(n, m,
                   [=](double u, double v) {
                     const double a = 2 * std::numbers::pi * u;
                     const double b = 2 * std::numbers::pi * v;
                     const double r = 2 + tube * std::cos(b);
                     return Vec3{r * std::cos(a), r * std::sin(a), tube * std::sin(b)};
                   },
                   {.wrap_u = true, .wrap_v = true});
}

/// Hills over [0, 1]^2, of n by n quads: open.
inline PolygonMesh terrain_mesh(std::uint32_t n) {
  return grid_mesh(n, n, [](double u, double v) {
    const double h = std::sin(7 * u) * std::cos(5 * v) + 0.3 * std::sin(23 * u + 17 * v);
    return Vec3{u, v, 0.1 * h};
  });
}

/// n by m quads with half a twist.
inline PolygonMesh moebius_mesh(std::uint32_t n, std::uint32_t m) {
  return grid_mesh(n, m,
                   [](double u, double v) {
                     const double a = 2 * std::numbers::pi * u;
                     const double r = 2 + (v - 0.5) * std::cos(a / 2);
                     return Vec3{r * std::cos(a), r * std::sin(a), (v - 0.5) * std::sin(a / 2)};
                   },
                   {.wrap_u = true, .flip_u = true});
}

/// The Klein bottle as a tube joined to itself upside down: it passes through itself.
inline PolygonMesh klein_mesh(std::uint32_t n, std::uint32_t m) {
  return grid_mesh(n, m,
                   [](double u, double v) {
                     const double a = 2 * std::numbers::pi * u;
                     const double b = 2 * std::numbers::pi * v;
                     const double along =
                         std::cos(a / 2) * std::sin(b) - std::sin(a / 2) * std::sin(2 * b);
                     const double up =
                         std::sin(a / 2) * std::sin(b) + std::cos(a / 2) * std::sin(2 * b);
                     return Vec3{(3 + along) * std::cos(a), (3 + along) * std::sin(a), up};
                   },
                   {.wrap_u = true, .wrap_v = true, .flip_u = true});
}

/// An octahedron whose triangles are divided n times in four, pushed to radius 1 + bump: 8 * 4^n triangles.
inline PolygonMesh sphere_mesh(int n, double bump = 0) {
  PolygonMesh mesh;
  mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  std::vector<std::array<std::uint32_t, 3>> triangles = {
      {0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int level = 0; level < n; ++level) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto [at, fresh] = middles.try_emplace(
          {std::min(a, b), std::max(a, b)}, static_cast<std::uint32_t>(mesh.vertices.size()));
      if (fresh) mesh.vertices.push_back(normalized(mesh.vertices[a] + mesh.vertices[b]));
      return at->second;
    };
    std::vector<std::array<std::uint32_t, 3>> finer;
    for (const auto& [a, b, c] : triangles) {
      const std::uint32_t ab = middle(a, b);
      const std::uint32_t bc = middle(b, c);
      const std::uint32_t ca = middle(c, a);
      finer.push_back({a, ab, ca});
      finer.push_back({ab, b, bc});
      finer.push_back({ca, bc, c});
      finer.push_back({ab, bc, ca});
    }
    triangles = std::move(finer);
  }
  for (const auto& [a, b, c] : triangles) add_face(mesh, {a, b, c});
  for (Vec3& v : mesh.vertices) {
    v = v * (1 + bump * std::sin(9 * v.x) * std::sin(8 * v.y + 1) * std::cos(7 * v.z));
  }
  return mesh;
}

/// The surface of a set of unit cells of a lattice: quads at shared corners, wound outward. inside(x, y, z) for 0 <= x, y, z < n.
inline PolygonMesh voxel_mesh(int n, const std::function<bool(int, int, int)>& inside) {
  PolygonMesh mesh;
  std::map<std::tuple<int, int, int>, std::uint32_t> numbers;
  const auto corner = [&](int x, int y, int z) {
    const auto [at, fresh] =
        numbers.try_emplace({x, y, z}, static_cast<std::uint32_t>(mesh.vertices.size()));
    if (fresh) {
      mesh.vertices.push_back(
          {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)});
    }
    return at->second;
  };
  const auto filled = [&](std::array<int, 3> c) {
    for (const int x : c) {
      if (x < 0 || x >= n) return false;
    }
    return inside(c[0], c[1], c[2]);
  };
  const PolygonMesh cube = cube_mesh();
  for (int cell = 0; cell < n * n * n; ++cell) {
    const std::array<int, 3> c = {cell % n, cell / n % n, cell / n / n};
    if (!filled(c)) continue;
    for (int side = 0; side < 6; ++side) {
      // The cube's faces come in the order x low, x high, y low ...
      std::array<int, 3> beyond = c;
      beyond[static_cast<std::size_t>(side / 2)] += side % 2 == 0 ? -1 : 1;
      if (filled(beyond)) continue;
      std::vector<std::uint32_t> corners;
      for (const std::uint32_t v : cube.face(static_cast<std::size_t>(side))) {
        const Vec3& p = cube.vertices[v];
        corners.push_back(corner(c[0] + static_cast<int>(p.x), c[1] + static_cast<int>(p.y),
                                 c[2] + static_cast<int>(p.z)));
      }
      mesh.add_face(corners);
    }
  }
  return mesh;
}

/// Menger's sponge of 3^n cells a side: closed, of genus 5 for n = 1 and 81 for n = 2.
inline PolygonMesh sponge_mesh(int n) {
  int size = 1;
  for (int i = 0; i < n; ++i) size *= 3;
  return voxel_mesh(size, [size](int x, int y, int z) {
    for (int s = size; s > 1; s /= 3) {
      const int middles = (x % 3 == 1) + (y % 3 == 1) + (z % 3 == 1);
      if (middles >= 2) return false;
      x /= 3;
      y /= 3;
      z /= 3;
    }
    return true;
  });
}

/// A gear of n teeth with a hole through its middle: two concave rings of quads and their sides. Closed, of genus 1.
inline PolygonMesh gear_mesh(std::uint32_t n) {
  const std::uint32_t steps = 4 * n; // a tooth is four corners: up, along, down, along
  return grid_mesh(steps, 4,
                   [=](double u, double v) {
                     const double a = 2 * std::numbers::pi * u;
                     const auto step = static_cast<std::uint32_t>(std::lround(u * steps));
                     const double outer = step % 4 < 2 ? 1.2 : 1.0;
                     const auto side = static_cast<int>(std::lround(v * 4));
                     const double r = side == 0 || side == 3 ? 0.4 : outer;
                     return Vec3{r * std::cos(a), r * std::sin(a), side < 2 ? 0 : 0.3};
                   },
                   {.wrap_u = true, .wrap_v = true});
}

/// Faces thrown together: any number of corners, vertices that coincide, lie on lines and come close, faces twice and inside out.
inline PolygonMesh soup_mesh(Source& source, int most_vertices = 12, int most_faces = 14) {
  PolygonMesh mesh;
  const int vertices = source.index(most_vertices) + 1;
  for (int i = 0; i < vertices; ++i) {
    const int kind = source.index(8);
    const Vec3 fresh = vec3(source);
    const Vec3 old =
        mesh.vertices.empty() ? Vec3{} : mesh.vertices[source.below(mesh.vertices.size())];
    const Vec3 hair = fresh * 0x1p-30;
    mesh.vertices.push_back(kind == 6 ? old : kind == 7 ? old + hair : fresh);
  }
  const int faces = source.index(most_faces + 1);
  for (int f = 0; f < faces; ++f) {
    std::vector<std::uint32_t> corners;
    if (mesh.face_count() > 0 && source.chance(6)) {
      const auto old = mesh.face(source.below(mesh.face_count()));
      corners.assign(old.begin(), old.end());
      if (source.chance(2)) std::reverse(corners.begin(), corners.end());
    } else {
      const int count = source.chance(6) ? source.index(7) : 3;
      for (int i = 0; i < count; ++i) {
        corners.push_back(static_cast<std::uint32_t>(source.below(mesh.vertices.size())));
      }
    }
    mesh.add_face(corners);
  }
  return mesh;
}

} // namespace carom::test
