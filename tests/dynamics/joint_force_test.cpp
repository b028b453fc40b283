// What joints bear and do: reactions, limits, motors, springs, ropes, and when they break.
#include "tests/dynamics/joint_scenes.h"

namespace carom::test {
namespace {

TEST(JointForce, AHangingMassPullsWithItsWeight) {
  for (const JointKind& kind : {JointKind{BallJoint{}}, JointKind{HingeJoint{}},
                                JointKind{FixedJoint{}}, JointKind{DistanceJoint{}}}) {
    World world(plain());
    const BodyId load = world.add({.shape = cube(), .pose = Pose::at({0, 0, -2})}).value();
    JointDef def{.b = load, .kind = kind};
    if (std::holds_alternative<DistanceJoint>(kind)) def.frame_b = Pose::at({0, 0, -2});
    const JointId id = world.add_joint(def).value();
    run(world, 2);
    const double weight = world.body(load)->mass * gravity;
    const Vec3 force = world.joint(id)->force;
    EXPECT_NEAR(force.z, weight, 0.005 * weight) << kind.index();
    EXPECT_NEAR(std::hypot(force.x, force.y), 0, 0.005 * weight);
    EXPECT_NEAR(length(world.joint(id)->torque), 0, 0.005 * weight);
    EXPECT_NEAR(position(world, load).z, -2, 1e-3);
  }
}

/// A beam fixed at one end: the torque is weight times arm.
TEST(JointForce, AFixedBeamTwistsItsRoot) {
  World world(plain());
  const BodyId beam =
      world.add({.shape = Shape::box({1, 0.1, 0.1}).value(), .pose = Pose::at({1, 0, 0})}).value();
  const JointId id = world.add_joint({.b = beam, .kind = FixedJoint{}}).value();
  run(world, 2);
  const double weight = world.body(beam)->mass * gravity;
  EXPECT_NEAR(world.joint(id)->force.z, weight, 0.005 * weight);
  EXPECT_NEAR(world.joint(id)->torque.y, -weight * 1, 0.005 * weight);
}

TEST(JointForce, BreaksAtItsForce) {
  for (const double part : {0.99, 1.01}) {
    World world(plain());
    const BodyId load = world.add({.shape = cube(), .pose = Pose::at({0, 0, -1})}).value();
    const double weight = world.body(load)->mass * gravity;
    const JointId id =
        world.add_joint({.b = load, .kind = BallJoint{}, .break_force = weight * part, .user = 7})
            .value();
    std::vector<JointBreakEvent> breaks;
    for (int i = 0; i < 120; ++i) {
      world.step(frame);
      for (const JointBreakEvent& e : world.events().breaks) breaks.push_back(e);
    }
    EXPECT_EQ(world.contains(id), part > 1);
    ASSERT_EQ(breaks.size(), part > 1 ? 0U : 1U);
    if (part > 1) {
      EXPECT_NEAR(position(world, load).z, -1, 1e-3);
      continue;
    }
    EXPECT_TRUE(breaks[0].joint == id);
    EXPECT_TRUE(breaks[0].b == load);
    EXPECT_EQ(breaks[0].user, 7U);
    EXPECT_GT(breaks[0].force, weight * part);
    EXPECT_LT(position(world, load).z, -15);
    EXPECT_EQ(world.joint(id).error(), WorldError::stale_id);
  }
}

TEST(JointForce, BreaksAtItsTorque) {
  for (const double part : {0.99, 1.01}) {
    World world(plain());
    const BodyId beam =
        world.add({.shape = Shape::box({1, 0.1, 0.1}).value(), .pose = Pose::at({1, 0, 0})})
            .value();
    const double torque = world.body(beam)->mass * gravity;
    const JointId id =
        world.add_joint({.b = beam, .kind = FixedJoint{}, .break_torque = torque * part}).value();
    run(world, 1);
    EXPECT_EQ(world.contains(id), part > 1);
  }
}

/// Many that break in one step are told in the order of their slots.
TEST(JointForce, BreaksAreTold) {
  World world(plain());
  std::vector<JointId> ids;
  for (int i = 0; i < 20; ++i) {
    const BodyId load = world.add({.shape = cube(), .pose = Pose::at({3.0 * i, 0, -1})}).value();
    ids.push_back(world
                      .add_joint({.b = load,
                                  .frame = Pose::at({3.0 * i, 0, 0}),
                                  .kind = BallJoint{},
                                  .break_force = 1})
                      .value());
  }
  world.step(frame);
  ASSERT_EQ(world.events().breaks.size(), 20U);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_TRUE(world.events().breaks[i].joint == ids[i]);
  EXPECT_EQ(world.joint_count(), 0U);
  world.step(frame);
  EXPECT_TRUE(world.events().breaks.empty());
}

/// A door falls against its stop: it stays there, and what it had is gone, not more.
TEST(JointForce, LimitsHoldAndGainNothing) {
  World world(plain());
  const BodyId door =
      world.add({.shape = Shape::box({1, 0.1, 0.1}).value(), .pose = Pose::at({1, 0, 0})}).value();
  const Quat axis =
      Quat::from_axis_angle({0, 0, 1}, M_PI / 2); // x along y: falling is a positive turn
  const JointId id =
      world
          .add_joint(
              {.b = door, .frame = {axis, {}}, .kind = HingeJoint{.limits = JointRange{-0.5, 0.8}}})
          .value();
  double most = 0, highest = total_energy(world, {door});
  for (int i = 0; i < 300; ++i) {
    world.step(frame);
    most = std::max(most, world.joint(id)->at[3]);
    const double now = total_energy(world, {door});
    ASSERT_LT(now, highest + 1e-3 * world.body(door)->mass * gravity) << i;
  }
  EXPECT_LT(most, 0.81);
  EXPECT_NEAR(world.joint(id)->at[3], 0.8, 0.005);
  EXPECT_LT(length(world.body(door)->angular_velocity), 1e-3);
  // The stop bears weight times lever.
  const double torque = world.body(door)->mass * gravity * std::cos(0.8);
  EXPECT_NEAR(length(world.joint(id)->torque), torque, 0.01 * torque);
}

/// Driven round and round, past whole turns, to a stop at 10 radians.
TEST(JointForce, LimitsCountWholeTurns) {
  World world(plain({}));
  const BodyId wheel = world.add({.shape = Shape::cylinder(0.2, 1).value()}).value();
  const Quat axis = Quat::from_axis_angle({0, 1, 0}, -M_PI / 2);
  const JointId id = world
                         .add_joint({.b = wheel,
                                     .frame = {axis, {}},
                                     .kind = HingeJoint{.limits = JointRange{-20, 10},
                                                        .motor = JointMotor{4, 1e5}}})
                         .value();
  run(world, 2);
  EXPECT_NEAR(world.joint(id)->at[3], 8, 0.1);
  run(world, 2);
  EXPECT_NEAR(world.joint(id)->at[3], 10, 0.01);
}

/// Against a load: up to the torque it holds the speed, beyond it slips as torque says.
TEST(JointForce, MotorsReachTheirSpeedAndTheirTorque) {
  World world(plain({}));
  const BodyId wheel = world.add({.shape = Shape::cylinder(0.2, 1).value()}).value();
  const Quat axis = Quat::from_axis_angle({0, 1, 0}, -M_PI / 2); // x along z
  const double inertia = world.body(wheel)->inertia.z.z, torque = 50;
  const JointId id =
      world
          .add_joint(
              {.b = wheel, .frame = {axis, {}}, .kind = HingeJoint{.motor = JointMotor{3, torque}}})
          .value();
  run(world, 0.5);
  EXPECT_NEAR(world.body(wheel)->angular_velocity.z, torque * 0.5 / inertia,
              0.002 * torque * 0.5 / inertia);
  EXPECT_NEAR(length(world.joint(id)->torque), torque, 0.001 * torque);
  run(world, 3 * inertia / torque);
  EXPECT_NEAR(world.body(wheel)->angular_velocity.z, 3, 1e-3);
  EXPECT_NEAR(length(world.joint(id)->torque), 0, 0.01 * torque);
  // A brake.
  ASSERT_TRUE(world.set_motor(id, JointMotor{0, 2 * torque}));
  run(world, 1 + 3 * inertia / (2 * torque));
  EXPECT_NEAR(world.body(wheel)->angular_velocity.z, 0, 1e-3);
}

/// A lift: holds with more than the weight, sinks with less, by the difference.
TEST(JointForce, ALinearMotorLifts) {
  for (const double part : {1.5, 0.8}) {
    World world(plain());
    const BodyId cabin = world.add({.shape = cube()}).value();
    const double weight = world.body(cabin)->mass * gravity;
    const Quat up = Quat::from_axis_angle({0, 1, 0}, -M_PI / 2);
    const JointId id =
        world
            .add_joint({.b = cabin,
                        .frame = {up, {}},
                        .kind = SliderJoint{.motor = JointMotor{0.5, part * weight}}})
            .value();
    run(world, 2);
    if (part > 1) {
      EXPECT_NEAR(velocity(world, cabin).z, 0.5, 1e-3);
      EXPECT_NEAR(world.joint(id)->force.z, weight, 0.005 * weight);
    } else {
      EXPECT_NEAR(velocity(world, cabin).z, -0.2 * gravity * 2, 0.01 * gravity);
      EXPECT_NEAR(world.joint(id)->force.z, part * weight, 0.005 * weight);
    }
  }
}

/// x(t) of a spring let go at 1, by the closed form.
double damped(double frequency, double ratio, double t) {
  const double w = 2 * M_PI * frequency;
  if (ratio < 1) {
    const double wd = w * std::sqrt(1 - ratio * ratio);
    return std::exp(-ratio * w * t) * (std::cos(wd * t) + ratio * w / wd * std::sin(wd * t));
  }
  if (ratio == 1) return std::exp(-w * t) * (1 + w * t);
  const double r = w * std::sqrt(ratio * ratio - 1);
  return std::exp(-ratio * w * t) * (std::cosh(r * t) + ratio * w / r * std::sinh(r * t));
}

TEST(JointForce, SpringsSwingAsTheyShould) {
  for (const double frequency : {0.5, 2.0, 6.0})
    for (const double ratio : {0.0, 0.1, 0.5, 1.0, 3.0}) {
      World world(plain({}));
      const BodyId body = world.add({.shape = cube(), .pose = Pose::at({1, 0, 0})}).value();
      (void)world
          .add_joint({.b = body,
                      .frame_b = Pose::at({1, 0, 0}),
                      .kind = SliderJoint{.spring = JointSpring{frequency, ratio}}})
          .value();
      for (int i = 1; i <= 120; ++i) {
        world.step(frame);
        // Velocities come first: what the body is let go with is a half sub-step late.
        const double tolerance = 0.005 + 1.1 * M_PI * frequency / 240;
        ASSERT_NEAR(position(world, body).x, damped(frequency, ratio, i * frame), tolerance)
            << frequency << ' ' << ratio << ' ' << i;
      }
    }
}

TEST(JointForce, AnAngularSpringAndATarget) {
  World world(plain({}));
  const BodyId body = world.add({.shape = cube()}).value();
  const JointId id =
      world.add_joint({.b = body, .kind = HingeJoint{.spring = JointSpring{2, 1}, .target = 0.5}})
          .value();
  run(world, 3);
  EXPECT_NEAR(world.joint(id)->at[3], 0.5, 1e-3);
  ASSERT_TRUE(world.set_target(id, -1.5));
  run(world, 3);
  EXPECT_NEAR(world.joint(id)->at[3], -1.5, 1e-3);
}

/// Of a stiffness: gives way by weight / stiffness, and swings with sqrt(k / m).
TEST(JointForce, AStiffSpringBearsAWeight) {
  World world(plain());
  const BodyId body = world.add({.shape = cube(), .density = 10}).value();
  const double mass = world.body(body)->mass, stiffness = 400;
  const Quat up = Quat::from_axis_angle({0, 1, 0}, -M_PI / 2);
  const JointId id =
      world
          .add_joint(
              {.b = body,
               .frame = {up, {}},
               .kind = SliderJoint{.spring = JointSpring{.stiffness = stiffness, .damping = 60}}})
          .value();
  run(world, 5);
  EXPECT_NEAR(position(world, body).z, -mass * gravity / stiffness, 1e-4);
  EXPECT_NEAR(world.joint(id)->force.z, mass * gravity, 0.005 * mass * gravity);
}

TEST(JointForce, ARopePullsAndDoesNotPush) {
  World world(plain());
  const BodyId load = world.add({.shape = ball(0.2), .pose = Pose::at({0, 0, -0.5})}).value();
  const JointId rope = world
                           .add_joint({.b = load,
                                       .frame_b = Pose::at({0, 0, -0.5}),
                                       .kind = DistanceJoint{.range = JointRange{0, 2}}})
                           .value();
  // Slack: it falls as if there were none.
  run(world, 0.4);
  EXPECT_NEAR(velocity(world, load).z, -gravity * 0.4, 1e-3);
  EXPECT_EQ(length(world.joint(rope)->force), 0);
  run(world, 3);
  EXPECT_NEAR(separation(world, rope), 2, 2e-3);
  const double weight = world.body(load)->mass * gravity;
  EXPECT_NEAR(world.joint(rope)->force.z, weight, 0.005 * weight);
  ASSERT_TRUE(world.set_velocity(load, {0, 0, 3}, {}));
  run(world, 0.3);
  EXPECT_NEAR(velocity(world, load).z, 3 - gravity * 0.3, 0.02);
  EXPECT_EQ(length(world.joint(rope)->force), 0);
}

/// Taut, it is a pendulum.
TEST(JointForce, ARopeSwings) {
  World world(plain());
  const BodyId bob = world.add({.shape = ball(0.05), .pose = Pose::at({1, 0, 0})}).value();
  const JointId rope = world
                           .add_joint({.b = bob,
                                       .frame_b = Pose::at({1, 0, 0}),
                                       .kind = DistanceJoint{.range = JointRange{0, 1}}})
                           .value();
  const double before = total_energy(world, {bob});
  for (int i = 0; i < 300; ++i) {
    world.step(frame);
    ASSERT_LT(separation(world, rope), 1.005) << i;
    ASSERT_NEAR(total_energy(world, {bob}), before, 0.05 * world.body(bob)->mass * gravity) << i;
  }
}

TEST(JointForce, FrictionSlowsABall) {
  World world(plain({}));
  const BodyId body = world.add({.shape = ball(0.5), .angular_velocity = {0, 0, 4}}).value();
  const double inertia = world.body(body)->inertia.z.z,
               torque = inertia; // 1 radian a second squared
  (void)world.add_joint({.b = body, .kind = BallJoint{.friction = torque}}).value();
  run(world, 2);
  EXPECT_NEAR(world.body(body)->angular_velocity.z, 2, 0.02);
  run(world, 3);
  EXPECT_NEAR(length(world.body(body)->angular_velocity), 0, 1e-3);
}

} // namespace
} // namespace carom::test
