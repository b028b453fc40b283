// Joints as part of a world: ids, bad input, removal, sleep, contacts between what is joined, the same bits.
#include "tests/dynamics/joint_scenes.h"

#include <hwy/targets.h>

#include <limits>

namespace carom::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(JointWorld, StaleIdsAreErrors) {
  World world;
  const BodyId a = world.add({.shape = cube()}).value();
  const JointId old = world.add_joint({.b = a}).value();
  ASSERT_TRUE(world.remove_joint(old));
  const JointId now = world.add_joint({.b = a}).value();
  EXPECT_EQ(old.slot, now.slot);
  for (const JointId bad : {old, JointId{}, JointId{9, 1}}) {
    EXPECT_FALSE(world.contains(bad));
    EXPECT_EQ(world.joint(bad).error(), WorldError::stale_id);
    EXPECT_EQ(world.remove_joint(bad).error(), WorldError::stale_id);
    EXPECT_EQ(world.set_motor(bad, JointMotor{}).error(), WorldError::stale_id);
    EXPECT_EQ(world.set_limits(bad, std::nullopt).error(), WorldError::stale_id);
    EXPECT_EQ(world.set_target(bad, 0).error(), WorldError::stale_id);
  }
  EXPECT_TRUE(world.contains(now));
}

TEST(JointWorld, BadInputIsRefused) {
  World world;
  const BodyId a = world.add({.shape = cube()}).value();
  const BodyId b = world.add({.shape = cube(), .pose = Pose::at({2, 0, 0})}).value();
  const BodyId fixed = world.add({.shape = cube(), .kind = BodyKind::fixed}).value();
  const BodyId gone = world.add({.shape = cube()}).value();
  ASSERT_TRUE(world.remove(gone));
  const std::uint64_t before = world.hash();
  const auto refused = [&](const JointDef& def, ErrorCode code) {
    const auto id = world.add_joint(def);
    return !id && id.error().code == code && !id.error().message.empty();
  };
  EXPECT_TRUE(refused({.a = a, .b = a}, ErrorCode::degenerate));
  EXPECT_TRUE(refused({.b = fixed}, ErrorCode::degenerate));
  EXPECT_TRUE(refused({.a = a}, ErrorCode::out_of_range)); // B is not given
  EXPECT_TRUE(refused({.a = a, .b = gone}, ErrorCode::out_of_range));
  EXPECT_TRUE(refused({.a = gone, .b = a}, ErrorCode::out_of_range));
  EXPECT_TRUE(refused({.a = a, .b = b, .frame = Pose::at({nan, 0, 0})}, ErrorCode::out_of_range));
  EXPECT_TRUE(refused({.a = a, .b = b, .frame = {{0, 0, 0, 0}, {}}}, ErrorCode::out_of_range));
  EXPECT_TRUE(
      refused({.a = a, .b = b, .frame_b = Pose::at({1e20, 0, 0})}, ErrorCode::out_of_range));
  EXPECT_TRUE(refused({.a = a, .b = b, .break_force = 0}, ErrorCode::out_of_range));
  EXPECT_TRUE(refused({.a = a, .b = b, .break_torque = nan}, ErrorCode::out_of_range));
  const auto bad = [&](const JointKind& kind) {
    return refused({.a = a, .b = b, .kind = kind}, ErrorCode::out_of_range);
  };
  EXPECT_TRUE(bad(BallJoint{.cone = 4}));
  EXPECT_TRUE(bad(BallJoint{.twist = JointRange{1, -1}}));
  EXPECT_TRUE(bad(BallJoint{.friction = nan}));
  EXPECT_TRUE(bad(HingeJoint{.limits = JointRange{nan, 1}}));
  EXPECT_TRUE(bad(HingeJoint{.motor = JointMotor{INFINITY, 1}}));
  EXPECT_TRUE(bad(HingeJoint{.motor = JointMotor{1, -1}}));
  EXPECT_TRUE(bad(SliderJoint{.spring = JointSpring{.frequency = -1}}));
  EXPECT_TRUE(bad(SliderJoint{.target = nan}));
  EXPECT_TRUE(bad(FixedJoint{.linear = JointSpring{.frequency = nan}}));
  EXPECT_TRUE(bad(WheelJoint{.steer = 2}));
  EXPECT_TRUE(bad(DistanceJoint{.spring = JointSpring{1, 1}, .rest_length = nan}));
  EXPECT_TRUE(refused({.a = a, .b = b, .kind = DistanceJoint{.range = JointRange{0, 0}}},
                      ErrorCode::degenerate));
  EXPECT_EQ(world.joint_count(), 0U);
  EXPECT_EQ(world.hash(), before);

  const JointId good = world.add_joint({.a = a, .b = b, .kind = HingeJoint{}}).value();
  EXPECT_EQ(world.set_motor(good, JointMotor{nan, 1}).error(), WorldError::out_of_range);
  EXPECT_EQ(world.set_limits(good, JointRange{1, 0}).error(), WorldError::out_of_range);
  EXPECT_EQ(world.set_target(good, INFINITY).error(), WorldError::out_of_range);
}

