// What each kind of joint lets move, and what it does not.
#include "tests/dynamics/joint_scenes.h"

#include "carom/math/random.h"

namespace carom::test {
namespace {

/// Two boxes in no gravity, of which the first is free as well.
struct Two {
  World world{plain({})};
  BodyId a, b;
  explicit Two(const Vec3& velocity = {}, const Vec3& spin = {}) {
    a = world.add({.shape = Shape::box({0.5, 0.3, 0.2}).value()}).value();
    b = world
            .add({.shape = Shape::box({0.2, 0.4, 0.3}).value(),
                  .pose = Pose::at({1, 0, 0}),
                  .velocity = velocity,
                  .angular_velocity = spin})
            .value();
  }
  JointId join(const JointKind& kind, const Pose& frame = Pose::at({0.6, 0.1, 0})) {
    return world.add_joint({.a = a, .b = b, .frame = frame, .kind = kind}).value();
  }
};

/// Kicks that reach all ways to move.
void kick(Two& two, Random& random) {
  const Vec3 push = random.direction() * 60, at = random.in_box({0.3, 0.3, 0.3});
  ASSERT_TRUE(two.world.add_impulse(two.b, push, position(two.world, two.b) + at));
}

TEST(JointKinds, ABallKeepsItsPoint) {
  Two two({0, 3, 1}, {2, 1, -4});
  const JointId id = two.join(BallJoint{});
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    if (i % 50 == 0) kick(two, random);
    two.world.step(frame);
    ASSERT_LT(separation(two.world, id), 4e-3) << i;
  }
}

TEST(JointKinds, AHingeKeepsItsAxis) {
  Two two;
  const Quat turned = Quat::from_axis_angle({1, 2, 3}, 1);
  const JointId id = two.join(HingeJoint{}, {turned, {0.6, 0.1, 0}});
  Random random(2);
  double most = 0;
  for (int i = 0; i < 300; ++i) {
    if (i % 50 == 0) kick(two, random);
    two.world.step(frame);
    const JointInfo info = *two.world.joint(id);
    ASSERT_LT(info.length, 4e-3) << i;
    const Vec3 of_a = to_matrix(info.frame_a.rotation).x, of_b = to_matrix(info.frame_b.rotation).x;
    ASSERT_LT(distance(of_a, of_b), 4e-3) << i;
    most = std::max(most, std::fabs(info.at[3]));
  }
  EXPECT_GT(most, 3); // it did turn, whole turns included
}

TEST(JointKinds, ASliderOnlySlides) {
  Two two;
  const JointId id = two.join(SliderJoint{});
  Random random(3);
  double most = 0;
  for (int i = 0; i < 200; ++i) {
    if (i % 50 == 0) kick(two, random);
    two.world.step(frame);
    const JointInfo info = *two.world.joint(id);
    ASSERT_LT(std::hypot(info.at[1], info.at[2]), 4e-3 * (1 + std::fabs(info.at[0]))) << i;
    for (const std::size_t k : {3U, 4U, 5U}) ASSERT_LT(std::fabs(info.at[k]), 4e-3) << i;
    most = std::max(most, std::fabs(info.at[0]));
  }
  EXPECT_GT(most, 0.1);
}

/// Two boxes fixed to each other move as one body of two shapes.
TEST(JointKinds, FixedIsOneBody) {
  Two two;
  const JointId id = two.join(FixedJoint{});
  World one(plain({}));
  const BodyId body = one.add({.shapes = {{.shape = Shape::box({0.5, 0.3, 0.2}).value()},
                                          {.shape = Shape::box({0.2, 0.4, 0.3}).value(),
                                           .pose = Pose::at({1, 0, 0})}}})
                          .value();
  const Vec3 push{40, 300, -120}, at{1.1, 0.2, 0.3};
  ASSERT_TRUE(two.world.add_impulse(two.b, push, at));
  ASSERT_TRUE(one.add_impulse(body, push, at));
  for (int i = 0; i < 120; ++i) {
    two.world.step(frame);
    one.step(frame);
    const Vec3 as_one = one.pose(body)->frame().to_world({1, 0, 0});
    ASSERT_LT(distance(position(two.world, two.b), as_one), 0.01) << i;
    ASSERT_LT(separation(two.world, id), 2e-3);
  }
  EXPECT_GT(length(one.body(body)->angular_velocity), 0.5);
}

TEST(JointKinds, AConeAndATwistHold) {
  Two two;
  const JointId id = two.join(BallJoint{.cone = 0.6, .twist = JointRange{-0.3, 0.4}});
  Random random(4);
  double cone = 0, least = 0, most = 0;
  for (int i = 0; i < 600; ++i) {
    if (i % 30 == 0) kick(two, random);
    two.world.step(frame);
    const JointInfo info = *two.world.joint(id);
    const Vec3 of_a = to_matrix(info.frame_a.rotation).x, of_b = to_matrix(info.frame_b.rotation).x;
    cone = std::max(cone, std::atan2(length(cross(of_a, of_b)), dot(of_a, of_b)));
    least = std::min(least, info.at[3]);
    most = std::max(most, info.at[3]);
  }
  // Reached, and hardly passed.
  EXPECT_NEAR(cone, 0.6, 0.03);
  EXPECT_NEAR(least, -0.3, 0.03);
  EXPECT_NEAR(most, 0.4, 0.03);
}

TEST(JointKinds, EachOfSixCoordinates) {
  for (std::size_t axis = 0; axis < 6; ++axis) {
    SixDofJoint all;
    all.axes[axis] = axis == 4   ? JointAxis::limited(-2, 2)
                     : axis == 5 ? JointAxis::limited(-1.2, 1.2)
                                 : JointAxis::free();
    all.axes[(axis + 1) % 6] = JointAxis::limited(-0.1, 0.2);
    Two two;
    const JointId id = two.join(all);
    Random random(5);
    std::array<double, 6> least{}, most{};
    for (int i = 0; i < 400; ++i) {
      if (i % 40 == 0) kick(two, random);
      two.world.step(frame);
      const JointInfo info = *two.world.joint(id);
      for (std::size_t k = 0; k < 6; ++k) {
        least[k] = std::min(least[k], info.at[k]);
        most[k] = std::max(most[k], info.at[k]);
      }
    }
    for (std::size_t k = 0; k < 6; ++k) {
      if (k == axis) {
        EXPECT_GT(most[k] - least[k], 0.05) << axis;
      } else if (k == (axis + 1) % 6) {
        EXPECT_GT(least[k], -0.13) << axis;
        EXPECT_LT(most[k], 0.23) << axis;
      } else {
        EXPECT_GT(least[k], -0.02) << axis << ' ' << k;
        EXPECT_LT(most[k], 0.02) << axis << ' ' << k;
      }
    }
  }
}

/// A chassis on four wheels: each spring bears a quarter, and gives way by weight / stiffness.
TEST(JointKinds, WheelsBearAChassis) {
  World world(plain());
  add_floor(world);
  const BodyId chassis = world
                             .add({.shape = Shape::box({1, 0.5, 0.2}).value(),
                                   .pose = Pose::at({0, 0, 1}),
                                   .density = 500})
                             .value();
  const Shape tyre = Shape::sphere(0.4).value();
  const Quat axle = Quat::from_axis_angle({0, 0, 1}, M_PI / 2); // x of the joint along y
  const double mass = world.body(chassis)->mass, stiffness = 20000;
  std::vector<JointId> joints;
  std::vector<BodyId> wheels;
  for (const Vec3& at : {Vec3{1, 0.8, 0.4}, {1, -0.8, 0.4}, {-1, 0.8, 0.4}, {-1, -0.8, 0.4}}) {
    wheels.push_back(world.add({.shape = tyre, .pose = Pose::at(at), .density = 60}).value());
    joints.push_back(world
                         .add_joint({.a = chassis,
                                     .b = wheels.back(),
                                     .frame = {axle, at},
                                     .kind = WheelJoint{.suspension = {.stiffness = stiffness,
                                                                       .damping = 1500}}})
                         .value());
  }
  run(world, 4);
  const double sag = mass * gravity / 4 / stiffness;
  for (const JointId id : joints) EXPECT_NEAR(world.joint(id)->at[2], sag, 0.01 * sag);
  EXPECT_NEAR(position(world, chassis).z, 1 - sag, 0.01 * sag + 0.002);
  // Motors at the rear drive it without a slip: v = omega r, along -x or x.
  for (const std::size_t i : {2U, 3U})
    ASSERT_TRUE(world.set_motor(joints[i], JointMotor{.speed = 5, .max_force = 300}));
  run(world, 6);
  EXPECT_NEAR(std::fabs(velocity(world, chassis).x), 5 * 0.4, 0.05);
  EXPECT_NEAR(velocity(world, chassis).y, 0, 0.02);
  // Steered while it rolls on, it goes round: the axles of the front point to the centre of the turn.
  const double steer = 0.2;
  for (const std::size_t i : {2U, 3U}) ASSERT_TRUE(world.set_motor(joints[i], std::nullopt));
  for (const std::size_t i : {0U, 1U}) ASSERT_TRUE(world.set_target(joints[i], steer));
  run(world, 3);
  const BodyInfo turning = *world.body(chassis);
  const double radius = length(turning.velocity) / std::fabs(turning.angular_velocity.z);
  EXPECT_NEAR(radius, 2 / std::tan(steer), 0.1 * 2 / std::tan(steer));
  EXPECT_NEAR(world.joint(joints[0])->at[5], steer, 1e-3);
}

} // namespace
} // namespace carom::test
