#include "carom/shape/dobkin_kirkpatrick.h"

#include "tests/shape/climb_cases.h"

#include <cmath>
#include <vector>

namespace carom {
namespace {

using test::Source;

PROPERTY(DobkinKirkpatrick, FindsTheFarthest) {
  const auto hull = convex_hull(test::any_points(source, 1 + source.index(200)));
  REQUIRE(hull.has_value());
  const DobkinKirkpatrick hierarchy(*hull);
  HullClimber climber;
  for (int i = 0; i < 10; ++i) {
    const Vec3 d = test::ordinary_direction(source, hull->vertices);
    test::expect_farthest(hull->vertices, d, hierarchy.farthest(d, climber), i == 0);
  }
  REQUIRE(!::testing::Test::HasFailure());
}

TEST(DobkinKirkpatrick, LargeHullsOfEveryKind) {
  for (int kind = 0; kind < test::point_kinds; ++kind) {
    test::RandomSource source(static_cast<std::uint64_t>(kind) + 7);
    const auto hull = convex_hull(test::points_of_kind(source, kind, 1500)).value();
    const DobkinKirkpatrick hierarchy(hull);
    HullClimber climber;
    for (int i = 0; i < 500; ++i) {
      const Vec3 d = test::ordinary_direction(source, hull.vertices);
      test::expect_farthest(hull.vertices, d, hierarchy.farthest(d, climber), false);
    }
  }
}

TEST(DobkinKirkpatrick, TheWayUpMayBeginBelowRounding) {
  const auto hull = convex_hull(test::hidden_way_points()).value();
  const DobkinKirkpatrick hierarchy(hull);
  HullClimber climber;
  test::for_each_seed(1000, [&](Source& source) {
    const Vec3 d = test::hidden_way_direction(source);
    test::expect_farthest(hull.vertices, d, hierarchy.farthest(d, climber), true);
  });
}

// Levels shrink by a constant factor, and the descent alone finds the answer: the climb has nothing to do but look around.
TEST(DobkinKirkpatrick, LogarithmicOnTenThousandVertices) {
  test::RandomSource source(5);
  const auto hull = convex_hull(test::sphere_points(source, 10000)).value();
  const DobkinKirkpatrick hierarchy(hull);
  EXPECT_LE(hierarchy.top_size(), 8u);
  EXPECT_LE(hierarchy.levels(), 40u); // a fifth less each time would make 32 of 10,000 : 8
  HullClimber climber;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 d = test::on_sphere(source);
    test::expect_farthest(hull.vertices, d, hierarchy.farthest(d, climber), false);
    EXPECT_EQ(climber.seen(), 0u); // no neighbour was farther, or as far
  }
}

TEST(DobkinKirkpatrick, APolygonIsHalvedEachTime) {
  std::vector<Vec3> points;
  for (int i = 0; i < 256; ++i) {
    const double a = i * 6.283185307179586 / 256;
    points.push_back({std::cos(a), std::sin(a), 0});
  }
  const auto hull = convex_hull(points).value();
  ASSERT_EQ(hull.dimension, 2);
  const DobkinKirkpatrick hierarchy(hull);
  EXPECT_EQ(hierarchy.levels(), 6u);
  EXPECT_EQ(hierarchy.top_size(), 8u);
  HullClimber climber;
  test::RandomSource source(3);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 d = test::ordinary_direction(source, hull.vertices);
    test::expect_farthest(hull.vertices, d, hierarchy.farthest(d, climber), i % 10 == 0);
  }
}

TEST(DobkinKirkpatrick, SmallOnesAndOddDirections) {
  HullClimber climber;
  EXPECT_EQ(DobkinKirkpatrick(ConvexHull{}).farthest({1, 0, 0}, climber), 0u);
  const DobkinKirkpatrick point(convex_hull(std::vector<Vec3>{{1, 2, 3}}).value());
  EXPECT_EQ(point.farthest({1, 0, 0}, climber), 0u);
  const DobkinKirkpatrick segment(convex_hull(std::vector<Vec3>{{1, 2, 3}, {2, 2, 3}}).value());
  EXPECT_EQ(segment.farthest({1, 0, 0}, climber), 1u);
  EXPECT_EQ(segment.farthest({-1, 0, 0}, climber), 0u);
  test::RandomSource source(9);
  const auto hull = convex_hull(test::sphere_points(source, 100)).value();
  const DobkinKirkpatrick hierarchy(hull);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 d = test::any_direction(source, hull.vertices);
    EXPECT_LT(hierarchy.farthest(d, climber), hull.vertices.size());
  }
}

} // namespace
} // namespace carom
