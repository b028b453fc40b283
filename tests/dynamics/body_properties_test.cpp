// What can be said of bodies and their shapes, each with an answer that is known; and who has to do with whom.
#include "carom/math/trig.h"
#include "tests/dynamics/scenes.h"

#include <utility>

namespace carom::test {
namespace {

/// Rolling friction b brakes a rolling ball by (5/7) g b / r: it stops after v^2 / (2 a).
TEST(BodyProperties, RollingFrictionStopsABallInTime) {
  for (const double v : {1.0, 2.0}) {
    World world(plain());
    add_floor(world, {.friction = 0.8, .rolling_friction = 0.02});
    const BodyId a = world
                         .add({.shape = ball(),
                               .pose = Pose::at({-5, 0, 0.5}),
                               .material = {.friction = 0.8, .rolling_friction = 0.02},
                               .velocity = {v, 0, 0},
                               .angular_velocity = {0, v / 0.5, 0}})
                         .value();
    run(world, 12);
    const double way = v * v / (2 * 5.0 / 7 * gravity * 0.02 / 0.5);
    EXPECT_NEAR(position(world, a).x + 5, way, 0.02 * way);
    EXPECT_NEAR(length(velocity(world, a)), 0, 1e-3);
  }
}

/// A conveyor: a box put on it is dragged by friction for v / (mu g), then goes along with it.
TEST(BodyProperties, AConveyorCarriesABoxAtItsSpeed) {
  World world(plain());
  const double mu = 0.5, v = 2;
  // The belt runs along its own x axis, which points along the world's y.
  world
      .add({.shape = Shape::box({50, 50, 0.5}).value(),
            .pose = {Quat::from_axis_angle({0, 0, 1}, half_pi), {0, 0, -0.5}},
            .kind = BodyKind::fixed,
            .material = {.friction = mu, .surface_velocity = {v, 0, 0}}})
      .value();
  const BodyId a = world
                       .add({.shape = Shape::box({0.5, 0.5, 0.1}).value(),
                             .pose = Pose::at({0, 0, 0.1}),
                             .material = {.friction = mu}})
                       .value();
  run(world, 3);
  EXPECT_NEAR(velocity(world, a).y, v, 1e-3);
  EXPECT_NEAR(velocity(world, a).x, 0, 1e-3);
  const double dragged = v / (mu * gravity);
  EXPECT_NEAR(position(world, a).y, v * 3 - v * dragged / 2, 0.02);
}

/// Locked axes hold to the bit, whatever hits the body.
TEST(BodyProperties, LockedAxesHoldExactly) {
  World world(plain());
  add_floor(world);
  const Quat turn = Quat::from_axis_angle({0, 0, 1}, 0.3);
  const BodyId a = world
                       .add({.shape = cube(),
                             .pose = {turn, {0.1, 0.2, 0.6}},
                             .locked = {.y = true, .turn_x = true, .turn_y = true, .turn_z = true}})
                       .value();
  const Quat before = world.pose(a)->rotation;
  for (int i = 0; i < 40; ++i) {
    (void)world
        .add({.shape = ball(0.2),
              .pose = Pose::at({0.05 * i - 1, 0.2 * (i % 5) - 0.3, 3 + 0.5 * i}),
              .velocity = {0, 1, -5}})
        .value();
  }
  for (int i = 0; i < 300; ++i) {
    world.step(frame);
    ASSERT_EQ(position(world, a).y, 0.2);
    ASSERT_TRUE(world.pose(a)->rotation == before);
  }
  EXPECT_NE(position(world, a).x, 0.1); // it was pushed
  // One axis free: a hinge in the air.
  World other(plain({}));
  const BodyId b = other
                       .add({.shape = Shape::box({1, 0.2, 0.1}).value(),
                             .angular_velocity = {1, 2, 3},
                             .locked = {true, true, true, true, true, false}})
                       .value();
  run(other, 2);
  EXPECT_EQ(position(other, b), (Vec3{}));
  const Quat q = other.pose(b)->rotation;
  EXPECT_EQ(q.x, 0);
  EXPECT_EQ(q.y, 0);
  EXPECT_NEAR(other.body(b)->angular_velocity.z, 3, 1e-5);
}

TEST(BodyProperties, GravityScaleAndDamping) {
  World world(plain());
  const BodyId half =
      world.add({.shape = ball(), .pose = Pose::at({0, 0, 0}), .gravity_scale = 0.5}).value();
  const BodyId floats =
      world.add({.shape = ball(), .pose = Pose::at({5, 0, 0}), .gravity_scale = 0}).value();
  const BodyId rises =
      world.add({.shape = ball(), .pose = Pose::at({10, 0, 0}), .gravity_scale = -1}).value();
  const BodyId slows = world
                           .add({.shape = ball(),
                                 .pose = Pose::at({15, 0, 0}),
                                 .velocity = {0, 1, 0},
                                 .angular_velocity = {0, 0, 1},
                                 .linear_damping = 2,
                                 .angular_damping = 3,
                                 .gravity_scale = 0})
                           .value();
  run(world, 1);
  EXPECT_NEAR(velocity(world, half).z, -gravity / 2, 1e-4);
  EXPECT_EQ(velocity(world, floats).z, 0);
  EXPECT_NEAR(velocity(world, rises).z, gravity, 1e-4);
  // A factor of 1 / (1 + damping h) in each of 240 sub-steps.
  EXPECT_NEAR(velocity(world, slows).y, std::pow(1 + 2 / 240.0, -240), 1e-4);
  EXPECT_NEAR(world.body(slows)->angular_velocity.z, std::pow(1 + 3 / 240.0, -240), 1e-4);
}

/// Each shape with its own density, friction, restitution and sensor flag.
TEST(BodyProperties, ShapesHaveTheirOwn) {
  World world(plain());
  const BodyId floor = add_floor(world, {.friction = 1, .restitution = 0});
  // A bouncy foot under a heavy head; a sensor that reaches farther, and weighs nothing.
  const BodyId a =
      world
          .add({.pose = Pose::at({0, 0, 2}),
                .shapes = {{.shape = ball(0.2), .density = 1000, .material = {.restitution = 0.8}},
                           {.shape = ball(0.2),
                            .pose = Pose::at({0, 0, 0.5}),
                            .density = 3000,
                            .material = {.restitution = 0}},
                           {.shape = ball(1), .density = 1e6, .sensor = true}},
                .locked = {.turn_x = true, .turn_y = true, .turn_z = true}})
          .value();
  const double volume = 4.0 / 3 * pi * 0.2 * 0.2 * 0.2;
  EXPECT_NEAR(world.body(a)->mass, 4000 * volume, 1e-9 * 4000 * volume);
  EXPECT_NEAR(world.body(a)->center.z, 2 + 0.75 * 0.5, 1e-12);
  const BodyId visitor =
      world.add({.shape = ball(0.1), .pose = Pose::at({0.9, 0, 2}), .gravity_scale = 0}).value();
  double top = 0;
  int entered = 0, fast = 0;
  for (int i = 0; i < 90; ++i) {
    world.step(frame);
    for (const SensorEvent& e : world.events().sensors) {
      EXPECT_TRUE(e.sensor == a && e.visitor == visitor && e.sensor_shape == 2);
      entered += e.kind == EventKind::begin ? 1 : 0;
    }
    for (const ContactEvent& e : world.events().contacts)
      EXPECT_TRUE(e.kind != EventKind::begin || (e.a == floor && e.shape_b == 0));
    if (velocity(world, a).z > 0) fast = 1;
    if (fast > 0) top = std::max(top, position(world, a).z);
  }
  EXPECT_GE(entered, 1);
  EXPECT_NEAR(top - 0.2, 0.64 * 1.8, 0.03 * 0.64 * 1.8);
}

TEST(BodyProperties, MassMayBeGiven) {
  World world(plain({}));
  const BodyId a = world
                       .add({.shape = cube(),
                             .mass = BodyMass{.mass = 8,
                                              .center = {0.25, 0, 0},
                                              .inertia = Mat3::diagonal({1, 2, 3})}})
                       .value();
  ASSERT_TRUE(world.add_impulse(a, {0, 4, 0}, {1.25, 0, 0}));
  EXPECT_EQ(velocity(world, a), (Vec3{0, 0.5, 0}));
  EXPECT_NEAR(world.body(a)->angular_velocity.z, 4.0 / 3, 1e-15);
  // No shape at all: a point that moves.
  const BodyId b =
      world.add({.velocity = {1, 0, 0}, .mass = BodyMass{.inertia = Mat3::identity()}}).value();
  run(world, 1);
  EXPECT_NEAR(position(world, b).x, 1, 1e-6);
}

// --- Filters

TEST(Filters, AFunctionDecides) {
  World world(plain());
  const BodyId floor = add_floor(world);
  const BodyId a = world.add({.shape = ball(), .pose = Pose::at({0, 0, 0.6})}).value();
  const BodyId b = world.add({.shape = ball(), .pose = Pose::at({3, 0, 0.6})}).value();
  std::vector<std::pair<WorldShape, WorldShape>> asked;
  world.set_pair_filter([&](const WorldShape& x, const WorldShape& y) {
    asked.emplace_back(x, y);
    return !(x.body == a || y.body == a);
  });
  run(world, 1);
  EXPECT_LT(position(world, a).z, -1);
  EXPECT_NEAR(position(world, b).z, 0.5, 0.01);
  ASSERT_FALSE(asked.empty());
  for (const auto& [x, y] : asked) EXPECT_LT(x.body.slot, y.body.slot);
  EXPECT_TRUE(asked[0].first == (WorldShape{floor, 0}) && asked[0].second == (WorldShape{a, 0}));
}

/// A fast body is stopped by nothing that its filter leaves out.
TEST(Filters, HoldForFastBodies) {
  for (const bool by_function : {false, true}) {
    World world(plain({}));
    const BodyId plate =
        world.add({.shape = Shape::box({9, 9, 0.001}).value(), .kind = BodyKind::fixed}).value();
    const BodyId a = world
                         .add({.shape = ball(0.1),
                               .pose = Pose::at({0, 0, 3}),
                               .filter = {.mask = by_function ? ~0ULL : 2ULL},
                               .velocity = {0, 0, -300}})
                         .value();
    if (by_function)
      world.set_pair_filter(
          [&](const WorldShape& x, const WorldShape&) { return !(x.body == plate); });
    run(world, 0.1);
    EXPECT_NEAR(position(world, a).z, 3 - 30, 1e-3);
  }
}

TEST(Filters, MayChangeLater) {
  World world;
  const BodyId floor = add_floor(world);
  const BodyId a = world.add({.shape = cube(), .pose = Pose::at({0, 0, 0.5})}).value();
  run(world, 2);
  EXPECT_FALSE(world.body(a)->awake);
  ASSERT_TRUE(world.set_filter(a, 0, {.mask = 2}));
  EXPECT_TRUE(world.body(a)->awake);
  world.step(frame);
  ASSERT_EQ(world.events().contacts.size(), 1u);
  EXPECT_EQ(world.events().contacts[0].kind, EventKind::end);
  run(world, 0.2);
  EXPECT_LT(position(world, a).z, 0.45);
  ASSERT_TRUE(world.set_pose(a, Pose::at({0, 0, 0.6})));
  ASSERT_TRUE(world.set_velocity(a, {}, {}));
  ASSERT_TRUE(world.set_filter(a, 0, {}));
  run(world, 1);
  EXPECT_NEAR(position(world, a).z, 0.5, 0.01);
  // The same from the floor's side, and by a function that has changed its mind.
  bool solid = true;
  world.set_pair_filter([&](const WorldShape&, const WorldShape&) { return solid; });
  solid = false;
  world.step(frame);
  EXPECT_NEAR(position(world, a).z, 0.5, 0.01);
  ASSERT_TRUE(world.filter_again(floor));
  run(world, 0.3);
  EXPECT_LT(position(world, a).z, 0.4);
  EXPECT_EQ(world.set_filter(a, 1, {}).error(), WorldError::out_of_range);
  EXPECT_EQ(world.set_filter({}, 0, {}).error(), WorldError::stale_id);
  EXPECT_EQ(world.filter_again({}).error(), WorldError::stale_id);
}

} // namespace
} // namespace carom::test
