// The world as an interface: ids, bad input, removal, sleep, events, sensors, filters; and that nothing depends on what it should not.
#include "tests/dynamics/crowd_scene.h"
#include "tests/dynamics/scenes.h"

#include "carom/math/random.h"

#include <hwy/targets.h>

#include <limits>

namespace carom::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(World, StaleIdsAreErrors) {
  World world;
  const BodyId a = world.add({.shape = cube()}).value();
  ASSERT_TRUE(world.remove(a));
  const BodyId b = world.add({.shape = cube()}).value();
  EXPECT_EQ(a.slot, b.slot);
  EXPECT_FALSE(a == b);
  for (const BodyId bad : {a, BodyId{}, BodyId{7, 1}}) {
    EXPECT_FALSE(world.contains(bad));
    EXPECT_EQ(world.remove(bad).error(), WorldError::stale_id);
    EXPECT_EQ(world.body(bad).error(), WorldError::stale_id);
    EXPECT_EQ(world.pose(bad).error(), WorldError::stale_id);
    EXPECT_EQ(world.set_pose(bad, {}).error(), WorldError::stale_id);
    EXPECT_EQ(world.set_velocity(bad, {}, {}).error(), WorldError::stale_id);
    EXPECT_EQ(world.add_force(bad, {}, {}).error(), WorldError::stale_id);
    EXPECT_EQ(world.add_torque(bad, {}).error(), WorldError::stale_id);
    EXPECT_EQ(world.add_impulse(bad, {}, {}).error(), WorldError::stale_id);
    EXPECT_EQ(world.wake(bad).error(), WorldError::stale_id);
  }
  EXPECT_TRUE(world.contains(b));
}

TEST(World, BadInputChangesNothing) {
  World world(plain());
  const BodyId a = world.add({.shape = cube(), .pose = Pose::at({1, 2, 3})}).value();
  const std::uint64_t before = world.hash();
  EXPECT_FALSE(world.set_pose(a, Pose::at({nan, 0, 0})));
  EXPECT_FALSE(world.set_pose(a, {{0, 0, 0, 0}, {}}));
  EXPECT_FALSE(world.set_velocity(a, {INFINITY, 0, 0}, {}));
  EXPECT_FALSE(world.add_force(a, {nan, 0, 0}, {}));
  EXPECT_FALSE(world.add_impulse(a, {}, {nan, 0, 0}));
  EXPECT_FALSE(world.add({.shape = cube(), .pose = Pose::at({0, 0, 1e20})}));
  EXPECT_FALSE(world.add({.shape = cube(), .density = nan}));
  EXPECT_FALSE(world.add({.shape = cube(), .density = 0}));
  EXPECT_FALSE(world.add({.shape = cube(), .material = {.friction = -1}}));
  EXPECT_FALSE(world.add({.shape = Shape::half_space({0, 0, 1}, 0).value()}));
  EXPECT_FALSE(world.add({.shape = Shape::segment({}, {1, 0, 0}).value()}));
  EXPECT_FALSE(world.add(
      {.shape = cube(), .mass = BodyMass{.mass = 1, .inertia = Mat3::diagonal({1, 1, 0})}}));
  EXPECT_FALSE(world.add({}));
  EXPECT_EQ(world.body_count(), 1u);
  world.step(nan);
  world.step(-1);
  world.step(INFINITY);
  EXPECT_EQ(world.hash(), before);
}

TEST(World, WhatIsDrivenBeyondAllBoundsIsFrozenAndTheRestGoesOn) {
  World world(plain());
  add_floor(world);
  const BodyId good = world.add({.shape = cube(), .pose = Pose::at({0, 0, 0.5})}).value();
  const BodyId on_top = world.add({.shape = cube(), .pose = Pose::at({0, 0, 1.5})}).value();
  run(world, 1);
  ASSERT_TRUE(world.add_impulse(on_top, {1e30, 0, 0}, position(world, on_top)));
  world.step(frame);
  ASSERT_EQ(world.events().frozen.size(), 1u);
  EXPECT_TRUE(world.events().frozen[0] == on_top);
  EXPECT_TRUE(world.body(on_top)->frozen);
  const Vec3 there = position(world, on_top);
  run(world, 1);
  EXPECT_EQ(position(world, on_top), there);
  EXPECT_NEAR(position(world, good).z, 0.5, 0.01);
  ASSERT_TRUE(world.set_pose(on_top, Pose::at({5, 0, 3})));
  run(world, 2);
  EXPECT_FALSE(world.body(on_top)->frozen);
  EXPECT_NEAR(position(world, on_top).z, 0.5, 0.01);
}