TEST(JointWorld, ABodyTakesItsJointsAlong) {
  World world(plain());
  const BodyId a = world.add({.shape = cube(), .pose = Pose::at({0, 0, 0})}).value();
  const BodyId b = world.add({.shape = cube(), .pose = Pose::at({2, 0, 0})}).value();
  const BodyId c = world.add({.shape = cube(), .pose = Pose::at({4, 0, 0})}).value();
  const JointId ab = world.add_joint({.a = a, .b = b}).value();
  const JointId bc = world.add_joint({.a = b, .b = c}).value();
  const JointId up = world.add_joint({.b = c}).value();
  EXPECT_EQ(world.joint_count(), 3U);
  run(world, 0.1);
  ASSERT_TRUE(world.remove(b));
  EXPECT_FALSE(world.contains(ab));
  EXPECT_FALSE(world.contains(bc));
  EXPECT_TRUE(world.contains(up));
  EXPECT_EQ(world.joint_count(), 1U);
  run(world, 0.5);
}

TEST(JointWorld, TellsWhereItIs) {
  World world(plain({}));
  const BodyId a = world.add({.shape = cube(), .pose = Pose::at({1, 2, 3})}).value();
  const BodyId b = world.add({.shape = cube(), .pose = Pose::at({3, 2, 3})}).value();
  const JointId id =
      world
          .add_joint({.a = a,
                      .b = b,
                      .frame = Pose::at({1, 0, 0}),
                      .frame_b = Pose{Quat::from_axis_angle({1, 0, 0}, 0.3), {-0.5, 0.1, 0}},
                      .local = true,
                      .kind = SixDofJoint{.axes = {JointAxis::free(), JointAxis::free(),
                                                   JointAxis::free(), JointAxis::free(),
                                                   JointAxis::free(), JointAxis::free()}},
                      .user = 5})
          .value();
  const JointInfo info = *world.joint(id);
  EXPECT_TRUE(info.a == a);
  EXPECT_TRUE(info.b == b);
  EXPECT_EQ(info.user, 5U);
  EXPECT_EQ(info.kind, 6U);
  EXPECT_LT(distance(info.frame_a.position, {2, 2, 3}), 1e-12);
  EXPECT_LT(distance(info.frame_b.position, {2.5, 2.1, 3}), 1e-12);
  EXPECT_NEAR(info.at[0], 0.5, 1e-12);
  EXPECT_NEAR(info.at[1], 0.1, 1e-12);
  EXPECT_NEAR(info.at[3], 0.3, 1e-12);
  EXPECT_NEAR(info.length, std::hypot(0.5, 0.1), 1e-12);
  // turn_y and turn_z.
  ASSERT_TRUE(world.set_pose(b, {Quat::from_axis_angle({0, 0, 1}, 0.4), {3, 2, 3}}));
  EXPECT_NEAR(world.joint(id)->at[5], 0.4, 1e-12);
  ASSERT_TRUE(world.set_pose(b, {Quat::from_axis_angle({0, 1, 0}, 0.4), {3, 2, 3}}));
  EXPECT_NEAR(world.joint(id)->at[4], 0.4, 1e-12);
}

