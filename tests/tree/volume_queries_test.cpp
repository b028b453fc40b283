#include "carom/tree/volume_queries.h"

#include "tests/support/data_mesh.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"
#include "tests/tree/volume_cases.h"

namespace carom::test {
namespace {

template<class V>
class VolumeQueriesOf : public ::testing::Test {};
using Kinds =
    ::testing::Types<Sphere, Aabb, Obb, Lozenge, SphericalShell, Kdop6, Kdop14, Kdop18, Kdop26>;
TYPED_TEST_SUITE(VolumeQueriesOf, Kinds);

Frame frame_at(double angle, const Vec3& position) {
  return Pose{Quat::from_axis_angle(normalized(Vec3{1, 2, -1}), angle), position}.frame();
}

/// Two meshes and where B is: apart, near, touching in exact coordinates, deep in each other, one inside the other.
struct PairCase {
  TriangleMesh a, b;
  Frame frame;
};

std::vector<PairCase> pair_cases() {
  std::vector<PairCase> all;
  const std::vector<TriangleMesh> plain = plain_meshes();
  all.push_back({plain[0], plain[1], frame_at(0.7, {4, 1, 0.5})});
  all.push_back({plain[1], plain[0], frame_at(1.1, {2, 0.3, 0})});
  all.push_back({plain[2], plain[3], frame_at(-0.4, {0.5, 0.5, 0.2})});
  all.push_back({plain[3], plain[3], frame_at(0, {0, 0, 0.3})}); // face on face
  all.push_back({plain[1], plain[1], frame_at(0, {})});          // on itself
  all.push_back({triangle_mesh("cube", cube_mesh()), triangle_mesh("cube", cube_mesh()),
                 frame_at(0, {1, 1, 1})}); // corner to corner
  all.push_back({triangle_mesh("cube", cube_mesh(8)), plain[0], frame_at(0.3, {4, 4, 4})});
  for (const TriangleMesh& mesh : hard_meshes()) {
    const double size = mesh.vertices.empty() ? 0 : max_abs(mesh.vertices[0]);
    all.push_back({mesh, mesh, frame_at(0.2, Vec3{0.01, 0, 0.02} * size)});
  }
  return all;
}

template<class V>
void expect_right(const PairCase& c, const NamedBuild& build, const PairAnswers& truth,
                  std::span<const VolumeTraversal> traversals) {
  SCOPED_TRACE(c.a.name + " and " + c.b.name + ", " + build.name);
  const auto a = build_volume_tree<V>(c.a.view(), build.how);
  const auto b = build_volume_tree<V>(c.b.view(), build.how);
  for (const VolumeTraversal& t : traversals) {
    SCOPED_TRACE(::testing::Message() << "descent " << static_cast<int>(t.descent) << ", search "
                                      << static_cast<int>(t.search));
    EXPECT_EQ(overlapping_pairs(a, b, c.frame, t), truth.overlapping);
    const auto first = first_overlapping_pair(a, b, c.frame, t);
    EXPECT_EQ(first.has_value(), !truth.overlapping.empty());
    if (first) {
      EXPECT_TRUE(std::binary_search(truth.overlapping.begin(), truth.overlapping.end(), *first));
    }
    const VolumeTreeNearest n = nearest_triangles(a, b, c.frame, {.traversal = t});
    EXPECT_EQ(n.distance, truth.distance);
    EXPECT_EQ(n.found, truth.distance < INFINITY);
  }
}

TYPED_TEST(VolumeQueriesOf, PairsAgreeWithBruteForceForEveryRule) {
  const std::vector<VolumeTraversal> traversals = all_traversals();
  const std::vector<PairCase> cases = pair_cases();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const PairCase& c = cases[i];
    const PairAnswers truth = brute_pairs(c.a.view(), c.b.view(), c.frame);
    // The hard ones with three rules each, in turns.
    const auto rules = std::span(traversals);
    expect_right<TypeParam>(c, few_builds()[i % 8], truth,
                            i < 7 ? rules : rules.subspan(i * 3 % 15, 3));
  }
}

TYPED_TEST(VolumeQueriesOf, PairsAgreeWithBruteForceForEveryBuilder) {
  const VolumeTraversal traversals[] = {{TreeDescent::larger, TreeSearch::nearest_first}};
  const std::vector<PairCase> cases = pair_cases();
  for (std::size_t i = 0; i < 3; ++i) {
    const PairAnswers truth = brute_pairs(cases[i].a.view(), cases[i].b.view(), cases[i].frame);
    for (const NamedBuild& build : i == 0 ? all_builds() : few_builds()) {
      expect_right<TypeParam>(cases[i], build, truth, traversals);
    }
  }
}

TYPED_TEST(VolumeQueriesOf, PairsAgreeWithBruteForceInRandomSoups) {
  for_each_seed(fewer_when_sanitized(60), [](Source& source) {
    const double size = scale(source);
    const PolygonMesh soup_a = soup_mesh(source);
    const PolygonMesh soup_b = soup_mesh(source);
    const Vec3 off = offset(source);
    const TriangleMesh a = moved(triangle_mesh("a", soup_a), off * size, size);
    const TriangleMesh b = moved(triangle_mesh("b", soup_b), off * size, size);
    const Vec3 by = halved_vec3(source, 20);
    const Quat turn = rotation(source);
    // Often in place: then faces lie in faces.
    const Pose pose = source.chance(3) ? Pose{} : Pose{turn, by * size};
    const PairCase c{a, b, pose.frame()};
    const std::vector<NamedBuild> builds = few_builds();
    const VolumeTraversal t = all_traversals()[source.below(15)];
    expect_right<TypeParam>(c, builds[source.below(builds.size())],
                            brute_pairs(a.view(), b.view(), c.frame), std::span(&t, 1));
  });
}

TYPED_TEST(VolumeQueriesOf, AGuessSavesWorkAndChangesNothing) {
  const TriangleMesh mesh = triangle_mesh("torus", torus_mesh(24, 12));
  const auto tree = build_volume_tree<TypeParam>(mesh.view());
  const Frame frame = frame_at(0.7, {4, 3, 2});
  const VolumeTraversal blind{TreeDescent::larger, TreeSearch::depth_first};
  VolumeTreeStats cold;
  const VolumeTreeNearest n = nearest_triangles(tree, tree, frame, {.traversal = blind}, &cold);
  VolumeTreeStats warm;
  const VolumeTreeNearest again =
      nearest_triangles(tree, tree, frame, {.traversal = blind, .guess = n.triangles}, &warm);
  EXPECT_EQ(n.distance, again.distance);
  EXPECT_LE(warm.volumes, cold.volumes);
  EXPECT_LT(warm.triangles, cold.triangles);
  const VolumeTreeNearest odd =
      nearest_triangles(tree, tree, frame, {.guess = VolumeTreePair{1u << 30, 7}});
  EXPECT_EQ(n.distance, odd.distance);
  // Within: just far enough, and just not.
  EXPECT_EQ(nearest_triangles(tree, tree, frame, {.within = n.distance}).distance, n.distance);
  VolumeTreeStats none;
  const double less = std::nextafter(n.distance, 0.0);
  EXPECT_FALSE(nearest_triangles(tree, tree, frame, {.within = less}, &none).found);
  EXPECT_LE(none.volumes, cold.volumes);
}

TYPED_TEST(VolumeQueriesOf, BestFirstTestsNoMoreVolumesThanDepthFirst) {
  const TriangleMesh mesh = triangle_mesh("torus", torus_mesh(24, 12));
  const auto tree = build_volume_tree<TypeParam>(mesh.view());
  const Frame frame = frame_at(0.7, {4, 3, 2});
  std::uint64_t volumes[3] = {};
  for (const TreeSearch s :
       {TreeSearch::depth_first, TreeSearch::nearest_first, TreeSearch::best_first}) {
    VolumeTreeStats stats;
    const VolumeTreeNearest n =
        nearest_triangles(tree, tree, frame, {.traversal = {TreeDescent::larger, s}}, &stats);
    EXPECT_TRUE(n.found);
    volumes[static_cast<int>(s)] = stats.volumes;
    // A tree is there to save tests: of 331776 pairs few are looked at.
    EXPECT_LT(stats.triangles, 20000u);
  }
  EXPECT_LE(volumes[2], volumes[1]);
  EXPECT_LE(volumes[1], volumes[0]);
}

// Rays at corners, at edges' middles and into faces, from outside, from within and from the surface itself; with any length.
TYPED_TEST(VolumeQueriesOf, RaysAndPointsAgreeWithBruteForce) {
  std::vector<TriangleMesh> meshes = plain_meshes();
  for (TriangleMesh& m : hard_meshes()) meshes.push_back(std::move(m));
  const std::vector<NamedBuild> builds = few_builds();
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    const TriangleMesh& mesh = meshes[m];
    for (const NamedBuild& build : {builds[m % 8], builds[(m + 3) % 8], builds[(m + 6) % 8]}) {
      SCOPED_TRACE(mesh.name + ", " + build.name);
      const auto tree = build_volume_tree<TypeParam>(mesh.view(), build.how);
      RandomSource source(7);
      for (int i = 0; i < 40; ++i) {
        Vec3 target = vec3(source);
        const Vec3 away = vec3(source);
        double size = 1;
        if (!tree.empty()) {
          const Triangle t = mesh.view()[tree.triangles[source.below(tree.triangles.size())]];
          const int where = source.index(3);
          target = where == 0 ? t.a : where == 1 ? (t.a + t.b) * 0.5 : (t.a + t.b + t.c) / 3;
          size = std::max({distance(t.a, t.b), distance(t.b, t.c), 1e-3 * tree.extent});
        }
        const Vec3 origin = target + away * (size * source.index(4));
        const double speed = std::ldexp(1.0, source.index(20) - 10);
        const Ray ray{origin, source.chance(6) ? unit_axis(source.index(3)) * size
                                               : (target - origin) * speed};
        const double t_max = source.chance(3) ? source.uniform(0, 2) / speed : INFINITY;
        const VolumeTreeHit truth = brute_cast(ray, mesh.view(), t_max);
        const VolumeTreePoint nearest = brute_closest(origin, mesh.view());
        for (const TreeSearch s :
             {TreeSearch::depth_first, TreeSearch::nearest_first, TreeSearch::best_first}) {
          const VolumeTreeHit hit = cast(ray, tree, t_max, s);
          EXPECT_EQ(hit.hit, truth.hit);
          EXPECT_EQ(hit.t, truth.t);
          EXPECT_EQ(hit.triangle, truth.triangle);
          const VolumeTreePoint n = closest_point(origin, tree, s);
          EXPECT_EQ(n.distance, nearest.distance);
          EXPECT_EQ(n.triangle, nearest.triangle);
          EXPECT_EQ(n.found, nearest.found);
        }
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TYPED_TEST(VolumeQueriesOf, NumbersThatAreNotFiniteEndAnyhow) {
  const TriangleMesh mesh = triangle_mesh("torus", torus_mesh(4, 3));
  const auto tree = build_volume_tree<TypeParam>(mesh.view());
  for (const double bad : {double(NAN), double(INFINITY), -double(INFINITY), 1e300}) {
    const Frame frame{Mat3::identity(), {0, bad, 0}};
    // What is found means nothing; that it ends, and names triangles that there are, is what counts.
    const Frame turned{{{bad, 0, 0}, {0, bad, 0}, {0, 0, 1}}, {}};
    for (const Frame& placed : {frame, turned}) {
      for (const VolumeTreePair& pair : overlapping_pairs(tree, tree, placed)) {
        EXPECT_LT(pair.a, mesh.triangles.size());
        EXPECT_LT(pair.b, mesh.triangles.size());
      }
      EXPECT_GE(nearest_triangles(tree, tree, placed).distance, 0);
    }
    static_cast<void>(cast(Ray{{bad, 0, 0}, {1, 0, 0}}, tree));
    static_cast<void>(cast(Ray{{0, 0, 0}, {bad, 0, 0}}, tree, bad));
    static_cast<void>(closest_point(Vec3{0, 0, bad}, tree));
  }
}

// On the data, all kinds give what boxes along the axes give, and those what brute force gives.
TYPED_TEST(VolumeQueriesOf, DataMeshes) {
  const auto env = data_mesh("env");
  const auto rob = data_mesh("rob");
  if (!env || !rob) GTEST_SKIP() << "no external data: CAROM_DATA names no folder";
  const TriangleMesh a = triangle_mesh("env", *env);
  const TriangleMesh b = triangle_mesh("rob", *rob);
  const auto tree_a = build_volume_tree<TypeParam>(a.view());
  const auto tree_b = build_volume_tree<TypeParam>(b.view(), {.method = TreeMethod::clusters});
  const auto boxes_a = build_volume_tree<Aabb>(a.view());
  const auto boxes_b = build_volume_tree<Aabb>(b.view());
  RandomSource source(11);
  for (int i = 0; i < 8; ++i) {
    const double x = source.uniform(-3000, 3000);
    const double y = source.uniform(-3000, 3000);
    const double z = source.uniform(-3000, 3000);
    const Frame frame = frame_at(0.5 * i, {x, y, z});
    const auto pairs = overlapping_pairs(boxes_a, boxes_b, frame);
    const double d = nearest_triangles(boxes_a, boxes_b, frame).distance;
    EXPECT_EQ(overlapping_pairs(tree_a, tree_b, frame), pairs);
    EXPECT_EQ(nearest_triangles(tree_a, tree_b, frame).distance, d);
    if (i == 0) {
      const PairAnswers truth = brute_pairs(a.view(), b.view(), frame);
      EXPECT_EQ(pairs, truth.overlapping);
      EXPECT_EQ(d, truth.distance);
    }
  }
}

} // namespace
} // namespace carom::test