TEST(World, RemovalInMidContact) {
  WorldOptions options;
  World world(options);
  add_floor(world);
  const BodyId low = world.add({.shape = cube(), .pose = Pose::at({0, 0, 0.5})}).value();
  const BodyId high = world.add({.shape = cube(), .pose = Pose::at({0, 0, 1.5})}).value();
  run(world, 3);
  EXPECT_EQ(world.active_count(), 0u);
  ASSERT_TRUE(world.remove(low));
  EXPECT_TRUE(world.body(high)->awake);
  world.step(frame);
  int ends = 0;
  for (const ContactEvent& e : world.events().contacts) ends += e.kind == EventKind::end ? 1 : 0;
  EXPECT_EQ(ends, 2);
  run(world, 2);
  EXPECT_NEAR(position(world, high).z, 0.5, 0.01);
}

TEST(World, SleepsAndWakes) {
  World world;
  add_floor(world);
  const BodyId a = world.add({.shape = cube(), .pose = Pose::at({0, 0, 0.5})}).value();
  const BodyId b = world.add({.shape = cube(), .pose = Pose::at({0, 0, 1.5})}).value();
  int slept = 0;
  for (int i = 0; i < 120; ++i) {
    world.step(frame);
    for (const SleepEvent& e : world.events().sleeps) slept += e.awake ? 0 : 1;
  }
  EXPECT_EQ(slept, 2);
  EXPECT_FALSE(world.body(a)->awake);
  const std::uint64_t resting = world.hash();
  run(world, 1);
  EXPECT_EQ(world.hash(), resting);
  // A ball from above wakes the whole pile.
  const BodyId hit = world.add({.shape = ball(0.3), .pose = Pose::at({0, 0, 4})}).value();
  bool woke = false;
  for (int i = 0; i < 120; ++i) {
    world.step(frame);
    woke = woke || (world.body(a)->awake && world.body(b)->awake);
  }
  EXPECT_TRUE(woke);
  EXPECT_TRUE(world.contains(hit));
  run(world, 10);
  EXPECT_EQ(world.active_count(), 0u);
  ASSERT_TRUE(world.add_impulse(a, {1, 0, 0}, position(world, a)));
  EXPECT_TRUE(world.body(a)->awake);
  EXPECT_TRUE(world.body(b)->awake);
}

TEST(World, NothingSleepsOnAMovingPlatform) {
  World world;
  const BodyId lift = world
                          .add({.shape = Shape::box({2, 2, 0.1}).value(),
                                .kind = BodyKind::kinematic,
                                .velocity = {0, 0, 0.02}})
                          .value();
  const BodyId a = world.add({.shape = cube(), .pose = Pose::at({0, 0, 0.6})}).value();
  run(world, 5);
  EXPECT_TRUE(world.body(a)->awake);
  EXPECT_NEAR(position(world, a).z, 0.7, 0.005);
  ASSERT_TRUE(world.set_velocity(lift, {}, {}));
  run(world, 3);
  EXPECT_FALSE(world.body(a)->awake);
  ASSERT_TRUE(world.set_velocity(lift, {0, 0, 0.5}, {}));
  run(world, 1);
  EXPECT_NEAR(position(world, a).z, 1.2, 0.01);
}

