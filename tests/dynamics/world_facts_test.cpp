// What a world tells about itself, and what of a body can be changed after it was added.
#include "carom/dynamics/world_facts.h"
#include "carom/math/trig.h"
#include "tests/dynamics/joint_scenes.h"

#include <limits>

namespace carom::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(WorldFacts, ListsAreInOrder) {
  World world(plain());
  const BodyId floor = add_floor(world);
  std::vector<BodyId> ids{floor};
  for (int i = 0; i < 5; ++i)
    ids.push_back(world.add({.shape = cube(), .pose = Pose::at({2.0 * i, 0, 0.5})}).value());
  ASSERT_TRUE(world.remove(ids[3]));
  ids.erase(ids.begin() + 3);
  std::vector<BodyId> found{BodyId{}};
  list_bodies(world, found);
  EXPECT_EQ(found, ids);
  const JointId first = world.add_joint({.a = ids[1], .b = ids[2]}).value();
  const JointId second = world.add_joint({.b = ids[2]}).value();
  std::vector<JointId> joints;
  list_joints(world, joints);
  EXPECT_EQ(joints, (std::vector<JointId>{first, second}));
  ASSERT_TRUE(joints_of(world, ids[2], joints));
  EXPECT_EQ(joints, (std::vector<JointId>{first, second}));
  ASSERT_TRUE(joints_of(world, ids[1], joints));
  EXPECT_EQ(joints, (std::vector<JointId>{first}));
  EXPECT_EQ(joints_of(world, {}, joints).error(), WorldError::stale_id);
  EXPECT_TRUE(joints.empty());
}

/// A cube on the floor, and one on top: what each contact carries is the weight above.
TEST(WorldFacts, ContactsCarryTheWeight) {
  World world(plain());
  const BodyId floor = add_floor(world);
  const BodyId low = world.add({.shape = cube(), .pose = Pose::at({1, 2, 0.5})}).value();
  const BodyId high = world.add({.shape = cube(), .pose = Pose::at({1, 2, 1.5})}).value();
  run(world, 3);
  std::vector<WorldContact> list;
  ASSERT_TRUE(contacts_of(world, low, list));
  ASSERT_EQ(list.size(), 2U);
  const double weight = world.body(low)->mass * gravity * frame;
  for (const WorldContact& c : list) {
    const bool below = c.other.body == floor;
    EXPECT_TRUE(c.own.body == low && (below || c.other.body == high));
    EXPECT_NEAR(c.normal.z, below ? -1 : 1, 1e-6);
    double sum = 0;
    for (const WorldContactPoint& p : c.view()) {
      sum += p.impulse;
      EXPECT_NEAR(p.point.z, below ? 0 : 1, 0.01);
      EXPECT_NEAR(p.separation, 0, 0.01);
    }
    EXPECT_NEAR(sum, weight * (below ? 2 : 1), 0.02 * weight);
  }
  EXPECT_TRUE(list[0].other.body == floor);
  EXPECT_EQ(contacts_of(world, {}, list).error(), WorldError::stale_id);
}

TEST(WorldFacts, EnergyAndVelocities) {
  World world(plain());
  const BodyId a = world
                       .add({.shape = cube(),
                             .pose = Pose::at({0, 0, 10}),
                             .velocity = {1, 2, 3},
                             .angular_velocity = {0, 0, 2}})
                       .value();
  (void)add_floor(world);
  const BodyInfo info = *world.body(a);
  EXPECT_NEAR(*kinetic_energy(world, a), energy(info), 1e-9 * energy(info));
  EXPECT_NEAR(total_energy(world), energy(info) + info.mass * gravity * 10, 1e-6);
  EXPECT_LT(distance(*velocity_at(world, a, {1, 0, 10}), {1, 4, 3}), 1e-12);
  EXPECT_EQ(velocity_at(world, a, {nan, 0, 0}).error(), WorldError::out_of_range);
  EXPECT_EQ(kinetic_energy(world, {}).error(), WorldError::stale_id);
  const double before = total_energy(world);
  run(world, 1);
  EXPECT_NEAR(total_energy(world), before, 0.01 * before);
  const Aabb box = *box_of(world, a);
  EXPECT_LT(distance(box.center(), world.pose(a)->position), 1e-9);
  EXPECT_TRUE(
      box_of(world, world.add({.mass = BodyMass{.inertia = Mat3::identity()}}).value())->empty());
}

