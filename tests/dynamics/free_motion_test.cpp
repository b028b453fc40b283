// Bodies that touch nothing: what is conserved, and what forces do.
#include "tests/dynamics/scenes.h"

namespace carom::test {
namespace {

TEST(FreeMotion, FallsByTheRule) {
  World world(plain());
  const BodyId a =
      world.add({.shape = ball(), .pose = Pose::at({0, 0, 100}), .velocity = {3, -2, 5}}).value();
  run(world, 2);
  const Vec3 p = position(world, a);
  EXPECT_NEAR(p.x, 6, 1e-5);
  EXPECT_NEAR(p.y, -4, 1e-5);
  // Euler's steps of h = 1/240 are ahead of the parabola by g t h / 2.
  EXPECT_NEAR(p.z, 100 + 10 - 0.5 * gravity * 4 - gravity * 2 / 480, 1e-4);
  EXPECT_NEAR(velocity(world, a).z, 5 - 2 * gravity, 1e-4);
}

TEST(FreeMotion, IsTheSameFarFromTheOrigin) {
  const auto fall = [](const Vec3& at) {
    World world(plain());
    const BodyId a = world
                         .add({.shape = cube(),
                               .pose = Pose::at(at),
                               .velocity = {3, -2, 5},
                               .angular_velocity = {1, 2, 3}})
                         .value();
    run(world, 2);
    return position(world, a) - at;
  };
  EXPECT_LT(distance(fall({0, 0, 0}), fall({1e5, -1e5, 1e5})), 1e-8);
}

TEST(FreeMotion, SpinsRoundAsFastAsItShould) {
  World world(plain({}));
  const BodyId a = world.add({.shape = cube(), .angular_velocity = {0, 0, 2 * M_PI}}).value();
  run(world, 10); // ten turns: back where it was
  EXPECT_NEAR(std::fabs(world.pose(a)->rotation.w), 1, 1e-6);
}

/// About the middle axis a brick turns over again and again. Momentum must not change at all, and energy stay within what a second-order method leaves open.
TEST(FreeMotion, TheMiddleAxisFlips) {
  World world(plain({}));
  const BodyId a =
      world.add({.shape = Shape::box({0.3, 0.6, 1}).value(), .angular_velocity = {0.01, 5, 0.01}})
          .value();
  const BodyInfo before = *world.body(a);
  double least = 1, most = -1;
  for (int i = 0; i < 1200; ++i) {
    world.step(frame);
    const BodyInfo now = *world.body(a);
    ASSERT_LT(distance(spin_momentum(now), spin_momentum(before)),
              2e-4 * length(spin_momentum(before)));
    ASSERT_NEAR(energy(now), energy(before), 1e-3 * energy(before));
    const double up = to_matrix(now.pose.rotation).y.y;
    least = std::min(least, up);
    most = std::max(most, up);
  }
  EXPECT_LT(least, -0.95);
  EXPECT_GT(most, 0.95);
}

TEST(FreeMotion, StableAboutTheOtherAxes) {
  for (const Vec3& axis : {Vec3{5, 0.01, 0.01}, Vec3{0.01, 0.01, 5}}) {
    World world(plain({}));
    const BodyId a =
        world.add({.shape = Shape::box({0.3, 0.6, 1}).value(), .angular_velocity = axis}).value();
    const int k = largest_axis(axis);
    for (int i = 0; i < 1200; ++i) {
      world.step(frame);
      ASSERT_GT(to_matrix(world.pose(a)->rotation)[k][k], 0.999);
    }
  }
}

/// A top under a torque at right angles to its spin: precesses at torque / spin momentum.
TEST(FreeMotion, AGyroscopePrecesses) {
  World world(plain({}));
  const Shape disc = Shape::cylinder(0.05, 1).value();
  const BodyId a = world.add({.shape = disc, .angular_velocity = {0, 0, 100}}).value();
  const double momentum = length(spin_momentum(*world.body(a)));
  const double rate = 0.5; // radians a second: slow against the spin
  // The axis goes around z' = y; the torque stays at right angles to it.
  for (int i = 0; i < 60; ++i) {
    const Vec3 axis = to_matrix(world.pose(a)->rotation).z;
    ASSERT_TRUE(world.add_torque(a, cross(Vec3{0, 1, 0}, axis) * (momentum * rate)));
    world.step(frame);
  }
  const Vec3 axis = to_matrix(world.pose(a)->rotation).z;
  EXPECT_NEAR(std::atan2(axis.x, axis.z), rate, 0.02 * rate);
  EXPECT_NEAR(axis.y, 0, 0.02); // it nods: the precession starts from rest
}

TEST(FreeMotion, ForcesTorquesImpulses) {
  World world(plain({}));
  const BodyDef def{.shape = cube(), .density = 2};
  const BodyId a = world.add(def).value();
  ASSERT_TRUE(world.add_impulse(a, {4, 0, 0}, {0, 0.5, 0}));
  const BodyInfo b = *world.body(a);
  EXPECT_NEAR(b.mass, 2, 1e-12);
  EXPECT_NEAR(b.velocity.x, 2, 1e-12);
  EXPECT_NEAR(b.angular_velocity.z, -2 / (2.0 / 6), 1e-9); // inertia of a cube: m a^2 / 6
  ASSERT_TRUE(world.add_angular_impulse(a, {0, 0, 2}));
  EXPECT_NEAR(world.body(a)->angular_velocity.z, 0, 1e-9);
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(world.add_force(a, {0, 6, 0}, world.body(a)->center));
    world.step(frame);
  }
  EXPECT_NEAR(velocity(world, a).y, 3, 1e-5);
  world.step(frame); // forces act for one step
  EXPECT_NEAR(velocity(world, a).y, 3, 1e-5);
}

TEST(FreeMotion, DampingGravityScaleAndLocks) {
  World world(plain());
  const BodyId slow =
      world
          .add({.shape = ball(), .velocity = {10, 0, 0}, .linear_damping = 0.5, .gravity_scale = 0})
          .value();
  const BodyId light =
      world.add({.shape = ball(), .pose = Pose::at({0, 10, 0}), .gravity_scale = 0.5}).value();
  const BodyId railed = world
                            .add({.shape = cube(),
                                  .pose = Pose::at({0, 20, 0}),
                                  .velocity = {1, 1, 1},
                                  .angular_velocity = {1, 1, 1},
                                  .locked = {.z = true, .turn_x = true, .turn_y = true}})
                            .value();
  run(world, 2);
  EXPECT_NEAR(velocity(world, slow).x, 10 * std::exp(-1.0), 0.01);
  EXPECT_NEAR(velocity(world, light).z, -gravity, 1e-4);
  EXPECT_EQ(position(world, railed).z, 0);
  EXPECT_NEAR(position(world, railed).x, 2, 1e-5);
  const Vec3 spin = world.body(railed)->angular_velocity;
  EXPECT_EQ(spin.x, 0);
  EXPECT_EQ(spin.y, 0);
  EXPECT_NEAR(spin.z, 1, 1e-6);
}

TEST(FreeMotion, MassIsThatOfTheShapes) {
  World world(plain({}));
  const BodyId a =
      world
          .add({.shapes = {{.shape = cube(), .pose = Pose::at({-1, 0, 0}), .density = 1},
                           {.shape = cube(), .pose = Pose::at({1, 0, 0}), .density = 3}}})
          .value();
  const BodyInfo b = *world.body(a);
  EXPECT_NEAR(b.mass, 4, 1e-12);
  EXPECT_NEAR(b.center.x, 0.5, 1e-12);
  EXPECT_NEAR(b.inertia.y.y, 4 / 6.0 + 1 * 2.25 + 3 * 0.25, 1e-12);
}

} // namespace
} // namespace carom::test
