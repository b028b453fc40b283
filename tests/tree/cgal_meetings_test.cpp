// Every pair of triangles of two data meshes that meet, counted by CGAL in rational numbers.
#include "carom/math/random.h"
#include "carom/mesh/triangulate.h"
#include "carom/tree/triangle_pairs.h"
#include "tests/support/data_mesh.h"

#include <CGAL/Gmpq.h>
#include <CGAL/Intersections_3/Triangle_3_Triangle_3.h>
#include <CGAL/Simple_cartesian.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace carom {
namespace {

using Kernel = CGAL::Simple_cartesian<CGAL::Gmpq>;
using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

struct DataMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  TriangleTree tree;

  explicit DataMesh(const PolygonMesh& mesh) : vertices(mesh.vertices) {
    const PolygonMesh cut = triangulated(mesh);
    for (std::size_t f = 0; f < cut.face_count(); ++f)
      triangles.push_back({cut.face(f)[0], cut.face(f)[1], cut.face(f)[2]});
    tree = TriangleTree(surface());
  }
  [[nodiscard]] TriangleSurface surface() const { return {vertices, triangles}; }
};

/// Calls maybe(i, j) for the pairs whose boxes overlap, found by sweeping along x.
template<class Maybe>
void sweep(const std::vector<Triangle>& a, const std::vector<Triangle>& b, Maybe&& maybe) {
  const auto sorted = [](const std::vector<Triangle>& t) {
    std::vector<std::uint32_t> order(t.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
      return bounds(t[i]).min.x < bounds(t[j]).min.x;
    });
    return order;
  };
  const auto order_b = sorted(b);
  double widest = 0;
  for (const Triangle& t : b) widest = std::max(widest, bounds(t).max.x - bounds(t).min.x);
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    const Aabb box = bounds(a[i]);
    auto at = std::lower_bound(order_b.begin(), order_b.end(), box.min.x - 1.01 * widest,
                               [&](std::uint32_t j, double x) { return bounds(b[j]).min.x < x; });
    for (; at != order_b.end() && bounds(b[*at]).min.x <= box.max.x; ++at) {
      const Aabb other = bounds(b[*at]);
      const Vec3 low = max(box.min, other.min), high = min(box.max, other.max);
      if (low.x <= high.x && low.y <= high.y && low.z <= high.z) maybe(i, *at);
    }
  }
}

Kernel::Point_3 exact(const Vec3& v) { return {v.x, v.y, v.z}; }
Kernel::Triangle_3 exact(const Triangle& t) { return {exact(t.a), exact(t.b), exact(t.c)}; }

std::vector<Triangle> placed(const DataMesh& mesh, const Frame& frame) {
  std::vector<Triangle> result;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle t = mesh.surface()[i];
    result.push_back({frame.to_world(t.a), frame.to_world(t.b), frame.to_world(t.c)});
  }
  return result;
}

Pairs by_tree(const DataMesh& a, const DataMesh& b, const Frame& frame) {
  Pairs result;
  all_meetings({a.tree, a.surface()}, {b.tree, b.surface()}, frame, [&](const TrianglePair& pair) {
    EXPECT_TRUE(result.emplace(pair.a, pair.b).second) << "twice";
    return true;
  });
  return result;
}

Pairs by_cgal(const DataMesh& a, const DataMesh& b, const Frame& frame) {
  const auto triangles_a = placed(a, Pose::identity().frame()), triangles_b = placed(b, frame);
  Pairs result;
  sweep(triangles_a, triangles_b, [&](std::uint32_t i, std::uint32_t j) {
    if (CGAL::do_intersect(exact(triangles_a[i]), exact(triangles_b[j]))) result.emplace(i, j);
  });
  return result;
}

} // namespace

TEST(CgalMeetings, BunnyAndRobotAtRandomPoses) {
  const auto bunny = test::data_mesh("stanford-bunny"), env = test::data_mesh("env"),
             rob = test::data_mesh("rob");
  if (!bunny) GTEST_SKIP() << "no data: set CAROM_DATA";
  const DataMesh meshes[3] = {DataMesh(*bunny), DataMesh(*env), DataMesh(*rob)};
  Random random(7);
  std::size_t met = 0;
  for (int i = 0; i < 4; ++i) {
    const bool robot = i % 2 == 1;
    const double reach = robot ? 1000 : 0.04;
    Pose pose;
    pose.rotation = random.rotation();
    for (int k = 0; k < 3; ++k) pose.position[k] = random.uniform(-reach, reach);
    const DataMesh &a = meshes[robot ? 1 : 0], &b = meshes[robot ? 2 : 0];
    const Pairs expected = by_cgal(a, b, pose.frame());
    met += expected.size();
    EXPECT_EQ(by_tree(a, b, pose.frame()), expected) << "pose " << i;
  }
  EXPECT_GT(met, 1000u);
}

} // namespace carom
