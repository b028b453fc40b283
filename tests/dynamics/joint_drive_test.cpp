// Motors that spin bodies fast beside what is fixed: what they give stays.
#include "tests/dynamics/joint_scenes.h"

namespace carom::test {
namespace {

/// A blade on a hinge, 1 cm from its housing, driven for a second.
double fan_energy(bool housing, bool continuous) {
  WorldOptions options = plain({});
  options.continuous = continuous;
  World world(options);
  const BodyId blade =
      world.add({.shape = Shape::box({0.5, 0.05, 0.02}).value(), .density = 500}).value();
  const Quat up = Quat::from_axis_angle({0, 1, 0}, -M_PI / 2); // x along z
  (void)world
      .add_joint({.b = blade,
                  .frame = {up, {}},
                  .kind = HingeJoint{.motor = JointMotor{.speed = 60, .max_force = 40}}})
      .value();
  if (housing)
    for (const double side : {-1.0, 1.0})
      (void)world.add({.shape = Shape::box({1, 1, 0.05}).value(),
                       .pose = Pose::at({0, 0, side * 0.08}),
                       .kind = BodyKind::fixed});
  run(world, 2);
  return energy(*world.body(blade));
}

TEST(JointDrive, AFanBladeNearItsHousingReachesItsSpeed) {
  const double alone = fan_energy(false, true);
  EXPECT_GT(alone, 100);
  EXPECT_NEAR(fan_energy(true, true), alone, 0.02 * alone);
}

/// Four wheels with motors under a box, on the ground, for three seconds: how fast it goes.
double car_speed(const Shape& wheel, bool continuous) {
  WorldOptions options = plain();
  options.continuous = continuous;
  World world(options);
  add_floor(world, {.friction = 1}, 500);
  const BodyId body = world
                          .add({.shape = Shape::box({1, 0.4, 0.1}).value(),
                                .pose = Pose::at({-400, 0, 0.5}),
                                .density = 300})
                          .value();
  for (const double x : {-0.8, 0.8})
    for (const double y : {-0.7, 0.7}) {
      const Vec3 at{-400 + x, y, 0.3};
      const Quat across = Quat::from_axis_angle({1, 0, 0}, M_PI / 2); // the wheel's z along y
      const BodyId id = world
                            .add({.shape = wheel,
                                  .pose = {across, at},
                                  .density = 300,
                                  .material = {.friction = 1}})
                            .value();
      const Quat along = Quat::from_axis_angle({0, 0, 1}, M_PI / 2); // the hinge's x along y
      (void)world
          .add_joint({.a = body,
                      .b = id,
                      .frame = {along, at},
                      .kind = HingeJoint{.motor = JointMotor{.speed = 100, .max_force = 200}}})
          .value();
    }
  run(world, 3);
  return velocity(world, body).x;
}

TEST(JointDrive, ACarWithCylinderWheelsReachesItsSpeed) {
  const Shape cylinder = Shape::cylinder(0.15, 0.3).value();
  const double slow = car_speed(cylinder, false), fast = car_speed(cylinder, true);
  EXPECT_GT(slow, 15); // 50 radians a second
  EXPECT_NEAR(fast, slow, 0.05 * slow);
}

} // namespace
} // namespace carom::test
