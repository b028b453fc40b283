// Walking on level and sloping ground, over edges that are none, up and down stairs.
#include "tests/mover/levels.h"
#include "tests/support/property.h"

namespace carom::test {
namespace {

constexpr double skin = 0.02; // the default

/// Walks with a velocity for so many seconds, in steps of 1 / rate.
Vec3 walk_for(const Space& space, const Mover& mover, MoverState& state, const Vec3& velocity,
              double seconds, int rate = 60) {
  const Vec3 from = state.pose.position;
  MoverCache cache;
  const int steps = static_cast<int>(std::lround(seconds * rate));
  for (int i = 0; i < steps; ++i)
    (void)checked_move(space, mover, state, {.walk = velocity, .seconds = 1.0 / rate}, &cache);
  return state.pose.position - from;
}

TEST(MoverWalk, FallsToTheGroundAndKeepsItsSkin) {
  Soup soup;
  soup.ground(10);
  const Space space = space_of(soup.shape());
  for (const Mover& mover : all_movers()) {
    MoverState state = standing_at(space, mover, {0.3, 1, 0.2});
    // Within rounding of a cast: 1e-11 of the coordinates.
    EXPECT_NEAR(gap(space, mover, state), skin, 1e-9);
    EXPECT_NEAR(state.ground_normal.y, 1, 1e-9);
    EXPECT_EQ(state.velocity, Vec3{});
  }
}

TEST(MoverWalk, StandingOnLevelGroundIsOneSweep) {
  Soup soup;
  soup.ground(10);
  const Space space = space_of(soup.shape());
  for (const Mover& mover : all_movers()) {
    MoverState state = standing_at(space, mover, {0.3, 1, 0.2});
    const MoverState before = state;
    for (int i = 0; i < 10; ++i) {
      const MoveResult r = checked_move(space, mover, state, {});
      EXPECT_EQ(r.sweeps, 1);
      EXPECT_EQ(r.touch_count, 1U);
      EXPECT_EQ(r.touched[0].kind, TouchKind::ground);
    }
    EXPECT_NEAR(distance(before.pose.position, state.pose.position), 0, 1e-12);
    const MoveResult r = checked_move(space, mover, state, {.walk = {1, 0, 0}});
    EXPECT_EQ(r.sweeps, 2);
  }
}

TEST(MoverWalk, AHundredThousandCoplanarTrianglesAtConstantSpeed) {
  // 224 x 224 cells of two triangles; of vertices that no lattice lies on, so that edges run at all angles.
  PolygonMesh mesh;
  constexpr int cells = 224;
  Random random(5);
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i) {
      const double dx = random.uniform(-0.4, 0.4);
      const double dz = random.uniform(-0.4, 0.4);
      mesh.vertices.push_back({0.25 * (i + dx), 0, 0.25 * (j + dz)});
    }
  for (std::uint32_t j = 0; j < cells; ++j)
    for (std::uint32_t i = 0; i < cells; ++i) {
      const std::uint32_t a = j * (cells + 1) + i, b = a + 1, c = a + cells + 1, d = c + 1;
      mesh.add_face(std::array{a, c, b});
      mesh.add_face(std::array{b, c, d});
    }
  ASSERT_GE(mesh.face_count(), 100'000U);
  const Shape flat = Shape::mesh(mesh).value();
  // Turned, so that the plane is no multiple of an axis in the world.
  for (const double tilt : {0.0, 0.3}) {
    Space space;
    const Pose pose{Quat::from_axis_angle({1, 0, 0.5}, tilt), {}};
    (void)space.add({.shape = flat, .pose = pose, .mobility = Mobility::fixed});
    for (const Mover& mover : all_movers()) {
      const Vec3 up = pose.frame().direction_to_world({0, 1, 0});
      const Vec3 start = pose.frame().to_world({2, 0, 2});
      MoverState state = standing_at(space, mover, start + Vec3{0, 1, 0});
      const Vec3 walk{3, 0, 2.5};
      const double step = length(walk) / 60;
      MoverCache cache;
      for (int i = 0; i < 240; ++i) {
        const MoveResult r = checked_move(space, mover, state, {.walk = walk}, &cache);
        ASSERT_EQ(r.sweeps, 2) << i;
        ASSERT_NEAR(length(r.moved), step, 1e-9) << i;
        ASSERT_NEAR(dot(r.moved, up), 0, 1e-9) << i;
        ASSERT_TRUE(state.grounded);
      }
    }
  }
}

TEST(MoverWalk, BoxesSideBySideAreOneFloor) {
  Space space;
  const Shape tile = Shape::box({0.5, 0.5, 0.5}).value();
  for (int i = -2; i < 12; ++i)
    (void)space.add(
        {.shape = tile, .pose = Pose::at({i + 0.0, -0.5, 0}), .mobility = Mobility::fixed});
  for (const Mover& mover : all_movers()) {
    MoverState state = standing_at(space, mover, {0, 0.5, 0});
    const Vec3 gone = walk_for(space, mover, state, {2, 0, 0}, 4);
    EXPECT_NEAR(gone.x, 8, 1e-6);
    EXPECT_NEAR(gone.y, 0, 1e-9);
  }
}

Soup stairs(double rise, double run, int count) {
  Soup soup;
  soup.ground(30);
  for (int i = 0; i < count; ++i)
    soup.box({1 + run * i, 0, -2}, {1 + run * count + 4, rise * (i + 1), 2});
  return soup;
}

TEST(MoverWalk, StairsUpAndDown) {
  const Space space = space_of(stairs(0.2, 0.3, 8).shape());
  for (const Mover& mover : all_movers()) {
    MoverState state = standing_at(space, mover, {0, 0.1, 0.1});
    const Vec3 up = walk_for(space, mover, state, {2, 0, 0}, 2.5);
    EXPECT_NEAR(state.pose.position.y, 1.6 + skin, 0.001);
    EXPECT_NEAR(up.x, 5, 1e-6); // stairs cost no speed
    EXPECT_TRUE(state.grounded);
    // Down again, never in the air.
    MoverCache cache;
    for (int i = 0; i < 150; ++i) {
      (void)checked_move(space, mover, state, {.walk = {-2, 0, 0}}, &cache);
      ASSERT_TRUE(state.grounded) << i;
    }
    EXPECT_NEAR(state.pose.position.y, skin, 0.001);
  }
}

TEST(MoverWalk, AStepThatIsTooHighIsAWall) {
  const Space space = space_of(stairs(0.4, 0.5, 1).shape());
  for (const Mover& mover : all_movers()) {
    MoverState state = standing_at(space, mover, {0, 0.1, 0.1});
    (void)walk_for(space, mover, state, {2, 0, 0}, 2);
    EXPECT_NEAR(state.pose.position.y, skin, 0.001);
    EXPECT_LT(state.pose.position.x, 1);
  }
}

TEST(MoverWalk, NobodyHangsOnAnEdge) {
  // Falling past a table, a few millimetres over its edge: it slides off, down to the floor.
  Soup soup;
  soup.ground(10);
  soup.box({1, 0, -2}, {3, 1, 2});
  const Space space = space_of(soup.shape());
  const Mover mover = mover_of(capsule());
  const MoverState state = standing_at(space, mover, {1 - 0.297, 1.5, 0});
  EXPECT_NEAR(state.pose.position.y, skin, 1e-6);
}

TEST(MoverWalk, WithoutStepsDownItFliesOffTheEdge) {
  const Space space = space_of(stairs(0.2, 0.5, 1).shape());
  const Mover mover = Mover::make({.shape = capsule(), .up = level_up, .step_down = 0}).value();
  MoverState state = standing_at(space, mover, {3, 0.5, 0});
  bool flew = false;
  for (int i = 0; i < 120; ++i) {
    (void)checked_move(space, mover, state, {.walk = {-3, 0, 0}});
    flew |= !state.grounded;
  }
  EXPECT_TRUE(flew);
  EXPECT_TRUE(state.grounded);
}

/// From (0, 0) upward along x, at this angle; level ground before it.
Space ramp(double angle) {
  Soup soup;
  soup.quad({-20, 0, -20}, {-20, 0, 20}, {0, 0, 20}, {0, 0, -20});
  const SinCos a = sin_cos(angle);
  const Vec3 top{20 * a.cos, 20 * a.sin, 0};
  soup.quad({0, 0, -20}, {0, 0, 20}, top + Vec3{0, 0, 20}, top + Vec3{0, 0, -20});
  return space_of(soup.shape());
}

TEST(MoverWalk, ARampBelowAtAndAboveTheLimit) {
  const double limit = MoverSettings{.shape = capsule()}.slope_limit;
  for (const Mover& mover : all_movers()) {
    for (const double angle : {limit / 2, limit - 0.001, limit}) {
      const Space space = ramp(angle);
      MoverState state = standing_at(space, mover, {-1, 0.1, 0.1});
      const Vec3 gone = walk_for(space, mover, state, {2, 0, 0.5}, 3);
      EXPECT_GT(gone.y, 2) << angle;
      // It stays where it is, and comes down again on the ground.
      const Vec3 rest = walk_for(space, mover, state, {}, 1);
      EXPECT_NEAR(length(rest), 0, 1e-9) << angle;
      MoverCache cache;
      for (int i = 0; i < 60; ++i) {
        (void)checked_move(space, mover, state, {.walk = {-4, 0, 0}}, &cache);
        ASSERT_TRUE(state.grounded) << angle;
      }
    }
    for (const double angle : {limit + 0.001, limit + 0.3, 1.4}) {
      const Space space = ramp(angle);
      MoverState state = standing_at(space, mover, {-1, 0.1, 0.1});
      for (int i = 0; i < 180; ++i) {
        (void)checked_move(space, mover, state, {.walk = {2, 0, 0.5}});
        ASSERT_TRUE(state.grounded) << angle << " in the corner of floor and slope, step " << i;
      }
      EXPECT_NEAR(state.pose.position.y, skin, 0.02) << angle;
      // Put on it, it slides down.
      MoverState up{.pose = Pose::at({2, 2 * std::tan(angle) + 2, 0})};
      (void)walk_for(space, mover, up, {}, 5);
      EXPECT_NEAR(up.pose.position.y, skin, 0.05) << angle;
    }
  }
}

TEST(MoverWalk, PathsDoNotDependOnTheStepsASecond) {
  Soup soup = stairs(0.2, 0.6, 4);
  soup.box({-3, 0, 3}, {8, 3, 3.5}); // a wall to slide along
  soup.quad({-4, 0, -20}, {-4, 0, 20}, {-14, 4, 20}, {-14, 4, -20});
  const Space space = space_of(soup.shape());
  const Mover mover = mover_of(capsule());
  const auto path = [&](int rate) {
    MoverState state = standing_at(space, mover, {0, 0.1, 0});
    std::vector<Vec3> at;
    for (const Vec3& walk : {Vec3{0, 0, 2}, Vec3{2, 0, 1}, Vec3{-2, 0, -0.5}, Vec3{-3, 0, 1},
                             Vec3{3, 0, -1}, Vec3{2, 0, -0.8}}) {
      if (walk.x == 3) state.velocity = {0, 4, 0};
      (void)walk_for(space, mover, state, walk, 2, rate);
      at.push_back(state.pose.position);
    }
    return at;
  };
  const std::vector<Vec3> reference = path(240);
  for (const int rate : {30, 60, 120}) {
    const std::vector<Vec3> other = path(rate);
    double walked = 0;
    for (std::size_t i = 0; i < other.size(); ++i) {
      walked += 2 * 3;
      EXPECT_LE(distance(other[i], reference[i]), 0.02 * walked) << rate << " " << i;
    }
  }
}

TEST(MoverWalk, UpIsZUnlessToldOtherwise) {
  Space space;
  (void)space.add({.shape = Shape::box({5, 5, 1}).value(), .pose = Pose::at({0, 0, -1})});
  const Mover mover =
      Mover::make({.shape = Shape::capsule({0, 0, 0.3}, {0, 0, 1.5}, 0.3).value()}).value();
  MoverState state{.pose = Pose::at({0, 0, 0.5})};
  for (int i = 0; i < 120; ++i) (void)move(space, mover, state, {.walk = {1, 0, 0}});
  EXPECT_TRUE(state.grounded);
  EXPECT_NEAR(state.pose.position.z, skin, 0.5 * skin);
  EXPECT_NEAR(state.pose.position.x, 2, 0.01);
  EXPECT_NEAR(state.ground_normal.z, 1, 1e-9);
}

} // namespace
} // namespace carom::test