/// Two boxes that overlap: joined they leave each other alone, until the joint goes.
TEST(JointWorld, WhatIsJoinedDoesNotTouch) {
  for (const bool collide : {false, true}) {
    World world(plain({}));
    const BodyId a = world.add({.shape = cube()}).value();
    const BodyId b = world.add({.shape = cube(), .pose = Pose::at({0.9, 0, 0})}).value();
    const JointId id =
        world.add_joint({.a = a, .b = b, .kind = SliderJoint{}, .collide_connected = collide})
            .value();
    run(world, 1);
    const double apart = distance(position(world, a), position(world, b));
    if (collide) {
      EXPECT_GT(apart, 0.98);
      continue;
    }
    EXPECT_NEAR(apart, 0.9, 1e-5);
    EXPECT_EQ(world.pair_count(), 0U);
    ASSERT_TRUE(world.remove_joint(id));
    run(world, 1);
    EXPECT_GT(distance(position(world, a), position(world, b)), 0.98);
  }
}

TEST(JointWorld, AJointEndsAContact) {
  World world(plain());
  add_floor(world);
  const BodyId a = world.add({.shape = cube(), .pose = Pose::at({0, 0, 0.5})}).value();
  const BodyId b = world.add({.shape = cube(), .pose = Pose::at({0, 0, 1.5})}).value();
  run(world, 0.5);
  (void)world.add_joint({.a = a, .b = b, .kind = FixedJoint{}}).value();
  world.step(frame);
  int ends = 0;
  for (const ContactEvent& e : world.events().contacts) ends += e.kind == EventKind::end ? 1 : 0;
  EXPECT_EQ(ends, 1);
  run(world, 2);
  EXPECT_NEAR(position(world, b).z, 1.5, 0.01);
}

TEST(JointWorld, SleepsAndWakesThroughJoints) {
  World world;
  BodyDef def{
      .shape = ball(0.2), .pose = Pose::at({0, 0, -1}), .linear_damping = 1, .angular_damping = 1};
  const BodyId a = world.add(def).value();
  def.pose = Pose::at({0, 0, -2});
  const BodyId b = world.add(def).value();
  (void)world.add_joint({.b = a, .frame = Pose::at({0, 0, 0})}).value();
  const JointId low =
      world.add_joint({.a = a, .b = b, .frame = Pose::at({0, 0, -1.5}), .kind = HingeJoint{}})
          .value();
  run(world, 3);
  EXPECT_EQ(world.active_count(), 0U);
  const std::uint64_t resting = world.hash();
  run(world, 1);
  EXPECT_EQ(world.hash(), resting);
  // One wakes the other.
  ASSERT_TRUE(world.add_impulse(b, {1, 0, 0}, position(world, b)));
  EXPECT_TRUE(world.body(a)->awake);
  // One that moves keeps the other awake, though it hardly moves itself.
  run(world, 20);
  ASSERT_TRUE(world.set_motor(low, JointMotor{1, 100}));
  EXPECT_TRUE(world.body(a)->awake && world.body(b)->awake);
  run(world, 3);
  EXPECT_EQ(world.active_count(), 2U);
  // Removal wakes.
  ASSERT_TRUE(world.set_motor(low, std::nullopt));
  run(world, 30);
  ASSERT_EQ(world.active_count(), 0U);
  ASSERT_TRUE(world.remove_joint(low));
  EXPECT_TRUE(world.body(b)->awake);
  run(world, 1);
  EXPECT_LT(position(world, b).z, -5);
}

TEST(JointWorld, AKinematicBodyLeads) {
  World world(plain({}));
  const BodyId hand = world.add({.shape = cube(0.1), .kind = BodyKind::kinematic}).value();
  const BodyId load = world.add({.shape = cube(0.3), .pose = Pose::at({1, 0, 0})}).value();
  const JointId id = world.add_joint({.a = hand, .b = load, .kind = FixedJoint{}}).value();
  ASSERT_TRUE(world.set_velocity(hand, {0, 1, 0}, {0, 0, 1}));
  for (int i = 0; i < 120; ++i) {
    world.step(frame);
    ASSERT_LT(separation(world, id), 5e-3) << i;
  }
  EXPECT_NEAR(velocity(world, load).y - (1 + std::cos(2.0)), 0, 0.02);
}