TEST(WorldSettings, AKinematicBodyIsLedToAPose) {
  World world(plain());
  const BodyId a = world
                       .add({.shape = cube(),
                             .pose = Pose::at({1, 2, 3}),
                             .kind = BodyKind::kinematic,
                             .mass = BodyMass{.center = {0.3, 0, 0}}})
                       .value();
  const Pose there{Quat::from_axis_angle({1, 2, 3}, 2.5), {2, 2, 3.5}};
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(world.move_to(a, there, (10 - i) * frame));
    world.step(frame);
  }
  EXPECT_LT(distance(world.pose(a)->position, there.position), 1e-4);
  const Quat left = there.rotation * conjugate(world.pose(a)->rotation);
  EXPECT_LT(length(Vec3{left.x, left.y, left.z}), 1e-4);
  EXPECT_EQ(world.move_to(a, there, 0).error(), WorldError::out_of_range);
  EXPECT_EQ(world.move_to(a, there, nan).error(), WorldError::out_of_range);
  EXPECT_EQ(world.move_to(a, there, 1e-30).error(), WorldError::out_of_range); // too fast
  EXPECT_EQ(world.move_to(a, Pose::at({nan, 0, 0}), 1).error(), WorldError::out_of_range);
  EXPECT_EQ(world.move_to({}, there, 1).error(), WorldError::stale_id);
}

/// A cube that slides begins to stick when its material changes, and the other way.
TEST(WorldSettings, AMaterialChangesContactsThatThereAre) {
  World world(plain({2, 0, -gravity}));
  (void)add_floor(world, {.friction = 1});
  const BodyId a = world.add({.shape = cube(), .pose = Pose::at({0, 0, 0.5})}).value();
  run(world, 1);
  EXPECT_LT(length(velocity(world, a)), 0.01);
  ASSERT_TRUE(world.set_material(a, 0, {.friction = 0}));
  run(world, 1);
  EXPECT_NEAR(velocity(world, a).x, 2, 0.05);
  ASSERT_TRUE(world.set_material(a, 0, {.friction = 4}));
  run(world, 1);
  EXPECT_LT(length(velocity(world, a)), 0.01);
  EXPECT_EQ(world.set_material(a, 1, {}).error(), WorldError::out_of_range);
  EXPECT_EQ(world.set_material(a, 0, {.friction = -1}).error(), WorldError::out_of_range);
}

TEST(WorldSettings, DampingGravityLocksAndForcesAtTheCentre) {
  World world(plain());
  const BodyId a = world.add({.shape = cube(), .velocity = {1, 0, 0}}).value();
  ASSERT_TRUE(world.set_gravity_scale(a, 0));
  ASSERT_TRUE(world.set_damping(a, 1, 0));
  run(world, 1);
  EXPECT_NEAR(velocity(world, a).x, std::exp(-1.0), 0.01);
  EXPECT_NEAR(velocity(world, a).z, 0, 1e-6);
  ASSERT_TRUE(world.set_damping(a, 0, 0));
  ASSERT_TRUE(world.set_velocity(a, {}, {}));
  ASSERT_TRUE(world.set_locked(a, {.x = true, .turn_x = true, .turn_y = true, .turn_z = true}));
  const double mass = world.body(a)->mass;
  ASSERT_TRUE(world.add_impulse(a, {0, mass, 0}));
  EXPECT_NEAR(velocity(world, a).y, 1, 1e-9);
  EXPECT_EQ(world.body(a)->angular_velocity, Vec3{});
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(world.add_force(a, {mass, 0, mass}));
    world.step(frame);
  }
  EXPECT_NEAR(velocity(world, a).x, 0, 1e-6);
  EXPECT_NEAR(velocity(world, a).z, 1, 1e-4);
  ASSERT_TRUE(world.set_user(a, 77));
  EXPECT_EQ(world.body(a)->user, 77U);
  EXPECT_EQ(world.set_damping(a, -1, 0).error(), WorldError::out_of_range);
  EXPECT_EQ(world.set_gravity_scale(a, nan).error(), WorldError::out_of_range);
  EXPECT_EQ(world.add_force({}, {}).error(), WorldError::stale_id);
  EXPECT_EQ(world.set_gravity({nan, 0, 0}).error(), WorldError::out_of_range);
}

TEST(WorldSettings, SleepOnDemandAndNever) {
  World world;
  add_floor(world);
  const BodyId a = world.add({.shape = cube(), .pose = Pose::at({0, 0, 0.5})}).value();
  const BodyId b = world.add({.shape = cube(), .pose = Pose::at({0, 0, 1.5})}).value();
  run(world, 0.2);
  ASSERT_TRUE(world.body(a)->awake && world.body(b)->awake);
  ASSERT_TRUE(world.sleep(a));
  EXPECT_FALSE(world.body(a)->awake || world.body(b)->awake); // they rest on each other
  world.step(frame);
  EXPECT_EQ(world.events().sleeps.size(), 2U);
  EXPECT_FALSE(world.body(a)->awake);
  ASSERT_TRUE(world.set_can_sleep(a, false));
  run(world, 2);
  EXPECT_TRUE(world.body(a)->awake && world.body(b)->awake);
  EXPECT_EQ(world.sleep({}).error(), WorldError::stale_id);
}

