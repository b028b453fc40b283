// Known answers of joints that are driven or drawn: winches, springs of each kind, a wheel's travel, six coordinates.
#include "tests/dynamics/joint_scenes.h"

namespace carom::test {
namespace {

/// A spring let go at 1 without damping: cos(w t). Velocities come first: what the body is let go with is a half sub-step late.
void expect_swings(double at, double frequency, int step) {
  const double tolerance = 0.01 + 1.1 * M_PI * frequency / 240;
  EXPECT_NEAR(at, std::cos(two_pi * frequency * step * frame), tolerance)
      << frequency << " Hz, step " << step;
}

/// Pays out at half a metre a second under a load; with too little force it slips, by what is missing.
TEST(JointAnswers, AWinchLowersAndLifts) {
  for (const double speed : {0.5, -0.5}) {
    World world(plain());
    const BodyId load = world.add({.shape = cube(), .pose = Pose::at({0, 0, -3})}).value();
    const double weight = world.body(load)->mass * gravity;
    const JointId id =
        world
            .add_joint({.b = load,
                        .frame_b = Pose::at({0, 0, -3}),
                        .kind = DistanceJoint{.range = JointRange{0, 100},
                                              .motor = JointMotor{speed, 2 * weight}}})
            .value();
    run(world, 2);
    EXPECT_NEAR(world.joint(id)->length, 3 + 2 * speed, 0.03);
    EXPECT_NEAR(world.joint(id)->length_speed, speed, 1e-3);
    EXPECT_NEAR(world.joint(id)->force.z, weight, 0.005 * weight);
    ASSERT_TRUE(world.set_motor(id, JointMotor{speed, 0.8 * weight}));
    const double before = velocity(world, load).z;
    run(world, 0.5);
    EXPECT_NEAR(velocity(world, load).z - before, -0.2 * gravity * 0.5, 0.01 * gravity);
  }
}

TEST(JointAnswers, ADistanceSpringSwings) {
  for (const double frequency : {0.5, 2.0}) {
    World world(plain({}));
    const BodyId body = world.add({.shape = cube(), .pose = Pose::at({3, 0, 0})}).value();
    const JointId id = world
                           .add_joint({.b = body,
                                       .frame_b = Pose::at({3, 0, 0}),
                                       .kind = DistanceJoint{.spring = JointSpring{frequency, 0},
                                                             .rest_length = 2}})
                           .value();
    for (int i = 1; i <= 60; ++i) {
      world.step(frame);
      expect_swings(world.joint(id)->length - 2, frequency, i);
    }
  }
}

/// Moved aside by 1, and turned by 0.5: both swing, each by its own.
TEST(JointAnswers, AFixedJointSwingsOnItsSprings) {
  const double along = 1, about = 2;
  World world(plain({}));
  const BodyId body = world.add({.shape = cube()}).value();
  const JointId id = world
                         .add_joint({.b = body,
                                     .kind = FixedJoint{.linear = JointSpring{along, 0},
                                                        .angular = JointSpring{about, 0}}})
                         .value();
  ASSERT_TRUE(world.set_pose(body, {Quat::from_axis_angle({1, 0, 0}, 0.5), {0, 1, 0}}));
  for (int i = 1; i <= 60; ++i) {
    world.step(frame);
    expect_swings(world.joint(id)->at[1], along, i);
    expect_swings(world.joint(id)->at[3] / 0.5, about, i);
  }
}

TEST(JointAnswers, ABallJointIsDrawnBack) {
  for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
    World world(plain({}));
    const BodyId body = world.add({.shape = cube()}).value();
    (void)world.add_joint({.b = body, .kind = BallJoint{.spring = JointSpring{1, 0}}}).value();
    ASSERT_TRUE(world.set_pose(body, {Quat::from_axis_angle(axis, 0.3), {}}));
    for (int i = 1; i <= 60; ++i) {
      world.step(frame);
      const Quat q = world.pose(body)->rotation;
      const double turn = 2 * std::asin(dot(Vec3{q.x, q.y, q.z}, axis)) * (q.w < 0 ? -1 : 1);
      expect_swings(turn / 0.3, 1, i);
    }
  }
}

/// The wheel is fixed, the chassis rests on its spring: by g / w^2 below where it is at ease, unless its travel ends before.
TEST(JointAnswers, AWheelYieldsByItsLoadWithinItsTravel) {
  for (const double most : {1.0, 0.02}) {
    World world(plain());
    const BodyId wheel = world
                             .add({.shape = Shape::cylinder(0.1, 0.3).value(),
                                   .pose = Pose::at({0, 0, 0.3}),
                                   .kind = BodyKind::fixed})
                             .value();
    const BodyId chassis = world.add({.shape = cube(), .pose = Pose::at({0, 0, 1.5})}).value();
    const double frequency = 2;
    const JointId id = world
                           .add_joint({.a = chassis,
                                       .b = wheel,
                                       .frame = Pose::at({0, 0, 0.3}),
                                       .kind = WheelJoint{.suspension = JointSpring{frequency, 0.7},
                                                          .travel = JointRange{-1, most}}})
                           .value();
    run(world, 5);
    const double w = two_pi * frequency, yields = gravity / (w * w); // 6.2 cm
    EXPECT_NEAR(world.joint(id)->at[2], std::min(yields, most), 0.05 * yields) << most;
    EXPECT_NEAR(length(world.joint(id)->force), world.body(chassis)->mass * gravity,
                0.01 * world.body(chassis)->mass * gravity);
  }
}

/// A motor along y, a spring about z, a limit along x; all else is locked.
TEST(JointAnswers, SixCoordinatesEachOnTheirOwn) {
  World world(plain({}));
  const BodyId body = world.add({.shape = cube()}).value();
  const double mass = world.body(body)->mass;
  SixDofJoint kind;
  kind.axes[0] = JointAxis::limited(-0.5, 0.5);
  kind.axes[1] = {.limits = std::nullopt, .motor = JointMotor{.speed = 2, .max_force = mass}};
  kind.axes[5] = {.limits = std::nullopt, .spring = JointSpring{1, 0}, .target = 0.2};
  const JointId id = world.add_joint({.b = body, .kind = kind}).value();
  ASSERT_TRUE(world.set_velocity(body, {1, 0, 0}, {}));
  for (int i = 1; i <= 60; ++i) {
    world.step(frame);
    const JointInfo joint = *world.joint(id);
    EXPECT_NEAR(velocity(world, body).y, i * frame, 0.01) << i; // 1 metre a second squared
    expect_swings((0.2 - joint.at[5]) / 0.2, 1, i);
    EXPECT_LT(joint.at[0], 0.51);
    for (const std::size_t k : {2U, 3U, 4U}) EXPECT_NEAR(joint.at[k], 0, 1e-3) << k;
  }
  EXPECT_NEAR(world.joint(id)->at[0], 0.5, 0.01);
  run(world, 2);
  EXPECT_NEAR(velocity(world, body).y, 2, 1e-3);
}

} // namespace
} // namespace carom::test
