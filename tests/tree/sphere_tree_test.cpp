#include "carom/tree/sphere_tree.h"

#include "carom/tree/sphere_cells.h"
#include "tests/support/data_mesh.h"
#include "tests/support/property.h"
#include "tests/tree/volume_cases.h"
#include "tests/tree/volume_containment.h"

#include <map>

namespace carom::test {
namespace {

std::vector<TriangleMesh> meshes() {
  std::vector<TriangleMesh> all = plain_meshes();
  for (TriangleMesh& m : hard_meshes()) all.push_back(std::move(m));
  TriangleMesh uneven = triangle_mesh("sphere on a plate", sphere_mesh(1));
  uneven.add({-30, -30, -1}, {30, -30, -1}, {0, 40, -1});
  all.push_back(uneven);
  return all;
}

/// A part of a triangle, by the numbers of its corners in it.
Triangle part_of(const Triangle& t, const Vec3& u, const Vec3& v, const Vec3& w) {
  return {t.at(u), t.at(v), t.at(w)};
}

/// Whether the triangle, cut into ever smaller ones, is covered: each piece at last lies in one ball. Pieces' corners are rounded, and so is
/// the border between balls that just touch: a margin of 1e-9 of the size is let pass, of what is looked for.
bool covered(const Triangle& t, std::span<const Sphere> balls, int depth) {
  const double size = std::max({max_abs(t.a), max_abs(t.b), max_abs(t.c)});
  const double longest = std::max({distance(t.a, t.b), distance(t.b, t.c), distance(t.c, t.a)});
  const auto holds = [&](const Sphere& s, const Vec3& p) {
    return distance(s.center, p) <= s.radius + 1e-9 * (size + s.radius);
  };
  bool touched = false;
  for (const Sphere& s : balls) {
    if (holds(s, t.a) && holds(s, t.b) && holds(s, t.c)) return true;
    touched = touched || holds(s, (t.a + t.b + t.c) / 3);
  }
  if (!touched) return false; // a hole
  if (depth == 0 || longest <= 1e-6 * size) return true;
  const Vec3 ab{0.5, 0.5, 0}, bc{0, 0.5, 0.5}, ca{0.5, 0, 0.5};
  return covered(part_of(t, {1, 0, 0}, ab, ca), balls, depth - 1) &&
         covered(part_of(t, ab, {0, 1, 0}, bc), balls, depth - 1) &&
         covered(part_of(t, ca, bc, {0, 0, 1}), balls, depth - 1) &&
         covered(part_of(t, ab, bc, ca), balls, depth - 1);
}

TEST(SphereTree, LeavesCoverEveryTriangle) {
  for (const TriangleMesh& mesh : meshes()) {
    for (const SphereTreeBuild& how : sphere_builds()) {
      SCOPED_TRACE(mesh.name + ", cover " + std::to_string(static_cast<int>(how.cover)));
      const VolumeTree<Sphere> tree = build_sphere_tree(mesh.view(), how);
      std::map<std::uint32_t, std::vector<Sphere>> balls;
      for (const auto& node : tree.nodes) {
        if (!node.leaf()) continue;
        for (const std::uint32_t t : tree.triangles_of(node)) balls[t].push_back(node.volume);
      }
      for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        if (!is_usable(mesh.view(), t)) continue;
        EXPECT_TRUE(covered(mesh.view()[t], balls[t], 4));
      }
      if (::testing::Test::HasFailure()) return;
    }
  }
}

// Surface and pruned: each ball contains those below, exactly. (Octree: its cube does; the balls around halves of a cube may stick out.)
TEST(SphereTree, BallsContainThoseBelow) {
  const TriangleMesh mesh = triangle_mesh("gear", gear_mesh(4));
  for (const SphereTreeBuild& how : sphere_builds()) {
    if (how.cover == SphereCover::octree) continue;
    const VolumeTree<Sphere> tree = build_sphere_tree(mesh.view(), how);
    std::vector<std::uint32_t> parent(tree.nodes.size(), 0);
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
      if (!tree.nodes[i].leaf()) {
        parent[tree.nodes[i].first] = parent[tree.nodes[i].first + 1] = i;
        continue;
      }
      const Sphere& leaf = tree.nodes[i].volume;
      for (std::uint32_t at = i; at != 0;) {
        at = parent[at];
        const Sphere& above = tree.nodes[at].volume;
        const Exact between = exact(above.center) - exact(leaf.center);
        const mpq_class room = mpq_class(above.radius) - mpq_class(leaf.radius);
        EXPECT_GE(room, 0);
        EXPECT_LE(dot(between, between), room * room);
      }
    }
  }
}