/// It flies through a thin one, or does not, as it is asked.
TEST(WorldSettings, ContinuousLater) {
  for (const bool continuous : {false, true}) {
    World world(plain({}));
    const BodyId plate =
        world.add({.shape = Shape::box({0.01, 3, 3}).value(), .density = 1e5}).value();
    const BodyId a =
        world.add({.shape = ball(0.05), .pose = Pose::at({-3, 0, 0}), .velocity = {250, 0, 0}})
            .value();
    ASSERT_TRUE(world.set_continuous(a, continuous));
    run(world, 0.2);
    EXPECT_EQ(position(world, a).x < position(world, plate).x, continuous);
  }
}

TEST(WorldSettings, JointsTellSpeedsAndLimits) {
  World world(plain({}));
  const BodyId a = world
                       .add({.shape = cube(),
                             .pose = Pose::at({2, 0, 0}),
                             .velocity = {0.5, 0, 0},
                             .angular_velocity = {0.25, 0, 0}})
                       .value();
  const JointId id =
      world
          .add_joint({.b = a,
                      .kind = SixDofJoint{.axes = {JointAxis::limited(-3, 3), JointAxis::locked(),
                                                   JointAxis::locked(), JointAxis::free(),
                                                   JointAxis::locked(), JointAxis::locked()}}})
          .value();
  const JointInfo info = *world.joint(id);
  EXPECT_NEAR(info.speeds[0], 0.5, 1e-12);
  EXPECT_NEAR(info.speeds[3], 0.25, 1e-12);
  ASSERT_TRUE(info.limits[0] && info.limits[1]);
  EXPECT_EQ(info.limits[0]->upper, 3);
  EXPECT_EQ(info.limits[1]->upper, 0);
  EXPECT_FALSE(info.limits[3] || info.length_limits || info.cone_limits);
  // What it says is how the coordinates change.
  for (int i = 0; i < 30; ++i) {
    const JointInfo before = *world.joint(id);
    world.step(frame);
    const JointInfo after = *world.joint(id);
    for (std::size_t k = 0; k < 6; ++k)
      EXPECT_NEAR((after.at[k] - before.at[k]) / frame, after.speeds[k], 1e-3);
  }
}

TEST(WorldSettings, SpringsConesAndBreaking) {
  World world(plain());
  const BodyId a = world.add({.shape = cube(0.2), .pose = Pose::at({0, 0, -1})}).value();
  const JointId slider =
      world
          .add_joint({.b = a,
                      .frame = {Quat::from_axis_angle({0, 1, 0}, half_pi), {0, 0, -1}},
                      .kind = SliderJoint{}})
          .value();
  ASSERT_TRUE(world.set_spring(slider, JointSpring{.frequency = 2, .damping_ratio = 1}));
  run(world, 3);
  const double sag = gravity / (two_pi * 2 * two_pi * 2);
  EXPECT_NEAR(position(world, a).z, -1 - sag, 0.08 * sag);
  ASSERT_TRUE(world.set_break(slider, 10, INFINITY));
  world.step(frame);
  EXPECT_EQ(world.events().breaks.size(), 1U);

  const BodyId b = world.add({.shape = cube(0.2), .pose = Pose::at({5, 0, 0})}).value();
  const JointId ball_joint = world.add_joint({.b = b, .frame = Pose::at({4, 0, 0})}).value();
  ASSERT_TRUE(world.set_cone(ball_joint, 0.5));
  run(world, 3);
  EXPECT_NEAR(world.joint(ball_joint)->frame_b.position.x, 4, 1e-3);
  EXPECT_NEAR(position(world, b).z, -std::sin(0.5), 0.02);
  ASSERT_TRUE(world.set_cone(ball_joint, std::nullopt));
  run(world, 0.5);
  EXPECT_LT(position(world, b).z, -0.7);
  EXPECT_EQ(world.set_cone(ball_joint, 4).error(), WorldError::out_of_range);
  EXPECT_EQ(world.set_break(ball_joint, 0, 1).error(), WorldError::out_of_range);
  EXPECT_EQ(world.set_spring(ball_joint, JointSpring{.frequency = -1}).error(),
            WorldError::out_of_range);
  EXPECT_EQ(world.set_motor(ball_joint, JointMotor{}, static_cast<JointCoordinate>(7)).error(),
            WorldError::out_of_range);
  for (const WorldResult<void>& done :
       {world.set_spring({}, {}), world.set_cone({}, 1.0), world.set_break({}, 1, 1)})
    EXPECT_EQ(done.error(), WorldError::stale_id);
}

} // namespace
} // namespace carom::test