TEST(JointWorld, LockedAxesAreRespected) {
  World world(plain());
  const BodyId cart =
      world
          .add({.shape = cube(0.3),
                .locked = {.y = true, .z = true, .turn_x = true, .turn_y = true, .turn_z = true}})
          .value();
  const BodyId bob = world.add({.shape = ball(0.2), .pose = Pose::at({1, 0, 0})}).value();
  const JointId id = world.add_joint({.a = cart, .b = bob}).value();
  for (int i = 0; i < 200; ++i) {
    world.step(frame);
    ASSERT_EQ(position(world, cart).z, 0);
    ASSERT_LT(separation(world, id), 0.03);
  }
  EXPECT_GT(std::fabs(position(world, cart).x), 0.01);
}

/// Frames far from fitting: it comes together, and nothing flies off.
TEST(JointWorld, FramesThatDoNotFitAreBroughtTogether) {
  World world(plain({}));
  const BodyId a = world.add({.shape = cube()}).value();
  const BodyId b = world.add({.shape = cube(), .pose = Pose::at({6, 0, 0})}).value();
  const JointId id =
      world
          .add_joint({.a = a,
                      .b = b,
                      .frame = Pose::at({1, 0, 0}),
                      .frame_b = Pose{Quat::from_axis_angle({1, 1, 0}, 1.2), {5, 1, 0}},
                      .kind = FixedJoint{}})
          .value();
  run(world, 3);
  EXPECT_LT(separation(world, id), 1e-3);
  for (const std::size_t k : {3U, 4U, 5U}) EXPECT_LT(std::fabs(world.joint(id)->at[k]), 1e-3);
  EXPECT_LT(length(velocity(world, b)), 1);
}

/// All kinds, falling on a heap.
World tangle(double gravity = 9.81) {
  WorldOptions options = plain();
  options.gravity = {0, 0, -gravity};
  World world(options);
  add_floor(world, {}, 20);
  const std::array<JointKind, 9> kinds{
      BallJoint{.cone = 0.5, .twist = JointRange{-0.4, 0.4}, .friction = 0.5},
      HingeJoint{.limits = JointRange{-1, 0.5}},
      SliderJoint{.limits = JointRange{-0.2, 0.3}, .spring = JointSpring{3, 0.3}},
      FixedJoint{},
      DistanceJoint{.range = JointRange{0.2, 0.9}},
      WheelJoint{.motor = JointMotor{3, 10}},
      SixDofJoint{},
      HingeJoint{.motor = JointMotor{2, 20}},
      FixedJoint{.angular = JointSpring{5, 0.5}}};
  for (int k = 0; k < 9; ++k) {
    BodyId last{};
    for (int i = 0; i < 5; ++i) {
      const Vec3 at{0.7 * i, 0.8 * (k % 3), 1.0 + k};
      const BodyId body =
          world.add({.shape = i % 2 == 0 ? cube(0.25) : ball(0.25), .pose = Pose::at(at)}).value();
      if (i > 0) {
        JointDef def{.a = last,
                     .b = body,
                     .frame = Pose::at(at - Vec3{0.35, 0, 0}),
                     .kind = kinds[static_cast<std::size_t>((k + i) % 9)]};
        if (std::holds_alternative<DistanceJoint>(def.kind)) def.frame_b = Pose::at(at);
        if (i == 4) def.break_force = 3000;
        (void)world.add_joint(def).value();
      }
      last = body;
    }
  }
  return world;
}

TEST(JointWorld, CopiesGoOnTheSame) {
  World a = tangle(), b = tangle();
  run(a, 1.5);
  World copy = a;
  EXPECT_EQ(copy.hash(), a.hash());
  run(a, 1);
  run(b, 2.5);
  run(copy, 1);
  EXPECT_EQ(a.hash(), b.hash());
  EXPECT_EQ(a.hash(), copy.hash());
}

