// Friction: slopes, braking, rolling, twisting, belts.
#include "carom/math/trig.h"
#include "tests/dynamics/scenes.h"

namespace carom::test {
namespace {

/// A world on a slope is a level one under gravity at an angle.
Vec3 slope(double tangent) {
  const double c = 1 / std::sqrt(1 + tangent * tangent);
  return Vec3{c * tangent, 0, -c} * gravity;
}

/// A block slips just where the slope is steeper than the friction.
TEST(Friction, SlipsAtItsAngle) {
  for (const double mu : {0.2, 0.5, 0.8}) {
    for (const double off : {-0.005, 0.005}) {
      World world(plain(slope(mu * (1 + off))));
      add_floor(world, {.friction = mu});
      const BodyId a = world
                           .add({.shape = Shape::box({0.5, 0.5, 0.1}).value(),
                                 .pose = Pose::at({0, 0, 0.1}),
                                 .material = {.friction = mu}})
                           .value();
      run(world, 1); // settles
      const double before = position(world, a).x;
      run(world, 2);
      const double slid = position(world, a).x - before;
      if (off < 0) {
        EXPECT_LT(slid, 1e-4) << mu;
      } else {
        // 0.5 a t^2 with a = g cos (tan - mu), after the first second
        EXPECT_GT(slid, 0.5 * 0.5 * gravity * mu * off * 4 / std::sqrt(1 + mu * mu)) << mu;
      }
    }
  }
}

TEST(Friction, StopsAfterTheRightWay) {
  for (const double v : {2.0, 5.0}) {
    World world(plain());
    add_floor(world, {.friction = 0.4});
    const BodyId a = world
                         .add({.shape = Shape::box({0.5, 0.5, 0.1}).value(),
                               .pose = Pose::at({0, 0, 0.1}),
                               .material = {.friction = 0.4},
                               .velocity = {v, 0, 0}})
                         .value();
    run(world, 4);
    EXPECT_NEAR(length(velocity(world, a)), 0, 1e-4);
    const double way = v * v / (2 * 0.4 * gravity);
    EXPECT_NEAR(position(world, a).x, way, 0.01 * way + v / 240);
  }
}

/// Rolling down without slipping: a ball gains 5/7 of what it would sliding, a cylinder 2/3.
TEST(Friction, RollsAsItsInertiaSays) {
  const double tangent = 0.2;
  const double along = gravity * tangent / std::sqrt(1 + tangent * tangent);
  struct Case {
    Shape shape;
    Quat turn;
    double part;
  };
  const Case cases[] = {
      {ball(), {}, 5.0 / 7},
      {Shape::cylinder(0.5, 0.5).value(), Quat::from_axis_angle({1, 0, 0}, half_pi), 2.0 / 3}};
  for (const Case& c : cases) {
    World world(plain(slope(tangent)));
    add_floor(world, {.friction = 0.9});
    const BodyId a =
        world
            .add({.shape = c.shape, .pose = {c.turn, {-20, 0, 0.5}}, .material = {.friction = 0.9}})
            .value();
    run(world, 0.5);
    const double before = velocity(world, a).x;
    run(world, 2);
    EXPECT_NEAR(velocity(world, a).x - before, c.part * along * 2, 0.01 * along * 2) << c.part;
    EXPECT_NEAR(world.body(a)->angular_velocity.y, velocity(world, a).x / 0.5,
                0.02 * velocity(world, a).x / 0.5);
  }
}

/// Rolling friction b brakes a ball by (5/7) g b / r.
TEST(Friction, RollingFrictionBrakes) {
  World world(plain());
  add_floor(world, {.friction = 0.8, .rolling_friction = 0.02});
  const BodyId a = world
                       .add({.shape = ball(),
                             .pose = Pose::at({-10, 0, 0.5}),
                             .material = {.friction = 0.8, .rolling_friction = 0.02},
                             .velocity = {2, 0, 0},
                             .angular_velocity = {0, 4, 0}})
                       .value();
  run(world, 0.5);
  const double before = velocity(world, a).x;
  run(world, 1);
  const double brake = 5.0 / 7 * gravity * 0.02 / 0.5;
  EXPECT_NEAR(before - velocity(world, a).x, brake, 0.03 * brake);
  run(world, 8);
  EXPECT_NEAR(length(velocity(world, a)), 0, 1e-3);
}

/// A block that spins on its base is braked, too, and stops.
TEST(Friction, TwistIsBraked) {
  World world(plain());
  add_floor(world, {.friction = 0.5});
  const BodyId a = world
                       .add({.shape = Shape::box({0.5, 0.5, 0.1}).value(),
                             .pose = Pose::at({0, 0, 0.1}),
                             .material = {.friction = 0.5},
                             .angular_velocity = {0, 0, 5}})
                       .value();
  run(world, 0.2);
  // Four corners carry: torque = mu m g r, r the corners' distance.
  const double inertia = 1 / 6.0, r = std::sqrt(0.5);
  EXPECT_NEAR(world.body(a)->angular_velocity.z, 5 - 0.5 * gravity * r / inertia * 0.2, 0.1);
  run(world, 1);
  EXPECT_NEAR(world.body(a)->angular_velocity.z, 0, 1e-4);
}

TEST(Friction, ABeltCarries) {
  World world(plain());
  add_floor(world, {.surface_velocity = {1.5, 0, 0}});
  const BodyId a = world.add({.shape = cube(), .pose = Pose::at({0, 0, 0.5})}).value();
  run(world, 2);
  EXPECT_NEAR(velocity(world, a).x, 1.5, 1e-3);
}

} // namespace
} // namespace carom::test
