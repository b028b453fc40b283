// Pendulums: periods known in closed form, and energy that must stay.
#include "tests/dynamics/joint_scenes.h"

namespace carom::test {
namespace {

/// 4 K(sin(amplitude / 2)) / omega, by the arithmetic-geometric mean.
double pendulum_period(double omega, double amplitude) {
  double a = 1, b = std::cos(amplitude / 2);
  for (int i = 0; i < 20; ++i) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return 2 * M_PI / (omega * a);
}

/// The mean period of some swings, by the times at which the angle passes 0.
double measured_period(World& world, JointId hinge, int swings) {
  double last = world.joint(hinge)->at[3], first_time = -1, last_time = -1, now = 0;
  int passed = -1;
  while (passed < swings && now < 1000) {
    world.step(frame);
    now += frame;
    const double angle = world.joint(hinge)->at[3];
    if (last < 0 && angle >= 0) {
      const double at = now - frame * angle / (angle - last);
      if (first_time < 0) first_time = at;
      last_time = at;
      ++passed;
    }
    last = angle;
  }
  return (last_time - first_time) / passed;
}

struct Pendulum {
  World world{plain()};
  BodyId bob;
  JointId hinge;
  double omega = 0; ///< of small swings
};
/// A box on a hinge along y, its centre `length` away, turned by `angle` from hanging.
Pendulum pendulum(double length, double angle, const Vec3& at = {}) {
  Pendulum p;
  const Vec3 hang{length * std::sin(angle), 0, -length * std::cos(angle)};
  const Quat turn = Quat::from_axis_angle({0, -1, 0}, angle);
  p.bob = p.world.add({.shape = Shape::box({0.1, 0.2, 0.3}).value(), .pose = {turn, at + hang}})
              .value();
  // Frames whose x axis is -y, the angle measured from hanging.
  const Quat axis = Quat::from_axis_angle({0, 0, 1}, -M_PI / 2);
  p.hinge = p.world
                .add_joint({.b = p.bob,
                            .frame = {axis, at},
                            .frame_b = Pose{turn * axis, at},
                            .kind = HingeJoint{}})
                .value();
  const BodyInfo body = *p.world.body(p.bob);
  const double inertia = body.mass * (0.04 + 0.36) / 12 + body.mass * length * length;
  p.omega = std::sqrt(body.mass * gravity * length / inertia);
  return p;
}

double world_mass(const Pendulum& p) { return p.world.body(p.bob)->mass; }

TEST(JointPendulum, SwingsWithItsPeriod) {
  for (const double amplitude : {0.05, 0.5, 1.5, 2.5, 2.9}) {
    Pendulum p = pendulum(1, amplitude);
    const double period = measured_period(p.world, p.hinge, 5);
    const double known = pendulum_period(p.omega, amplitude);
    EXPECT_NEAR(period / known, 1, amplitude > 2.8 ? 0.005 : 0.001) << amplitude;
  }
}

TEST(JointPendulum, KeepsItsEnergyForAMinute) {
  Pendulum p = pendulum(1, 2);
  const double height = 1 * (1 - std::cos(2)), all = world_mass(p) * gravity * height;
  const double before = total_energy(p.world, {p.bob});
  for (int i = 0; i < 3600; ++i) {
    p.world.step(frame);
    ASSERT_NEAR(total_energy(p.world, {p.bob}), before, 0.03 * all) << i;
  }
}

/// Two rods, the second hung on the end of the first: chaotic, so that only energy is known.
TEST(JointPendulum, ADoubleOneKeepsItsEnergy) {
  World world(plain());
  const Shape rod = Shape::box({0.5, 0.05, 0.05}).value();
  const BodyId upper = world.add({.shape = rod, .pose = Pose::at({0.5, 0, 0})}).value();
  const BodyId lower = world.add({.shape = rod, .pose = Pose::at({1.5, 0, 0})}).value();
  const Quat axis = Quat::from_axis_angle({0, 0, 1}, M_PI / 2);
  const JointId first =
      world.add_joint({.b = upper, .frame = {axis, {0, 0, 0}}, .kind = HingeJoint{}}).value();
  const JointId second =
      world.add_joint({.a = upper, .b = lower, .frame = {axis, {1, 0, 0}}, .kind = HingeJoint{}})
          .value();
  const double before = total_energy(world, {upper, lower});
  const double scale = 4 * world.body(upper)->mass * gravity; // from lowest to highest
  for (int i = 0; i < 1200; ++i) {
    world.step(frame);
    ASSERT_NEAR(total_energy(world, {upper, lower}), before, 0.03 * scale) << i;
    ASSERT_LT(separation(world, first), 2e-3);
    ASSERT_LT(separation(world, second), 2.5e-3);   // up to 20 radians a second
    ASSERT_NEAR(position(world, lower).y, 0, 1e-4); // it stays in its plane
  }
}

/// On a rod without a turn, held by its length alone: a mass point.
TEST(JointPendulum, OnARod) {
  World world(plain());
  const BodyId bob = world.add({.shape = ball(0.05), .pose = Pose::at({0.5, 0, 0})}).value();
  const JointId rod =
      world.add_joint({.b = bob, .frame_b = Pose::at({0.5, 0, 0}), .kind = DistanceJoint{}})
          .value();
  const double before = total_energy(world, {bob});
  for (int i = 0; i < 600; ++i) {
    world.step(frame);
    ASSERT_NEAR(separation(world, rod), 0.5, 1e-3) << i;
    ASSERT_NEAR(total_energy(world, {bob}), before, 0.02 * world.body(bob)->mass * gravity * 0.5);
  }
}

/// Goes round on a cone: omega^2 = g / (l cos(angle)).
TEST(JointPendulum, GoesRound) {
  World world(plain());
  const double angle = 0.7, length = 2, radius = length * std::sin(angle);
  const double omega = std::sqrt(gravity / (length * std::cos(angle)));
  const BodyId bob =
      world
          .add({.shape = ball(0.1),
                .pose = Pose::at({radius, 0, -length * std::cos(angle)}),
                .velocity = {0, omega * radius, 0},
                .mass = BodyMass{.mass = 2, .inertia = Mat3::diagonal({1e-4, 1e-4, 1e-4})}})
          .value();
  (void)world.add_joint({.b = bob, .kind = BallJoint{}}).value();
  for (int i = 0; i < 1200; ++i) {
    world.step(frame);
    const Vec3 p = position(world, bob);
    ASSERT_NEAR(std::hypot(p.x, p.y), radius, 0.01 * radius) << i;
    ASSERT_NEAR(p.z, -length * std::cos(angle), 0.01) << i;
  }
  const Vec3 p = position(world, bob);
  const double turns = omega * 20 / (2 * M_PI);
  EXPECT_NEAR(std::remainder(std::atan2(p.y, p.x) / (2 * M_PI) - turns, 1), 0, 0.02);
}

/// 100 km from the origin nothing changes: all is relative to the bodies.
TEST(JointPendulum, IsTheSameFarFromTheOrigin) {
  Pendulum near = pendulum(1, 1.5), far = pendulum(1, 1.5, {1e5, -1e5, 1e5});
  for (int i = 0; i < 300; ++i) {
    near.world.step(frame);
    far.world.step(frame);
    ASSERT_LT(distance(position(near.world, near.bob),
                       position(far.world, far.bob) - Vec3{1e5, -1e5, 1e5}),
              1e-5);
    ASSERT_LT(separation(far.world, far.hinge), 2e-3);
  }
}

} // namespace
} // namespace carom::test