/// Lanes and impulses of joints stay in the solver while nothing changes; what comes from a snapshot is laid out anew in each step. Bodies and joints come, go and become others on the way.
/// Each step of the one begins with nothing but the bytes of a snapshot.
void expect_all_in_snapshots(double gravity) {
  World kept = tangle(gravity), fresh = tangle(gravity);
  const auto change = [](World& world, int step) {
    const JointId motor{30, 1}, limits{1, 1}, target{2, 1};
    if (step == 20) (void)world.set_motor(motor, JointMotor{-4, 15});
    if (step == 30) (void)world.set_limits(limits, JointRange{-0.2, 0.1});
    if (step == 40) (void)world.set_target(target, 0.1);
    if (step == 50) (void)world.remove_joint({10, 1});
    if (step == 60) (void)world.remove({20, 1});
    if (step == 70) (void)world.add_joint({.b = BodyId{8, 1}, .frame = Pose::at({0, 0, 3})});
    if (step == 80) (void)world.add_force({30, 1}, {1e30, 0, 0}, {}); // it freezes
  };
  for (int i = 0; i < 120; ++i) {
    change(kept, i);
    change(fresh, i);
    ASSERT_TRUE(fresh.restore(fresh.snapshot()));
    const double time = i < 100 ? frame : 0.5 * frame;
    kept.step(time);
    fresh.step(time);
    ASSERT_EQ(kept.hash(), fresh.hash()) << "gravity " << gravity << ", step " << i;
  }
}

TEST(JointWorld, WhatIsKeptBetweenStepsIsAllInASnapshot) { expect_all_in_snapshots(9.81); }

/// A body had a burden when joints were laid out, and their lanes kept its mass with that when it had another: one or two heaps of forty came upon it.
TEST(JointWorld, LanesOfJointsKnowTheBurdensOfNow) {
#ifdef CAROM_SANITIZED
  constexpr int heaps = 4;
#else
  constexpr int heaps = 40;
#endif
  for (int i = 1; i <= heaps; ++i) expect_all_in_snapshots(9.81 + 0.01 * i);
}

TEST(JointWorld, EveryWidthOfLanesGivesTheSame) {
  World reference = tangle();
  run(reference, 2);
  for (const std::int64_t off : {HWY_AVX3 | HWY_AVX3_DL, HWY_AVX3 | HWY_AVX3_DL | HWY_AVX2,
                                 HWY_AVX3 | HWY_AVX3_DL | HWY_AVX2 | HWY_SSE4 | HWY_SSSE3}) {
    hwy::DisableTargets(off);
    World world = tangle();
    run(world, 2);
    hwy::DisableTargets(0);
    EXPECT_EQ(world.hash(), reference.hash()) << off;
  }
}

/// Its end is not stopped in flight while the rest goes on.
TEST(JointWorld, HoldsWhenAnEndHitsTheGroundFast) {
  for (const double speed : {8.0, 15.0, 25.0}) {
    World world;
    (void)world.add({.shape = Shape::box({10, 10, 1}).value(),
                     .pose = Pose::at({0, 0, -1}),
                     .kind = BodyKind::fixed});
    const Vec3 fall{0, 0, -speed};
    const BodyId head =
        world.add({.shape = ball(0.1), .pose = Pose::at({0, 0, 1.13}), .velocity = fall}).value();
    const BodyId trunk = world
                             .add({.shape = Shape::box({0.1, 0.1, 0.3}).value(),
                                   .pose = Pose::at({0.05, 0, 1.55}),
                                   .velocity = fall})
                             .value();
    const JointId neck =
        world
            .add_joint(
                {.a = trunk, .b = head, .frame = Pose::at({0, 0, 1.25}), .kind = BallJoint{}})
            .value();
    double most = 0;
    for (int i = 0; i < 30; ++i) {
      world.step(frame);
      most = std::max(most, world.joint(neck)->length);
    }
    EXPECT_LT(most, speed * frame / 4) << speed; // no more than it goes in a sub-step
  }
}

TEST(JointWorld, TheHashKnowsOfJoints) {
  World world(plain());
  const BodyId load = world.add({.shape = cube(), .pose = Pose::at({0, 0, -1})}).value();
  World without = world;
  const JointId id = world.add_joint({.b = load}).value();
  run(world, 0.5);
  World same = world;
  ASSERT_TRUE(same.remove_joint(id));
  EXPECT_NE(same.hash(), world.hash());
}

} // namespace
} // namespace carom::test
