// Where floors, steep slopes, overhangs and edges meet: standing there, and what carries or does not carry.
#include "carom/motion/motion.h"
#include "carom/shape/support.h"
#include "tests/mover/levels.h"
#include "tests/support/generate.h"
#include "tests/support/property.h"

namespace carom::test {
namespace {

constexpr double skin = 0.02, seconds = 1.0 / 60;

/// Level ground, and from the line x = 1 on a wall at this angle from level: more than a quarter turn leans over.
Space leaning_wall(double angle) {
  Soup soup;
  soup.quad({-20, 0, -20}, {-20, 0, 20}, {1, 0, 20}, {1, 0, -20});
  const SinCos a = sin_cos(angle);
  const Vec3 up{5 * a.cos, 5 * a.sin, 0};
  soup.quad({1, 0, -20}, {1, 0, 20}, Vec3{1, 0, 20} + up, Vec3{1, 0, -20} + up);
  return space_of(soup.shape());
}

TEST(MoverCorner, StandsAtTheFootOfASteepSlope) {
  for_each_seed(fewer_when_sanitized(60), [&](Source& source) {
    const Space space = leaning_wall(source.uniform(0.874, source.chance(3) ? 0.9 : 1.55));
    const double speed = source.uniform(0.5, 8), turn = source.uniform(-1.4, 1.4);
    const Vec3 walk{speed * std::cos(turn), 0, speed * std::sin(turn)};
    for (const Mover& mover : all_movers()) {
      MoverState state = standing_at(space, mover, {-1, 0.1, 0.2});
      for (int i = 0; i < 80; ++i) {
        const double dt = source.uniform(0.002, 0.04);
        // Standing is no matter of weight.
        const Vec3 gravity = i % 2 ? level_gravity : Vec3{};
        (void)checked_move(space, mover, state, {.walk = walk, .gravity = gravity, .seconds = dt});
        ASSERT_TRUE(state.grounded) << "step " << i;
        ASSERT_NEAR(state.pose.position.y, skin, 0.5 * skin) << "step " << i;
      }
    }
  });
}

TEST(MoverCorner, SticksToAGutterThatLeadsDown) {
  // Ground that falls off along z, a wall too steep to stand on beside it: walking down and against the wall, it keeps to the ground.
  for_each_seed(fewer_when_sanitized(60), [&](Source& source) {
    const double fall = source.uniform(0.1, 0.6), angle = source.uniform(0.95, 1.5);
    const SinCos a = sin_cos(angle);
    const Vec3 down{0, -40 * fall, 40}, out{-20, 0, 0}, rise{5 * a.cos, 5 * a.sin, 0};
    Soup soup;
    const Vec3 foot{1, 0, 0};
    soup.quad(foot + out, foot + out + down, foot + down, foot);
    soup.quad(foot, foot + down, foot + down + rise, foot + rise);
    const Space space = space_of(soup.shape());
    const double speed = source.uniform(2, 6);
    for (const Mover& mover : all_movers()) {
      MoverState state = standing_at(space, mover, {0, 1.5, 1});
      for (int i = 0; i < 120; ++i) {
        (void)checked_move(space, mover, state, {.walk = {speed, 0, speed}});
        ASSERT_TRUE(state.grounded) << "step " << i << ", fall " << fall << ", angle " << angle;
      }
    }
  });
}

TEST(MoverCorner, BelowAnOverhangItGoesAlongTheFloor) {
  // The floor is known from the start: the wall that leans over pushes into it, and the way along both is found at once.
  for (const Mover& mover : all_movers()) {
    const Space space = leaning_wall(2.0);
    MoverState state = standing_at(space, mover, {-1, 0.1, 0.2});
    int most = 0;
    double gone = 0;
    for (int i = 0; i < 240; ++i) {
      const MoveResult r = checked_move(space, mover, state, {.walk = {3, 0, 1.5}});
      ASSERT_TRUE(state.grounded);
      ASSERT_NEAR(state.pose.position.y, skin, 1e-6);
      if (i < 120) continue; // it has come to the wall
      gone += r.moved.z;
      most = std::max(most, r.sweeps);
    }
    EXPECT_NEAR(gone, 120 * 1.5 * seconds, 0.02);
    EXPECT_LE(most, 4);
  }
}

TEST(MoverCorner, AnEdgeHigherThanAStepDoesNotHold) {
  // Off the edge of a table, slowly: a tall round shape rolls over the edge, which comes to touch it higher and higher.
  Soup soup;
  soup.box({-10, -3, -10}, {0, 0, 10});
  const Space space = space_of(soup.shape());
  const Mover mover = mover_of(ellipsoid());
  MoverState state = standing_at(space, mover, {-0.5, 0.1, 0});
  double highest = 0;
  for (int i = 0; i < 2000 && state.grounded; ++i) {
    const MoveResult r = checked_move(space, mover, state, {.walk = {0.05, 0, 0}});
    if (!state.grounded) break;
    for (const MoverTouch& t : r.touches())
      if (t.kind == TouchKind::ground)
        highest = std::max(highest, t.point.y - state.pose.position.y);
  }
  EXPECT_FALSE(state.grounded);
  EXPECT_GT(highest, 0.1); // it did stand on the edge
  EXPECT_LE(highest, mover.settings().step_up + 1e-9);
}

TEST(MoverCorner, AFastTrayCarriesThroughWhereItsOwnWallsAre) {
  // By half a metre a step, with walls 0.1 away: at the end of the step the wall behind has passed the mover.
  Soup soup;
  soup.box({-1, -0.1, -1}, {1, 0, 1});
  soup.box({-0.9, 0, -1}, {-0.85, 1, 1});
  const Shape tray = soup.shape();
  const Vec3 velocity{30, 3, 0};
  for (const Mover& mover : all_movers()) {
    Space space;
    const ObjectId id = space.add({.shape = tray}).value();
    MoverState state = standing_at(space, mover, {-0.45, 0.1, 0});
    const Vec3 from = state.pose.position;
    for (int i = 1; i <= 60; ++i) {
      const Vec3 at = velocity * (i * seconds);
      (void)space.move(id, Pose::at(at));
      const auto velocity_of = [&](ObjectId) { return ObjectVelocity{velocity, {}}; };
      (void)checked_move(space, mover, state, {.velocity_of = velocity_of});
      ASSERT_TRUE(state.grounded) << "step " << i;
      ASSERT_NEAR(distance(state.pose.position - at, from), 0, 1e-8) << "step " << i;
    }
  }
}

} // namespace
} // namespace carom::test
