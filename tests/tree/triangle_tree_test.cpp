#include "carom/tree/triangle_tree.h"

#include "tests/support/data_mesh.h"
#include "tests/support/property.h"
#include "tests/tree/tree_checks.h"
#include "tests/tree/triangle_cases.h"

namespace carom::test {
namespace {

/// The corners of the blocks are those of the surface, to half a step of the grid.
std::string fault_of_blocks(const TriangleTree& tree, const TriangleSurface& surface) {
  if (tree.blocks().size() != tree.tree().leaf_count()) return "number of blocks";
  const TreeFrame& frame = tree.frame();
  for (std::uint32_t l = 0; l < tree.blocks().size(); ++l) {
    const TriangleBlock& block = tree.blocks()[l];
    const auto items = tree.tree().leaf(l);
    for (std::size_t lane = 0; lane < 8; ++lane) {
      if ((lane < block.count) != (items[lane] != WideTree::no_item)) return "count";
      const std::uint32_t item = items[std::min<std::size_t>(lane, block.count - 1)];
      if (block.corners[lane] != surface.triangles[item]) return "corners";
      for (int c = 0; c < 3; ++c)
        for (int axis = 0; axis < 3; ++axis) {
          const GridAxis grid = block.grid(axis);
          const double step = static_cast<double>(grid.step());
          const double q = block.row[3 * c + axis][lane];
          const double stands = static_cast<double>(grid.origin) + q * step;
          const mpq_class off =
              (mpq_class(surface[item][c][axis]) - mpq_class(frame.center[axis])) /
                  mpq_class(frame.unit) -
              mpq_class(stands);
          // to_tree rounds once, too.
          if (abs(off) > mpq_class(step / 2 + 0x1p-52)) return "a corner is off";
        }
    }
  }
  return "";
}

void expect_sound(const TriangleTree& tree, const TriangleSurface& surface) {
  EXPECT_EQ(fault_of(tree.tree(), surface.size()), "");
  std::vector<Aabb> boxes;
  for (std::size_t i = 0; i < surface.size(); ++i) boxes.push_back(bounds(surface[i]));
  EXPECT_EQ(fault_of_boxes(tree.tree(), boxes), "");
  EXPECT_EQ(fault_of_blocks(tree, surface), "");
}

TEST(TriangleTree, OfNothing) {
  const TriangleTree tree{TriangleSurface{}};
  EXPECT_TRUE(tree.tree().empty());
  EXPECT_TRUE(tree.blocks().empty());
}

TEST(TriangleTree, OfAnyTriangles) {
  for_each_seed(fewer_when_sanitized(250), [](Source& source) {
    const Triangles t = any_triangles(source);
    expect_sound(TriangleTree(t.surface()), t.surface());
    expect_sound(TriangleTree(t.surface(), {TreeBuild::Quality::fast}), t.surface());
  });
}

// Vertices that no triangle uses do not matter.
TEST(TriangleTree, UnusedVertices) {
  Triangles t = triangles_of(sphere_mesh(1));
  t.vertices.push_back({1e30, 0, 0});
  const TriangleTree tree(t.surface());
  expect_sound(tree, t.surface());
  EXPECT_LE(tree.frame().unit, 4);
}

TEST(TriangleTree, AtTheEndsOfTheRange) {
  for (const double size : {1e30, 1e-15, 1e-29}) {
    Triangles t = triangles_of(torus_mesh(12, 9));
    place(t, size / 3, {});
    expect_sound(TriangleTree(t.surface()), t.surface());
  }
}

TEST(TriangleTree, RefitFollowsTheVertices) {
  for_each_seed(fewer_when_sanitized(100), [](Source& source) {
    Triangles t = any_triangles(source);
    TriangleTree tree(t.surface());
    const double by = scale(source);
    const Vec3 to = offset(source);
    Triangles moved = t;
    for (Vec3& v : moved.vertices) {
      const Vec3 size = t.box().half();
      const Vec3 shake = vec3(source);
      v = v + Vec3{shake.x * size.x, shake.y * size.y, shake.z * size.z} * 0.25;
    }
    place(moved, max_abs(moved.box().max) < 1e8 ? by : 1, to);
    tree.refit(moved.surface());
    expect_sound(tree, moved.surface());
    // And back: all boxes as they were at first.
    tree.refit(t.surface());
    EXPECT_TRUE(same(tree.tree(), TriangleTree(t.surface()).tree()));
  });
}

TEST(TriangleTree, CostGrowsWhereThingsComeApart) {
  Triangles t = triangles_of(sphere_mesh(4));
  TriangleTree tree(t.surface());
  const double before = tree.tree().expected_cost();
  RandomSource source(1);
  for (Vec3& v : t.vertices) v = v + vec3(source) * 0.3;
  tree.refit(t.surface());
  EXPECT_GT(tree.tree().expected_cost(), 1.5 * before);
  EXPECT_LT(TriangleTree(t.surface()).tree().expected_cost(), tree.tree().expected_cost());
}

TEST(TriangleTree, SmallInMemory) {
  const Triangles sphere = triangles_of(sphere_mesh(6, 0.1));
  const TriangleTree tree(sphere.surface());
  EXPECT_LE(static_cast<double>(tree.bytes()), 48.0 * static_cast<double>(sphere.triangles.size()));
}

TEST(TriangleTree, SmallInMemoryOnTheBunny) {
  const auto mesh = data_mesh("stanford-bunny");
  if (!mesh) GTEST_SKIP() << "no external data: CAROM_DATA names no folder";
  const Triangles bunny = triangles_of(*mesh);
  const TriangleTree tree(bunny.surface());
  expect_sound(tree, bunny.surface());
  EXPECT_LE(static_cast<double>(tree.bytes()), 48.0 * static_cast<double>(bunny.triangles.size()));
}

} // namespace
} // namespace carom::test
