// Meshes, builders, rules and brute force for the tests of volume trees.
#pragma once

#include "carom/tree/sphere_tree.h"
#include "carom/tree/volume_queries.h"
#include "tests/support/generate.h"
#include "tests/support/procedural_meshes.h"

#include <cmath>
#include <string>
#include <vector>

namespace carom::test {

struct TriangleMesh {
  std::string name;
  std::vector<Vec3> vertices;
  std::vector<IndexTriple> triangles;

  [[nodiscard]] TriangleSurface view() const { return {vertices, triangles}; }
  void add(const Vec3& a, const Vec3& b, const Vec3& c) {
    const auto first = static_cast<std::uint32_t>(vertices.size());
    vertices.insert(vertices.end(), {a, b, c});
    triangles.push_back({first, first + 1, first + 2});
  }
};

inline TriangleMesh triangle_mesh(std::string name, const PolygonMesh& mesh) {
  TriangleMesh out{std::move(name), mesh.vertices, {}};
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto c = mesh.face(f);
    for (std::size_t i = 2; i < c.size(); ++i) out.triangles.push_back({c[0], c[i - 1], c[i]});
  }
  return out;
}

inline TriangleMesh moved(TriangleMesh mesh, const Vec3& by, double scale) {
  mesh.name += " moved";
  for (Vec3& v : mesh.vertices) v = v * scale + by;
  return mesh;
}

/// Triangles between random points, many of them thin, flat or alike.
inline TriangleMesh random_soup(std::uint64_t seed, int count) {
  RandomSource source(seed);
  TriangleMesh mesh{"soup", {}, {}};
  for (int i = 0; i < count; ++i) {
    const Vec3 a = vec3(source);
    const Vec3 u = halved_vec3(source, 8);
    const Vec3 v = halved_vec3(source, 30);
    mesh.add(a, a + u, a + v);
  }
  return mesh;
}

/// Faultless meshes of some dozens of triangles.
inline std::vector<TriangleMesh> plain_meshes() {
  return {triangle_mesh("sphere", sphere_mesh(1, 0.3)), triangle_mesh("torus", torus_mesh(8, 4)),
          triangle_mesh("terrain", terrain_mesh(5)), triangle_mesh("gear", gear_mesh(3))};
}

