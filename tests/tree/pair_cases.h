// Pairs of triangle trees, one placed in the frame of the other, to be compared with all pairs of triangles, one by one.
#pragma once

#include "carom/geometry/triangle_triangle.h"
#include "carom/tree/triangle_pairs.h"
#include "tests/support/generate.h"
#include "tests/support/procedural_meshes.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace carom::test {

/// A mesh with its tree.
struct TreeMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  TriangleTree tree;

  TreeMesh() = default;
  /// Every face as the fan of its first corner. The vertices are scaled, then moved.
  explicit TreeMesh(const PolygonMesh& mesh, double by = 1, const Vec3& to = {})
      : vertices(mesh.vertices) {
    for (std::size_t f = 0; f < mesh.face_count(); ++f) {
      const auto c = mesh.face(f);
      for (std::size_t i = 2; i < c.size(); ++i) triangles.push_back({c[0], c[i - 1], c[i]});
    }
    for (Vec3& v : vertices) {
      v = v * by + to;
      for (int i = 0; i < 3; ++i) v[i] = std::fabs(v[i]) < 1e-30 ? 0 : v[i];
    }
    tree = TriangleTree(surface());
  }

  [[nodiscard]] TriangleSurface surface() const { return {vertices, triangles}; }
  [[nodiscard]] TriangleSet set() const { return {tree, surface()}; }
  [[nodiscard]] Aabb box() const {
    Aabb all;
    for (const Vec3& v : vertices) all = {min(all.min, v), max(all.max, v)};
    return all;
  }
};

/// Two meshes, and where the second is seen from the first.
struct MeshPair {
  TreeMesh a, b;
  Frame b_in_a;

  [[nodiscard]] Triangle placed_b(std::size_t i) const {
    const Triangle t = b.surface()[i];
    return {b_in_a.to_world(t.a), b_in_a.to_world(t.b), b_in_a.to_world(t.c)};
  }
  /// The greatest number that roundings are relative to.
  [[nodiscard]] double size() const {
    double most = max_abs(b_in_a.origin);
    for (const Vec3& v : a.vertices) most = std::max(most, max_abs(v));
    for (const Vec3& v : b.vertices) most = std::max(most, 2 * max_abs(v));
    return most;
  }
};

/// A mesh by formula, of up to some hundred triangles, or a soup of slivers, copies, segments and points.
inline PolygonMesh pair_mesh(Source& source) {
  switch (source.index(9)) {
  case 0:
    return cube_mesh();
  case 1:
    return sphere_mesh(1, 0.2);
  case 2:
    return torus_mesh(10, 6);
  case 3:
    return terrain_mesh(7);
  case 4:
    return sponge_mesh(1);
  case 5:
    return gear_mesh(5);
  case 6:
    return klein_mesh(9, 6);
  default:
    return soup_mesh(source, 30, 40);
  }
}

/// One of the turns of a cube: without rounding.
inline Mat3 quarter_turns(Source& source) {
  const int x = source.index(3);
  const int y = (x + 1 + source.index(2)) % 3;
  Mat3 m;
  m.x = unit_axis(x) * (source.chance(2) ? -1.0 : 1.0);
  m.y = unit_axis(y) * (source.chance(2) ? -1.0 : 1.0);
  m.z = cross(m.x, m.y);
  return m;
}

/// Cells of a lattice, turned by quarters, whose corners, edges and faces fall together exactly: the coordinates of all are the same multiples of a step that
/// is no round number.
inline MeshPair lattice_pair(Source& source) {
  const auto cells = [&] {
    const std::uint64_t filled = source.below(std::uint64_t{1} << 8);
    return voxel_mesh(
        2, [=](int x, int y, int z) { return (filled >> (x + 2 * y + 4 * z) & 1U) != 0; });
  };
  PolygonMesh a = cells();
  PolygonMesh b = cells();
  const Vec3 shift{source.index(7) - 3.0, source.index(7) - 3.0, source.index(7) - 3.0};
  for (Vec3& v : b.vertices) v = v + shift;
  const double step = source.uniform(0.1, 1);
  return {TreeMesh(a, step), TreeMesh(b, step), {quarter_turns(source), {}}};
}

