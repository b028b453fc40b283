#include "carom/tree/volume_tree.h"

#include "tests/support/property.h"
#include "tests/tree/volume_cases.h"
#include "tests/tree/volume_containment.h"

namespace carom::test {
namespace {

template<class V>
class VolumeTreeOf : public ::testing::Test {};
using Kinds =
    ::testing::Types<Sphere, Aabb, Obb, Lozenge, SphericalShell, Kdop6, Kdop14, Kdop18, Kdop26>;
TYPED_TEST_SUITE(VolumeTreeOf, Kinds);

/// Whether each triangle of each leaf lies in all volumes from there to the root, exactly.
template<class V>
bool contains_its_triangles(const VolumeTree<V>& tree) {
  std::vector<std::uint32_t> parent(tree.nodes.size(), 0);
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const auto& node = tree.nodes[i];
    if (!node.leaf()) {
      parent[node.first] = parent[node.first + 1] = i;
      continue;
    }
    for (const std::uint32_t t : tree.triangles_of(node)) {
      for (std::uint32_t at = i;; at = parent[at]) {
        if (!contains_triangle(tree.nodes[at].volume, tree.mesh[t])) return false;
        if (at == 0) break;
      }
    }
  }
  return true;
}

template<class V>
std::size_t usable_count(const VolumeTree<V>& tree) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < tree.mesh.triangles.size(); ++i) count += is_usable(tree.mesh, i);
  return count;
}

template<class V>
void expect_sound(const TriangleMesh& mesh, const NamedBuild& build) {
  SCOPED_TRACE(mesh.name + ", " + build.name);
  const auto tree = build_volume_tree<V>(mesh.view(), build.how);
  EXPECT_TRUE(contains_its_triangles(tree));
  EXPECT_EQ(tree.triangles.size(), usable_count(tree));
  std::vector<std::uint32_t> sorted = tree.triangles;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (const std::uint32_t t : sorted) EXPECT_TRUE(is_usable(mesh.view(), t));
}

TYPED_TEST(VolumeTreeOf, ContainsItsTrianglesWhateverTheMesh) {
  std::vector<TriangleMesh> meshes = hard_meshes();
  meshes.push_back(plain_meshes()[0]);
  const std::vector<NamedBuild> builds = few_builds();
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    for (const std::size_t k : {i, i + 2, i + 5}) expect_sound<TypeParam>(meshes[i], builds[k % 8]);
  }
}

TYPED_TEST(VolumeTreeOf, ContainsItsTrianglesWhateverTheBuilder) {
  for (const NamedBuild& build : all_builds()) {
    expect_sound<TypeParam>(triangle_mesh("torus", torus_mesh(5, 3)), build);
  }
}

TYPED_TEST(VolumeTreeOf, ContainsItsTrianglesInRandomSoups) {
  for_each_seed(fewer_when_sanitized(50), [](Source& source) {
    const PolygonMesh soup = soup_mesh(source);
    const double size = scale(source);
    const Vec3 by = offset(source);
    const TriangleMesh mesh = moved(triangle_mesh("soup", soup), by * size, size);
    expect_sound<TypeParam>(mesh, few_builds()[source.below(few_builds().size())]);
  });
}

TYPED_TEST(VolumeTreeOf, IsTheSameEachTime) {
  const TriangleMesh mesh = random_soup(4, 60);
  for (const NamedBuild& build : few_builds()) {
    const auto a = build_volume_tree<TypeParam>(mesh.view(), build.how);
    const auto b = build_volume_tree<TypeParam>(mesh.view(), build.how);
    EXPECT_EQ(a.triangles, b.triangles);
    ASSERT_EQ(a.nodes.size(), b.nodes.size());
    for (std::size_t i = 0; i < a.nodes.size(); ++i) {
      const Sphere p = VolumeKind<TypeParam>::ball(a.nodes[i].volume);
      const Sphere q = VolumeKind<TypeParam>::ball(b.nodes[i].volume);
      EXPECT_EQ(p.center, q.center);
      EXPECT_EQ(p.radius, q.radius);
    }
  }
}

TYPED_TEST(VolumeTreeOf, CountsItsBytes) {
  const TriangleMesh mesh = triangle_mesh("sphere", sphere_mesh(2));
  const auto tree = build_volume_tree<TypeParam>(mesh.view());
  EXPECT_EQ(tree.nodes.size(), 2 * mesh.triangles.size() - 1);
  EXPECT_EQ(tree.bytes(), tree.nodes.size() * (sizeof(TypeParam) + 8) + 4 * mesh.triangles.size());
}

TEST(VolumeTree, ManyTrianglesOfOnePlaceTakeNoTime) {
  const TriangleMesh mesh{
      "copies", {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, std::vector<IndexTriple>(2000, {0, 1, 2})};
  for (const NamedBuild& build : few_builds()) {
    EXPECT_EQ(build_volume_tree<Obb>(mesh.view(), build.how).triangles.size(), 2000u);
  }
}

} // namespace
} // namespace carom::test
