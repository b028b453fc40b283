#include "carom/geometry/fit_aabb.h"

#include "carom/geometry/fit_sphere.h"
#include "carom/math/tolerance.h"
#include "tests/geometry/exact_enclosure.h"
#include "tests/geometry/point_clouds.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;

TEST(FitAabb, IsTheLeastExactly) {
  test::for_each_seed(2000, [](Source& source) {
    const std::vector<Vec3> points = test::cloud(source);
    const Aabb box = fit_aabb(points);
    EXPECT_TRUE(test::encloses(box, points));
    for (int i = 0; i < 3; ++i) {
      const auto reached = [&](double end) {
        return std::any_of(points.begin(), points.end(),
                           [&](const Vec3& p) { return p[i] == end; });
      };
      EXPECT_TRUE(reached(box.min[i]));
      EXPECT_TRUE(reached(box.max[i]));
    }
  });
}

TEST(FitAabb, SinglePointSetsBothMinAndMax) {
  const Vec3 p{-3, 5, 7};
  EXPECT_EQ(fit_aabb(std::vector{p}).min, p);
  EXPECT_EQ(fit_aabb(std::vector{p}).max, p);
  // Falling coordinates: each point is a new least, and the first is the greatest.
  EXPECT_EQ(fit_aabb(std::vector<Vec3>{{3, 3, 3}, {2, 2, 2}, {1, 1, 1}}).max, (Vec3{3, 3, 3}));
  EXPECT_TRUE(fit_aabb({}).empty());
  EXPECT_EQ(fit_aabb(std::vector<Vec3>{{NAN, 0, 0}, p}).min, p);
}

/// How much larger than the least box, in each direction, at most.
double excess(const Aabb& box, const Aabb& least) {
  return std::max(max_abs(box.max - least.max), max_abs(box.min - least.min));
}

TEST(PlacedAabb, EnclosesThePlacedPointsExactly) {
  test::for_each_seed(2000, [](Source& source) {
    const std::vector<Vec3> points = test::cloud(source);
    const double s = test::size_of(points);
    Pose pose = test::pose(source);
    pose.position = pose.position * s;
    const Frame frame = pose.frame();
    const Aabb tight = placed_aabb(points, frame);
    const Aabb by_box = placed_aabb(fit_aabb(points), frame);
    const Aabb by_ball = placed_aabb(ritter_sphere(points), frame);
    EXPECT_TRUE(test::encloses(tight, points, frame));
    EXPECT_TRUE(test::encloses(by_box, points, frame));
    EXPECT_TRUE(test::encloses(by_ball, points, frame));
    // Tight: rounded outward by the last bits of the terms, no more.
    Aabb plain;
    for (const Vec3& p : points) {
      plain.min = min(plain.min, frame.to_world(p));
      plain.max = max(plain.max, frame.to_world(p));
    }
    EXPECT_LE(excess(tight, plain), 8 * tolerance::epsilon * (s + max_abs(frame.origin)));
    // The corners of the local box are points, too: the box of the box is tight around them.
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i) corners.push_back(fit_aabb(points).corner(i));
    EXPECT_LE(excess(by_box, placed_aabb(corners, frame)),
              8 * tolerance::epsilon * (s + max_abs(frame.origin)));
  });
}

TEST(PlacedAabb, IsExactWhereNothingIsRounded) {
  const std::vector<Vec3> points = {{1, 2, 3}, {-4, 0, 0.5}};
  const Frame quarter = Pose{Quat{0, 0, 1, 1}, {10, 20, 30}}.frame(); // x to y, y to -x
  for (const Aabb& box : {placed_aabb(points, quarter), placed_aabb(fit_aabb(points), quarter)}) {
    EXPECT_EQ(box.min, (Vec3{8, 16, 30.5}));
    EXPECT_EQ(box.max, (Vec3{10, 21, 33}));
  }
  const Aabb ball = placed_aabb(Sphere{{1, 2, 3}, 2}, quarter);
  EXPECT_EQ(ball.min, (Vec3{6, 19, 31}));
  EXPECT_EQ(ball.max, (Vec3{10, 23, 35}));
  EXPECT_TRUE(placed_aabb(Aabb{}, quarter).empty());
  EXPECT_TRUE(placed_aabb(std::span<const Vec3>{}, quarter).empty());
}

