// Random meshes, valid as far as files go: any coordinates, faces of any number of corners, parts and materials.
#pragma once

#include "carom/mesh/polygon_mesh.h"
#include "tests/support/generate.h"

#include <bit>
#include <cmath>

namespace carom::test {

/// A coordinate: simple, of a short decimal, or any finite double.
inline double file_coordinate(Source& source) {
  switch (source.index(4)) {
  case 0:
    return real(source);
  case 1:
    return (static_cast<double>(source.below(2'000'000)) - 1e6) / 1000;
  case 2:
    return source.chance(4) ? -0.0 : static_cast<float>(source.uniform(-10, 10));
  default: {
    const std::uint64_t high = source.below(std::uint64_t{1} << 32);
    const std::uint64_t low = source.below(std::uint64_t{1} << 32);
    const auto x = std::bit_cast<double>(high << 32 | low);
    return std::isfinite(x) ? x : 0;
  }
  }
}

struct RandomMeshOptions {
  bool triangles = false; ///< all faces are
  bool floats = false;    ///< coordinates are floats
};

inline PolygonMesh random_mesh(Source& source, const RandomMeshOptions& options = {}) {
  PolygonMesh mesh;
  const int vertices = 1 + source.index(12);
  for (int i = 0; i < vertices; ++i) {
    Vec3 p;
    for (int axis = 0; axis < 3; ++axis) {
      const double x = file_coordinate(source);
      p[axis] = options.floats ? static_cast<double>(static_cast<float>(x)) : x;
      if (!std::isfinite(p[axis])) p[axis] = 1;
    }
    mesh.vertices.push_back(p);
  }
  const int faces = source.index(10);
  for (int f = 0; f < faces; ++f) {
    const int corners = options.triangles ? 3 : source.chance(20) ? 300 : source.index(7);
    std::vector<std::uint32_t> face;
    for (int c = 0; c < corners; ++c) {
      face.push_back(static_cast<std::uint32_t>(source.index(vertices)));
    }
    mesh.add_face(face);
  }
  return mesh;
}

/// The same with parts and materials, in the form that a file gives: parts have faces and begin at face 0, materials are numbered by first use.
inline PolygonMesh random_named_mesh(Source& source, const RandomMeshOptions& options = {}) {
  PolygonMesh mesh = random_mesh(source, options);
  static constexpr const char* names[] = {"wheel", "the left # door", "a/b", "\xc3\xa9t\xc3\xa9"};
  if (mesh.face_count() > 0 && source.index(2)) {
    for (std::uint32_t f = 0; f < mesh.face_count();
         f += 1 + static_cast<std::uint32_t>(source.index(4))) {
      mesh.parts.push_back({names[source.index(4)], f});
    }
  }
  if (mesh.face_count() > 0 && source.index(2)) {
    for (std::size_t f = 0; f < mesh.face_count(); ++f) {
      const auto used = static_cast<int>(mesh.material_names.size());
      const int m = source.index(used + 1);
      if (m == used) mesh.material_names.push_back(m == 0 ? "" : "paint " + std::to_string(m));
      mesh.materials.push_back(static_cast<std::uint32_t>(m));
    }
  }
  return mesh;
}

/// To the bit: -0 is not 0.
inline bool same_bits(const Vec3& a, const Vec3& b) {
  for (int axis = 0; axis < 3; ++axis) {
    if (std::bit_cast<std::uint64_t>(a[axis]) != std::bit_cast<std::uint64_t>(b[axis]))
      return false;
  }
  return true;
}
inline bool same_faces(const PolygonMesh& a, const PolygonMesh& b) {
  if (a.vertices.size() != b.vertices.size()) return false;
  for (std::size_t i = 0; i < a.vertices.size(); ++i) {
    if (!same_bits(a.vertices[i], b.vertices[i])) return false;
  }
  return a.face_begin == b.face_begin && a.corners == b.corners;
}

} // namespace carom::test