/// Meshes that are apart, in touch, in one another or through one another: near ones.
inline MeshPair near_pair(Source& source) {
  if (source.chance(4)) return lattice_pair(source);
  const PolygonMesh mesh_a = pair_mesh(source);
  const bool same = source.chance(5);
  const PolygonMesh mesh_b = same ? mesh_a : pair_mesh(source);
  static constexpr double scales[] = {1, 1, 1, 0.3, 0.01};
  const double by = same ? 1 : scales[source.index(5)];
  MeshPair result{TreeMesh(mesh_a), TreeMesh(mesh_b, by), {}};
  result.b_in_a.basis = to_matrix(rotation(source));
  static constexpr double ways[] = {0, 0.5, 1, 2, 4};
  const double way = ways[source.index(5)];
  result.b_in_a.origin = vec3(source) * way;
  return result;
}

/// Bundles of tiny spikes, tip to tip with a bundle of the other mesh, each with this way between the tips at most: leaves so small that floats hardly hold them. Often at the
/// ends of both, whose middles are then as far apart as they can be.
inline MeshPair spike_pair(Source& source, double most_apart) {
  PolygonMesh a, b;
  const Frame b_in_a{to_matrix(rotation(source)), vec3(source) * 2};
  const auto add_spike = [&](PolygonMesh& mesh, const Vec3& tip, const Vec3& way) {
    const Vec3 one = vec3(source) * 0.2;
    const Vec3 other = vec3(source) * 0.2;
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    const double length = max_abs(way);
    mesh.vertices.insert(mesh.vertices.end(),
                         {tip, tip + way + one * length, tip + way + other * length});
    add_face(mesh, {first, first + 1, first + 2});
  };
  const bool at_ends = source.chance(2);
  const Mat3 turn = quarter_turns(source);
  const Vec3 end = turn * Vec3{0.93, 0.93, 0.93};
  if (at_ends) {
    const Vec3 away = quarter_turns(source) * Vec3{1.8, 1.8, 1.8};
    add_spike(a, b_in_a.to_world(end) + away, {0x1p-20, 0, 0});
    add_spike(b, -end, {0x1p-20, 0, 0});
  }
  for (int i = 0; i < 12; ++i) {
    const Vec3 anywhere = vec3(source);
    const Vec3 tip = at_ends ? end - anywhere * 0.01 : anywhere;
    const Vec3 way = normalized_or(vec3(source), {0, 0, 1});
    const double length = std::ldexp(1.0, -16 - source.index(10));
    const double apart = source.uniform(0.5 * most_apart, most_apart);
    for (int k = 0; k < 4; ++k) {
      add_spike(a, b_in_a.to_world(tip) + way * apart, way * length);
      add_spike(b, tip, b_in_a.direction_to_local(way) * -length);
    }
  }
  return {TreeMesh(a), TreeMesh(b), b_in_a};
}

using PairSet = std::set<std::pair<std::uint32_t, std::uint32_t>>;

inline PairSet meetings_one_by_one(const MeshPair& p) {
  PairSet result;
  for (std::uint32_t j = 0; j < p.b.triangles.size(); ++j) {
    const Triangle b = p.placed_b(j);
    for (std::uint32_t i = 0; i < p.a.triangles.size(); ++i)
      if (overlaps(p.a.surface()[i], b)) result.insert({i, j});
  }
  return result;
}

inline double distance_one_by_one(const MeshPair& p) {
  double least = INFINITY;
  for (std::uint32_t j = 0; j < p.b.triangles.size(); ++j) {
    const Triangle b = p.placed_b(j);
    for (std::uint32_t i = 0; i < p.a.triangles.size(); ++i)
      least = std::min(least, closest_points(p.a.surface()[i], b).distance);
  }
  return least;
}

} // namespace carom::test