/// What trees must survive.
inline std::vector<TriangleMesh> hard_meshes() {
  std::vector<TriangleMesh> all;
  all.push_back({"none", {}, {}});
  all.push_back({"one", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  all.push_back({"one point", {{1, 2, 3}}, {{0, 0, 0}}});
  all.push_back({"many points", {{1, 2, 3}}, std::vector<IndexTriple>(40, {0, 0, 0})});
  all.push_back(
      {"copies", {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, std::vector<IndexTriple>(40, {0, 1, 2})});
  TriangleMesh line{"on a line", {}, {}};
  for (int i = 0; i < 20; ++i) {
    const double x = i;
    line.add({x, 2 * x, -x}, {x + 1, 2 * x + 2, -x - 1}, {x + 3, 2 * x + 6, -x - 3});
  }
  all.push_back(line);
  TriangleMesh slivers{"slivers", {}, {}};
  for (int i = 0; i < 24; ++i) {
    const double a = 0.3 * i;
    const Vec3 tip{std::cos(a), std::sin(a), 0.1 * i};
    slivers.add({0, 0, 0}, tip, tip * 0.5 + Vec3{0, 0, 1e-13});
  }
  all.push_back(slivers);
  TriangleMesh growing{"growing", {}, {}};
  for (int i = 0; i < 60; ++i) {
    const double s = std::ldexp(1.0, i - 20);
    growing.add({s, 0, 0}, {s, s / 8, 0}, {s, 0, s / 8});
  }
  all.push_back(growing);
  all.push_back(triangle_mesh("flat", grid_mesh(4, 4, [](double u, double v) {
                                return Vec3{u, v, 0.25};
                              })));
  all.push_back(moved(triangle_mesh("sphere", sphere_mesh(1)), {1e6, -1e6, 3e6}, 1));
  all.push_back(moved(triangle_mesh("torus", torus_mesh(6, 3)), {1e6, 1e6, 1e6}, 1e-3));
  all.push_back(moved(triangle_mesh("gear", gear_mesh(2)), {}, 1e6));
  all.push_back(moved(triangle_mesh("gear", gear_mesh(2)), {}, 1e-25));
  all.push_back(random_soup(5, 50));
  TriangleMesh faulty = triangle_mesh("faulty", sphere_mesh(0));
  faulty.vertices.push_back({NAN, 0, 0});
  faulty.vertices.push_back({0, INFINITY, 0});
  faulty.triangles.insert(faulty.triangles.begin() + 3, {{0, 1, 6}, {7, 1, 2}, {0, 1, 99}});
  all.push_back(faulty);
  return all;
}

struct NamedBuild {
  std::string name;
  VolumeTreeBuild how;
};

inline constexpr SplitAxis all_axes[] = {SplitAxis::longest_side, SplitAxis::largest_variance,
                                         SplitAxis::principal, SplitAxis::farthest_points,
                                         SplitAxis::best_of_three};
inline constexpr SplitPoint all_points[] = {SplitPoint::object_median,  SplitPoint::object_mean,
                                            SplitPoint::spatial_median, SplitPoint::samples,
                                            SplitPoint::largest_gap,    SplitPoint::growth};
inline constexpr SplitGoal all_goals[] = {SplitGoal::weighted_area, SplitGoal::sum_of_areas,
                                          SplitGoal::greatest_area, SplitGoal::common_area,
                                          SplitGoal::separation};

/// One of each.
inline std::vector<NamedBuild> few_builds() {
  return {
      {"samples", {}},
      {"median, variance",
       {.axis = SplitAxis::largest_variance, .point = SplitPoint::object_median, .leaf_size = 3}},
      {"mean, principal", {.axis = SplitAxis::principal, .point = SplitPoint::object_mean}},
      {"best of three, children",
       {.axis = SplitAxis::best_of_three,
        .goal = SplitGoal::sum_of_areas,
        .fit = NodeFit::children,
        .leaf_size = 2}},
      {"nearest pair", {.method = TreeMethod::nearest_pair}},
      {"clusters", {.method = TreeMethod::clusters, .leaf_size = 2, .cluster_window = 4}},
      {"insertion", {.method = TreeMethod::insertion}},
      {"one path, children", {.method = TreeMethod::one_path, .fit = NodeFit::children}}};
}

/// Every choice of every part.
inline std::vector<NamedBuild> all_builds() {
  std::vector<NamedBuild> all = few_builds();
  for (const SplitAxis axis : all_axes) {
    for (const SplitPoint point : all_points) {
      all.push_back({"axis " + std::to_string(static_cast<int>(axis)) + ", point " +
                         std::to_string(static_cast<int>(point)),
                     {.axis = axis, .point = point}});
    }
  }
  for (const SplitGoal goal : all_goals) {
    for (const SplitAxis axis : {SplitAxis::principal, SplitAxis::best_of_three}) {
      all.push_back({"goal " + std::to_string(static_cast<int>(goal)) + ", axis " +
                         std::to_string(static_cast<int>(axis)),
                     {.axis = axis, .goal = goal, .samples = 5}});
    }
  }
  return all;
}

inline std::vector<SphereTreeBuild> sphere_builds() {
  return {{.cover = SphereCover::octree},
          {.cover = SphereCover::octree, .leaf_size = 1},
          {.cover = SphereCover::surface},
          {.cover = SphereCover::surface, .tree = {.method = TreeMethod::nearest_pair}},
          {.cover = SphereCover::pruned},
          {.cover = SphereCover::pruned, .overshoot = 1, .tree = {.fit = NodeFit::children}}};
}

inline std::vector<VolumeTraversal> all_traversals() {
  std::vector<VolumeTraversal> all;
  for (const TreeSearch s :
       {TreeSearch::depth_first, TreeSearch::nearest_first, TreeSearch::best_first}) {
    for (const TreeDescent d : {TreeDescent::larger, TreeDescent::a_first, TreeDescent::b_first,
                                TreeDescent::both, TreeDescent::alternate}) {
      all.push_back({d, s});
    }
  }
  return all;
}

// The answers by testing everything.

struct PairAnswers {
  std::vector<VolumeTreePair> overlapping;
  double distance = INFINITY;
};

inline PairAnswers brute_pairs(const TriangleSurface& a, const TriangleSurface& b,
                               const Frame& b_in_a) {
  PairAnswers answers;
  for (std::uint32_t i = 0; i < a.triangles.size(); ++i) {
    for (std::uint32_t j = 0; j < b.triangles.size(); ++j) {
      if (!is_usable(a, i) || !is_usable(b, j)) continue;
      const Triangle t = b[j];
      const Triangle placed{b_in_a.to_world(t.a), b_in_a.to_world(t.b), b_in_a.to_world(t.c)};
      if (overlaps(a[i], placed)) answers.overlapping.push_back({i, j});
      answers.distance = std::min(answers.distance, closest_points(a[i], placed).distance);
    }
  }
  return answers;
}

inline VolumeTreeHit brute_cast(const Ray& ray, const TriangleSurface& mesh, double t_max) {
  VolumeTreeHit best;
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    if (!is_usable(mesh, i)) continue;
    const TriangleHit h = cast(ray, mesh[i], t_max);
    if (h.hit && (!best.hit || h.t < best.t)) best = {h, i};
  }
  return best;
}

inline VolumeTreePoint brute_closest(const Vec3& p, const TriangleSurface& mesh) {
  VolumeTreePoint best;
  best.distance = INFINITY;
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    if (!is_usable(mesh, i)) continue;
    const ClosestOnTriangle c = closest_point(p, mesh[i]);
    if (c.distance < best.distance) best = {c, true, i};
  }
  return best;
}

} // namespace carom::test