/// 0 is a number as any other, where it makes sense.
TEST(World, OptionsOfZeroAreKept) {
  WorldOptions options;
  options.margin = options.solver.rest_depth = options.solver.contact_frequency = 0;
  options.solver.contact_damping = options.solver.push_speed = options.solver.bounce_threshold = 0;
  options.sleep.speed = options.sleep.time = 0;
  World world(options);
  const WorldOptions &kept = world.options(), usual;
  EXPECT_EQ(kept.margin, usual.margin);
  EXPECT_EQ(kept.solver.rest_depth, usual.solver.rest_depth);
  EXPECT_EQ(kept.solver.contact_frequency, usual.solver.contact_frequency);
  EXPECT_EQ(kept.solver.contact_damping, 0);
  EXPECT_EQ(kept.solver.push_speed, 0);
  EXPECT_EQ(kept.solver.bounce_threshold, 0);
  EXPECT_EQ(kept.sleep.speed, 0);
  EXPECT_EQ(kept.sleep.time, 0);
  add_floor(world);
  const BodyId id =
      world
          .add({.shape = ball(), .pose = Pose::at({0, 0, 0.502}), .material = {.restitution = 0.8}})
          .value();
  double up = 0;
  for (int i = 0; i < 60; ++i) {
    world.step(frame);
    up = std::max(up, world.body(id)->velocity.z);
    ASSERT_TRUE(is_finite(world.pose(id)->position));
  }
  EXPECT_GT(up, 0.05); // metres a second: it fell at 0.2
}

TEST(World, ContactEventsBeginPersistEnd) {
  WorldOptions options = plain();
  options.persist_events = true;
  World world(options);
  const BodyId floor = add_floor(world);
  const BodyId a = world
                       .add({.shape = ball(),
                             .pose = Pose::at({0, 0, 1.5}),
                             .density = 1,
                             .material = {.restitution = 0.5}})
                       .value();
  int begins = 0, ends = 0;
  for (int i = 0; i < 60; ++i) {
    world.step(frame);
    for (const ContactEvent& e : world.events().contacts) {
      EXPECT_TRUE(e.a == floor && e.b == a);
      if (e.kind == EventKind::begin && begins++ == 0) {
        const double speed = std::sqrt(2 * gravity * 1);
        EXPECT_NEAR(e.approach_speed, speed, gravity * frame / 2); // known to within two sub-steps
        EXPECT_NEAR(e.impulse, world.body(a)->mass * speed * 1.5, 0.05 * e.impulse);
        EXPECT_NEAR(e.normal.z, 1, 1e-9);
        EXPECT_NEAR(e.point.z, 0, 0.02);
      }
      ends += e.kind == EventKind::end ? 1 : 0;
    }
  }
  EXPECT_GE(begins, 1);
  EXPECT_GE(ends, 1);
  run(world, 3);
  world.step(frame);
  ASSERT_EQ(world.events().contacts.size(), 1u);
  EXPECT_EQ(world.events().contacts[0].kind, EventKind::persist);
  EXPECT_NEAR(world.events().contacts[0].impulse, world.body(a)->mass * gravity * frame,
              0.02 * world.body(a)->mass * gravity * frame);
}

TEST(World, SensorsTellWhoEntersAndLeaves) {
  World world(plain());
  const BodyId gate =
      world.add({.shape = cube(1), .kind = BodyKind::fixed, .sensor = true}).value();
  const BodyId a = world.add({.shape = ball(), .pose = Pose::at({0, 0, 4})}).value();
  std::vector<EventKind> seen;
  for (int i = 0; i < 120; ++i) {
    world.step(frame);
    for (const SensorEvent& e : world.events().sensors) {
      EXPECT_TRUE(e.sensor == gate && e.visitor == a);
      seen.push_back(e.kind);
    }
    EXPECT_TRUE(world.events().contacts.empty());
  }
  EXPECT_EQ(seen, (std::vector{EventKind::begin, EventKind::end}));
  EXPECT_LT(position(world, a).z, -5);
}

TEST(World, FiltersDecideWhoMeets) {
  const auto lands = [](const Filter& f, const Filter& g) {
    World world(plain());
    world
        .add({.shape = Shape::box({5, 5, 0.5}).value(),
              .pose = Pose::at({0, 0, -0.5}),
              .kind = BodyKind::fixed,
              .filter = f})
        .value();
    const BodyId a =
        world.add({.shape = ball(), .pose = Pose::at({0, 0, 0.6}), .filter = g}).value();
    run(world, 1);
    return position(world, a).z > 0;
  };
  EXPECT_TRUE(lands({}, {}));
  EXPECT_FALSE(lands({.category = 2}, {.mask = 1}));
  EXPECT_FALSE(lands({.mask = 4}, {.category = 2}));
  EXPECT_TRUE(lands({.category = 2, .group = 3}, {.mask = 1, .group = 3}));
  EXPECT_FALSE(lands({.group = -3}, {.group = -3}));
}

