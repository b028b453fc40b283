#include "carom/tree/volume_front.h"

#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"
#include "tests/tree/volume_cases.h"

namespace carom::test {
namespace {

template<class V>
class VolumeFrontOf : public ::testing::Test {};
using Kinds = ::testing::Types<Sphere, Aabb, Obb, Kdop18>;
TYPED_TEST_SUITE(VolumeFrontOf, Kinds);

/// Small steps, standing still, and jumps; any rule.
TYPED_TEST(VolumeFrontOf, SamePairsAlongRandomPaths) {
  for_each_seed(fewer_when_sanitized(30), [](Source& source) {
    const PolygonMesh soup_a = soup_mesh(source);
    const PolygonMesh soup_b = soup_mesh(source);
    const TriangleMesh mesh_a = triangle_mesh("a", soup_a);
    const TriangleMesh mesh_b = triangle_mesh("b", soup_b);
    const auto a = build_volume_tree<TypeParam>(mesh_a.view());
    const auto b = build_volume_tree<TypeParam>(mesh_b.view());
    const auto rule = static_cast<TreeDescent>(source.index(5));
    VolumeFront front;
    Pose pose{rotation(source), vec3(source)};
    for (int i = 0; i < 20; ++i) {
      if (source.chance(8)) {
        pose = {rotation(source), vec3(source) * 3};
      } else {
        pose.position += vec3(source) * 0.05;
      }
      EXPECT_EQ(overlapping_pairs(a, b, pose.frame(), front, rule),
                overlapping_pairs(a, b, pose.frame()));
    }
  });
}

TYPED_TEST(VolumeFrontOf, SavesTestsAndIsRaisedAgain) {
  const TriangleMesh mesh = triangle_mesh("torus", torus_mesh(24, 12));
  const auto tree = build_volume_tree<TypeParam>(mesh.view());
  VolumeFront front;
  VolumeTreeStats plain, with;
  for (int i = 0; i < 50; ++i) {
    const Frame frame = Pose::at({1 + 0.002 * i, 0.3, 0.2}).frame();
    const auto right = overlapping_pairs(tree, tree, frame, {}, &plain);
    EXPECT_FALSE(right.empty());
    EXPECT_EQ(overlapping_pairs(tree, tree, frame, front, TreeDescent::larger, &with), right);
  }
  EXPECT_LT(with.volumes, plain.volumes);
  // Balls of children may stick out of their parents', which are not tested with the front.
  EXPECT_GE(with.triangles, plain.triangles);
  // Far apart nothing is left but the roots, in one go.
  EXPECT_TRUE(overlapping_pairs(tree, tree, Pose::at({100, 0, 0}).frame(), front).empty());
  EXPECT_EQ(front.nodes.size(), 1u);
  const VolumeTree<TypeParam> empty;
  VolumeFront none;
  EXPECT_TRUE(overlapping_pairs(tree, empty, {}, none).empty());
}

} // namespace
} // namespace carom::test
