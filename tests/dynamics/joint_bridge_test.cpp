// Bridges of planks stretched straight between two walls, which no finite pull holds up: they sag a little, as stiff springs do, and gain nothing.
#include "tests/dynamics/joint_scenes.h"

namespace carom::test {
namespace {

struct Bridge {
  static constexpr int count = 16;
  World world{plain()};
  std::vector<BodyId> planks, all;
  std::vector<JointId> joints;

  Bridge() {
    const Shape plank = Shape::box({0.19, 0.5, 0.05}).value();
    const Quat across = Quat::from_axis_angle({0, 0, 1}, M_PI / 2);
    for (int i = 0; i < count; ++i) {
      planks.push_back(
          world.add({.shape = plank, .pose = Pose::at({0.4 * i + 0.2, 0, 0}), .density = 500})
              .value());
      JointDef def{.b = planks.back(), .frame = {across, {0.4 * i, 0, 0}}, .kind = HingeJoint{}};
      if (i > 0) def.a = planks[planks.size() - 2];
      joints.push_back(world.add_joint(def).value());
    }
    joints.push_back(
        world
            .add_joint(
                {.b = planks.back(), .frame = {across, {0.4 * count, 0, 0}}, .kind = HingeJoint{}})
            .value());
    all = planks;
  }
  [[nodiscard]] double mass() const { return world.body(planks[0])->mass; }
  [[nodiscard]] double kinetic() const {
    double sum = 0;
    for (const BodyId id : all) sum += energy(*world.body(id));
    return sum;
  }
  [[nodiscard]] double total() const {
    double sum = 0;
    for (const BodyId id : all) sum += total_energy(world, {id});
    return sum;
  }
  /// Ten seconds, in which no energy comes from anywhere and no joint opens.
  void expect_no_gain() {
    const double before = total();
    for (int i = 0; i < 600; ++i) {
      world.step(frame);
      ASSERT_LT(total(), before + 0.01 * mass() * gravity) << i;
      for (const JointId id : joints) ASSERT_LT(separation(world, id), 2e-3) << i;
    }
  }
  [[nodiscard]] double borne() const {
    return world.joint(joints.front())->force.z + world.joint(joints.back())->force.z;
  }
};

TEST(JointBridge, AStraightOneGainsNothing) {
  Bridge bridge;
  bridge.expect_no_gain();
  EXPECT_LT(bridge.kinetic(), 0.1);
  const double weight = Bridge::count * bridge.mass() * gravity;
  EXPECT_NEAR(bridge.borne(), weight, 0.02 * weight);
  EXPECT_NEAR(position(bridge.world, bridge.planks[8]).z, -0.02, 0.01);
}

/// As heavy as twenty planks, set down on two of them.
TEST(JointBridge, AHeavyCrateStaysOnIt) {
  Bridge bridge;
  const double mass = 20 * bridge.mass();
  const BodyId crate =
      bridge.world
          .add({.shape = cube(0.3),
                .pose = Pose::at({3.2, 0, 0.36}),
                .mass =
                    BodyMass{.mass = mass, .inertia = Mat3::diagonal({1, 1, 1}) * (mass * 0.06)}})
          .value();
  bridge.all.push_back(crate);
  bridge.expect_no_gain();
  EXPECT_LT(distance(position(bridge.world, crate), {3.2, 0, 0.316}), 0.03);
  const double weight = (Bridge::count + 20) * bridge.mass() * gravity;
  EXPECT_NEAR(bridge.borne(), weight, 0.05 * weight);
}

} // namespace
} // namespace carom::test