TEST(World, HalfSpacesAreFloors) {
  World world(plain());
  world.add({.shape = Shape::half_space({0, 0, 1}, 0).value(), .kind = BodyKind::fixed}).value();
  const BodyId a = world.add({.shape = cube(), .pose = Pose::at({1000, 0, 1})}).value();
  run(world, 2);
  EXPECT_NEAR(position(world, a).z, 0.5, 0.005);
}

// --- The same bits

/// Hulls, balls and boxes fall on a heap.
World heap(bool with_others) {
  Random random(3);
  World world(plain());
  add_floor(world, {}, 20);
  std::vector<BodyId> gone;
  for (int i = 0; i < 60; ++i) {
    std::vector<Vec3> points;
    for (int k = 0; k < 12; ++k) points.push_back(random.direction() * 0.5);
    const Vec3 at = random.in_box({1.5, 1.5, 0.5}) + Vec3{0, 0, 1 + 0.25 * i};
    const Quat turn = random.rotation();
    if (with_others && i % 7 == 0)
      gone.push_back(world.add({.shape = ball(), .pose = Pose::at({0, 0, 900.0 + 3 * i})}).value());
    (void)world
        .add({.shape = i % 3 == 0   ? Shape::hull(points).value()
                       : i % 3 == 1 ? ball(0.4)
                                    : cube(0.4),
              .pose = {turn, at},
              .material = {.restitution = 0.2, .rolling_friction = 0.01}})
        .value();
  }
  return world;
}

TEST(Determinism, RunsRepeatAndCopiesGoOnTheSame) {
  World a = heap(false), b = heap(false);
  run(a, 1.5);
  World copy = a;
  run(a, 1);
  run(b, 2.5);
  run(copy, 1);
  EXPECT_EQ(a.hash(), b.hash());
  EXPECT_EQ(a.hash(), copy.hash());
}

TEST(Determinism, EveryWidthOfLanesGivesTheSame) {
  World reference = heap(false);
  run(reference, 2);
  for (const std::int64_t off : {HWY_AVX3 | HWY_AVX3_DL, HWY_AVX3 | HWY_AVX3_DL | HWY_AVX2,
                                 HWY_AVX3 | HWY_AVX3_DL | HWY_AVX2 | HWY_SSE4 | HWY_SSSE3}) {
    hwy::DisableTargets(off);
    World world = heap(false);
    run(world, 2);
    hwy::DisableTargets(0);
    EXPECT_EQ(world.hash(), reference.hash()) << off;
  }
}

TEST(Determinism, OthersFarAwayChangeNothing) {
  World a = heap(false), b = heap(true);
  run(a, 1.5);
  run(b, 1.5);
  // Bodies have other slots: compare by position.
  double sum_a = 0, sum_b = 0;
  for (std::uint32_t i = 0; i < a.bodies().slots(); ++i) sum_a += a.bodies()[i].pose.position.x;
  for (std::uint32_t i = 0; i < b.bodies().slots(); ++i)
    sum_b += b.bodies()[i].pose.position.z > 500 ? 0 : b.bodies()[i].pose.position.x;
  EXPECT_EQ(sum_a, sum_b);
}

/// A slot whose generations are used up is not used again: its first id would be that of a body long gone.
TEST(World, IdsDoNotWrap) {
  BodyStore bodies;
  const BodyDef def{.shape = cube()};
  const BodyId first = bodies.add(def).value(), other = bodies.add(def).value();
  JointStore joints;
  const JointId joint = joints.add(bodies, {.a = first, .b = other}).value();
  joints[joint.slot].generation = 0xffffffffU;
  joints.remove(bodies, joint.slot);
  EXPECT_NE(joints.add(bodies, {.a = first, .b = other})->slot, joint.slot);
  bodies[other.slot].generation = 0xffffffffU;
  bodies.remove(other.slot);
  EXPECT_NE(bodies.add(def)->slot, other.slot);
  bodies.remove(first.slot);
  EXPECT_EQ(bodies.add(def)->slot, first.slot);
}

} // namespace
} // namespace carom::test
