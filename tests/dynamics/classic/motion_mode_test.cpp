// Bodies moved one after the other see collisions that are none, and miss some that are: the three errors of sequential motion. In each scene, the first body moves first.
#include "tests/dynamics/classic/scenes.h"

namespace carom::test {
namespace {

struct Scene {
  std::uint64_t meetings = 0;
  Vec3 first, second; ///< where they end
};

/// Two balls of radius 0.5, for one step of a second, without gravity.
Scene one_step(MotionMode mode, ClassicSolver solver, const Vec3& at_a, const Vec3& velocity_a,
               const Vec3& at_b, const Vec3& velocity_b) {
  ClassicWorld world({.gravity = {}, .solver = solver, .motion = mode});
  const Material smooth{.friction = 0, .restitution = 1};
  const auto add = [&](const Vec3& at, const Vec3& velocity) {
    return world
        .add({.shape = ball(), .pose = Pose::at(at), .material = smooth, .velocity = velocity})
        .value();
  };
  const BodyId a = add(at_a, velocity_a), b = add(at_b, velocity_b);
  world.step(1);
  return {world.counters().meetings, position(world, a), position(world, b)};
}

constexpr auto together = MotionMode::simultaneous, in_turn = MotionMode::sequential;

/// The first runs into the second, which would have been gone.
TEST(SequentialMotion, HitsWhatWouldHaveMovedOutOfTheWay) {
  for (const ClassicSolver solver : exact_solvers) {
    const Vec3 a{-3, 0, 0}, va{4, 0, 0}, b{0, 0, 0}, vb{0, 6, 0};
    const Scene true_one = one_step(together, solver, a, va, b, vb);
    EXPECT_EQ(true_one.meetings, 0U);
    EXPECT_LT(distance(true_one.first, a + va), 1e-12);
    EXPECT_LT(distance(true_one.second, b + vb), 1e-12);
    const Scene false_one = one_step(in_turn, solver, a, va, b, vb);
    EXPECT_GE(false_one.meetings, 1U);
    EXPECT_GT(distance(false_one.first, a + va), 1);
  }
}

/// The second runs into the first, which has moved into its way already, and would have come later.
TEST(SequentialMotion, HitsWhatHasMovedIntoTheWayTooEarly) {
  for (const ClassicSolver solver : exact_solvers) {
    // The first arrives at the crossing when the second has passed it.
    const Vec3 a{-4, 0, 0}, va{4, 0, 0}, b{0, -2, 0}, vb{0, 8, 0};
    const Scene true_one = one_step(together, solver, a, va, b, vb);
    EXPECT_EQ(true_one.meetings, 0U);
    EXPECT_LT(distance(true_one.second, b + vb), 1e-12);
    const Scene false_one = one_step(in_turn, solver, a, va, b, vb);
    EXPECT_GE(false_one.meetings, 1U);
    EXPECT_GT(distance(false_one.second, b + vb), 1);
  }
}

/// They meet halfway; one after the other, each passes where the other is not.
TEST(SequentialMotion, MissesWhatMeetsHalfway) {
  for (const ClassicSolver solver : exact_solvers) {
    const Vec3 a{-4, 0, 0}, va{8, 0, 0}, b{0, -4, 0}, vb{0, 8, 0};
    EXPECT_GE(one_step(together, solver, a, va, b, vb).meetings, 1U);
    const Scene missed = one_step(in_turn, solver, a, va, b, vb);
    EXPECT_EQ(missed.meetings, 0U);
    EXPECT_LT(distance(missed.first, a + va), 1e-12);
    EXPECT_LT(distance(missed.second, b + vb), 1e-12);
  }
}

/// What it is good for: nothing overlaps, either way, and a tower stands.
TEST(SequentialMotion, KeepsBodiesApart) {
  for (const ClassicSolver solver : exact_solvers) {
    ClassicWorld world({.solver = solver, .motion = in_turn});
    add_floor(world);
    std::vector<BodyId> tower;
    for (int i = 0; i < 4; ++i)
      tower.push_back(
          world.add({.shape = cube(), .pose = Pose::at({0, 0, 0.6 + 1.05 * i})}).value());
    for (int i = 0; i < 120; ++i) {
      world.step(frame);
      ASSERT_EQ(world.deepest_overlap(), 0) << name_of(solver) << ' ' << i;
    }
    EXPECT_NEAR(position(world, tower.back()).z, 3.5, 0.01) << name_of(solver);
  }
}

/// There is nobody whose turn it is.
TEST(SequentialMotion, OfNobody) {
  for (const ClassicSolver solver : all_solvers) {
    ClassicWorld world({.solver = solver, .motion = in_turn});
    world.step(frame);
    const BodyId floor = add_floor(world);
    world.step(frame);
    EXPECT_EQ(position(world, floor), (Vec3{0, 0, -0.5}));
    EXPECT_TRUE(world.contacts().empty());
  }
}

} // namespace
} // namespace carom::test