TEST(PlacedAabb, FromTheOriginalBoxItDoesNotGrow) {
  const Aabb original{{-1, -2, -3}, {1, 2, 3}};
  const Frame step = Pose{Quat::from_axis_angle({1, 2, 3}, 0.1), {}}.frame();
  Pose pose;
  Aabb chained = original;
  double greatest = 0;
  for (int i = 0; i < 100; ++i) {
    pose.rotation =
        normalized(Pose{Quat::from_axis_angle({1, 2, 3}, 0.1), {}}.rotation * pose.rotation);
    greatest = std::max(greatest, max_abs(placed_aabb(original, pose.frame()).max));
    chained = placed_aabb(chained, step);
  }
  // No farther than a corner of the original, ever. Made from the step before, it runs away: that is why it is not to be done.
  EXPECT_LE(greatest, std::sqrt(14.0) * (1 + 8 * tolerance::epsilon));
  EXPECT_GT(max_abs(chained.max), 1e4);
}

TEST(HullClimber, HillClimbingTrap) {
  // Vertices in the middle of a face have coplanar neighbours only. After half a turn, one that was farthest is the least far, and none of
  // its neighbours is better.
  const test::OwnedGraph cube = test::cube_grid(6);
  HullClimber climber;
  for (int axis = 0; axis < 3; ++axis) {
    for (std::uint32_t start = 0; start < cube.vertices.size(); ++start) {
      for (const double way : {1.0, -1.0}) {
        const std::uint32_t at = climber.farthest(cube.view(), unit_axis(axis) * way, start);
        EXPECT_EQ(cube.vertices[at][axis], way);
      }
    }
  }
}

TEST(HullClimber, HillClimbingTrapTurned) {
  // The same where the levels are equal only up to rounding: the cube is turned, so that its faces are level in real numbers, and the
  // computed heights differ in the last bits.
  test::for_each_seed(300, [](Source& source) {
    test::OwnedGraph cube = test::cube_grid(4);
    const Mat3 m = to_matrix(test::rotation(source));
    for (Vec3& p : cube.vertices) p = m * p;
    HullClimber climber;
    const int axis = source.index(3);
    for (std::uint32_t start = 0; start < cube.vertices.size(); ++start) {
      const std::uint32_t at = climber.farthest(cube.view(), m[axis], start);
      EXPECT_NEAR(dot(cube.vertices[at], m[axis]), 1, 8 * tolerance::epsilon);
    }
  });
}

TEST(AabbTracker, FollowsAHullThroughTurnsLargeAndSmall) {
  test::for_each_seed(100, [](Source& source) {
    const test::OwnedGraph hull =
        source.chance(3) ? test::cube_grid(3) : test::random_hull(source, 4 + source.index(16));
    AabbTracker tracker;
    Pose pose = test::pose(source);
    for (int step = 0; step < 12; ++step) {
      const Quat turn = source.chance(3) ? test::rotation(source)
                                         : Quat::from_axis_angle(test::direction(source), 0.05);
      pose.rotation = normalized(turn * pose.rotation);
      const Frame frame = pose.frame();
      const Aabb box = tracker.update(hull.view(), frame);
      EXPECT_TRUE(test::encloses(box, hull.vertices, frame));
      // Sizes up to 1 and translations up to 2; 64 epsilon of slack each.
      EXPECT_LE(excess(box, placed_aabb(hull.vertices, frame)), 64 * tolerance::epsilon * 2);
    }
  });
}

TEST(HullClimber, BrokenGraphsStillReturn) {
  HullClimber climber;
  EXPECT_EQ(climber.farthest({}, {1, 0, 0}, 5), 0u);
  const std::vector<Vec3> vertices = {{0, 0, 0}, {1, 0, 0}};
  const std::vector<std::uint32_t> first = {0, 9, 4};
  const std::vector<std::uint32_t> neighbors = {7, 1};
  EXPECT_EQ(climber.farthest({vertices, first, neighbors}, {1, 0, 0}, 9), 1u);
  EXPECT_LT(climber.farthest({vertices, {}, {}}, {NAN, 0, 0}, 1), 2u);
}

} // namespace
} // namespace carom
