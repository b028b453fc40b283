#include "carom/shape/climb.h"

#include "tests/shape/climb_cases.h"

#include <algorithm>
#include <set>
#include <vector>

namespace carom {
namespace {

using test::Source;

PROPERTY(Climb, FindsTheFarthestFromAnyStart) {
  const auto hull = convex_hull(test::any_points(source, 1 + source.index(200)));
  REQUIRE(hull.has_value());
  const ClimbGraph graph(*hull);
  HullClimber climber;
  const std::span<const Vec3> vertices = hull->vertices;
  for (int i = 0; i < 10; ++i) {
    const Vec3 d = test::ordinary_direction(source, vertices);
    const auto start = static_cast<std::uint32_t>(source.below(vertices.size()));
    test::expect_farthest(vertices, d, climber.farthest(graph.view(), d, start), i == 0);
  }
  REQUIRE(!::testing::Test::HasFailure());
}

TEST(Climb, LargeHullsOfEveryKind) {
  for (int kind = 0; kind < test::point_kinds; ++kind) {
    test::RandomSource source(static_cast<std::uint64_t>(kind) + 7);
    const auto hull = convex_hull(test::points_of_kind(source, kind, 1500)).value();
    const ClimbGraph graph(hull);
    HullClimber climber;
    std::uint32_t at = 0;
    for (int i = 0; i < 500; ++i) {
      const Vec3 d = test::ordinary_direction(source, hull.vertices);
      at = climber.farthest(graph.view(), d, at);
      test::expect_farthest(hull.vertices, d, at, false);
    }
  }
}

TEST(Climb, TheWayUpMayBeginBelowRounding) {
  const auto hull = convex_hull(test::hidden_way_points()).value();
  ASSERT_EQ(hull.vertices.size(), 10u);
  const ClimbGraph graph(hull);
  HullClimber climber;
  test::for_each_seed(1000, [&](Source& source) {
    const Vec3 d = test::hidden_way_direction(source);
    test::expect_farthest(hull.vertices, d, climber.farthest(graph.view(), d, 0), true);
  });
}

// Cold starts jump: without artificial neighbours a climb over 10,000 vertices passes the width of the hull, a hundred or so, and looks at
// all around its way.
TEST(Climb, ColdStartsJump) {
  test::RandomSource source(5);
  const auto hull = convex_hull(test::sphere_points(source, 10000)).value();
  const ClimbGraph graph(hull);
  const Neighbors edges = edge_neighbors(hull);
  HullClimber climber;
  std::size_t with = 0, without = 0;
  for (int i = 0; i < 300; ++i) {
    const Vec3 d = test::on_sphere(source);
    const auto start = static_cast<std::uint32_t>(source.below(hull.vertices.size()));
    const std::uint32_t at = climber.farthest(graph.view(), d, start);
    with += climber.seen();
    test::expect_farthest(hull.vertices, d, at, false);
    (void)climber.farthest({hull.vertices, edges.first, edges.list}, d, start);
    without += climber.seen();
  }
  EXPECT_LT(4 * with, without);
  EXPECT_LT(with, 300 * 40u);
}

TEST(Climb, TheNeighborsAreTheEdges) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({i & 1 ? 1.0 : 0, i & 2 ? 1.0 : 0, i & 4 ? 1.0 : 0});
  const auto cube = convex_hull(corners).value();
  const Neighbors edges = edge_neighbors(cube);
  for (std::uint32_t v = 0; v < 8; ++v) {
    std::set<std::uint32_t> expected{v ^ 1, v ^ 2,
                                     v ^ 4}; // the vertices stand in the order of the input
    const auto of = edges.of(v);
    EXPECT_EQ(std::set<std::uint32_t>(of.begin(), of.end()), expected);
    EXPECT_EQ(of.size(), 3u);
  }
  const Neighbors segment =
      edge_neighbors(convex_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}}).value());
  EXPECT_EQ(segment.list, (std::vector<std::uint32_t>{1, 0}));
  const Neighbors point = edge_neighbors(convex_hull(std::vector<Vec3>{{0, 0, 0}}).value());
  EXPECT_EQ(point.first, (std::vector<std::uint32_t>{0, 0}));
  EXPECT_TRUE(point.list.empty());
}

TEST(Climb, OddDirectionsGiveSomeVertex) {
  test::RandomSource source(9);
  const auto hull = convex_hull(test::sphere_points(source, 100)).value();
  const ClimbGraph graph(hull);
  HullClimber climber;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 d = test::any_direction(source, hull.vertices);
    EXPECT_LT(climber.farthest(graph.view(), d, 3), hull.vertices.size());
  }
  const ConvexHull none;
  EXPECT_EQ(climber.farthest(ClimbGraph(none).view(), {1, 0, 0}, 0), 0u);
}

} // namespace
} // namespace carom