TEST(SphereTree, OctreeBallsContainTheirCubes) {
  const TriangleMesh mesh = triangle_mesh("torus", torus_mesh(12, 8));
  const UsableTriangles usable(mesh.view());
  const SphereCellGrid grid({{-3, -3, -1}, {3, 3, 1}}, 0.3);
  const SphereCellTree cells = divide_cells(mesh.view(), usable.numbers, grid, 2);
  for (std::size_t i = 0; i < cells.nodes.size(); ++i) {
    const SphereCellTree::Node& node = cells.nodes[i];
    if (node.child == 0) continue;
    const Aabb box = node.range.box(grid);
    for (const std::uint32_t child : {node.child, node.child + 1}) {
      const Aabb inner = cells.nodes[child].range.box(grid);
      EXPECT_GT(child, i);
      EXPECT_EQ(min(inner.min, box.min), box.min);
      EXPECT_EQ(max(inner.max, box.max), box.max);
    }
  }
}

TEST(SphereTree, QueriesAgreeWithBruteForce) {
  const std::vector<VolumeTraversal> traversals = all_traversals();
  const std::vector<TriangleMesh> all = meshes();
  const Quat turn = Quat::from_axis_angle({0, 0.6, 0.8}, 0.4);
  for (std::size_t m = 0; m < all.size(); ++m) {
    const TriangleMesh& mesh = all[m];
    const double size = mesh.vertices.empty() ? 0 : max_abs(mesh.vertices[0]);
    for (const double far : {0.02, 3.0}) {
      const Frame frame = Pose{turn, Vec3{1, 0.1, 0.3} * (far * size)}.frame();
      const PairAnswers truth = brute_pairs(mesh.view(), mesh.view(), frame);
      for (const std::size_t k : {0u, 2u, 4u}) {
        const SphereTreeBuild how = sphere_builds()[k + (far > 1 ? 1 : 0)];
        SCOPED_TRACE(mesh.name + ", cover " + std::to_string(static_cast<int>(how.cover)));
        const VolumeTree<Sphere> tree = build_sphere_tree(mesh.view(), how);
        const VolumeTraversal& t = traversals[(m * 7 + (far > 1 ? 3 : 0)) % traversals.size()];
        EXPECT_EQ(overlapping_pairs(tree, tree, frame, t), truth.overlapping);
        EXPECT_EQ(nearest_triangles(tree, tree, frame, {.traversal = t}).distance, truth.distance);
        for (int i = 0; i < 10 && !tree.empty(); ++i) {
          const Vec3 at = mesh.view()[tree.triangles[0]].at({0.2, 0.1 * i, 0.8 - 0.1 * i});
          const Ray ray{at + Vec3{1, 2, 3} * (far * size), Vec3{1, 2, 3} * -size};
          const VolumeTreeHit hit = cast(ray, tree, INFINITY, t.search);
          const VolumeTreeHit brute = brute_cast(ray, mesh.view(), INFINITY);
          EXPECT_EQ(hit.t, brute.t);
          EXPECT_EQ(hit.triangle, brute.triangle);
          EXPECT_EQ(closest_point(ray.origin, tree, t.search).distance,
                    brute_closest(ray.origin, mesh.view()).distance);
        }
      }
    }
  }
}

TEST(SphereTree, IsTheSameEachTimeAndOfReasonableSize) {
  const TriangleMesh mesh = triangle_mesh("sphere", sphere_mesh(3, 0.2));
  for (const SphereTreeBuild& how : sphere_builds()) {
    const VolumeTree<Sphere> a = build_sphere_tree(mesh.view(), how);
    const VolumeTree<Sphere> b = build_sphere_tree(mesh.view(), how);
    EXPECT_EQ(a.triangles, b.triangles);
    EXPECT_EQ(a.nodes.size(), b.nodes.size());
    EXPECT_LT(a.triangles.size(), 17 * mesh.triangles.size());
  }
}

// A larger overshoot prunes more.
TEST(SphereTree, PruningLeavesFewBalls) {
  const TriangleMesh mesh = triangle_mesh("sphere", sphere_mesh(3, 0.2));
  std::size_t before = SIZE_MAX;
  for (const double overshoot : {1.0, 2.0, 4.0}) {
    const SphereTreeBuild how{.cover = SphereCover::pruned, .overshoot = overshoot};
    const std::size_t nodes = build_sphere_tree(mesh.view(), how).nodes.size();
    EXPECT_LT(nodes, before);
    before = nodes;
  }
}

TEST(SphereTree, AnySpacingIsSurvived) {
  const TriangleMesh mesh = triangle_mesh("gear", gear_mesh(3));
  for (SphereTreeBuild how : sphere_builds()) {
    for (const double spacing : {-1.0, 1e-300, 1e-3, 1e3, 1e300, double(INFINITY), double(NAN)}) {
      how.spacing = spacing;
      const VolumeTree<Sphere> tree = build_sphere_tree(mesh.view(), how);
      EXPECT_FALSE(tree.empty());
      EXPECT_LT(tree.triangles.size(), 40 * mesh.triangles.size());
    }
  }
}

} // namespace
} // namespace carom::test
