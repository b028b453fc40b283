// A world as bytes: the future is the same to the bit, and bytes that are not sound are refused.
#include "carom/dynamics/snapshot.h"
#include "tests/dynamics/busy_scene.h"

#include <cstring>

namespace carom::test {
namespace {

using Bytes = std::vector<std::byte>;

/// What a step has told, as a number.
std::uint64_t told(const Events& events) {
  std::uint64_t h = events.frozen.size();
  for (const ContactEvent& e : events.contacts) {
    h = mix_bits(h, static_cast<std::uint64_t>(e.kind) + e.a.slot * 8ULL + e.b.slot * 65536ULL);
    h = mix_bits(h, std::bit_cast<std::uint64_t>(e.impulse));
    h = mix_bits(h, std::bit_cast<std::uint64_t>(e.point.x));
  }
  for (const SensorEvent& e : events.sensors)
    h = mix_bits(h, static_cast<std::uint64_t>(e.kind) + e.sensor.slot * 8ULL +
                        e.visitor.slot * 65536ULL);
  for (const SleepEvent& e : events.sleeps) h = mix_bits(h, e.body.slot * 2ULL + (e.awake ? 1 : 0));
  return h;
}

TEST(Snapshot, RollbackOfSixtyStepsInABusyScene) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    Random random(seed + 100);
    BusyScene scene(seed);
    const auto first = 20 + random.below(200);
    for (std::uint64_t i = 0; i < first; ++i) scene.step();
    const Bytes then = scene.world().snapshot();
    BusyScene again = scene; // the same changes to come; its world is to be one made of bytes
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 60; ++i) {
      scene.step();
      hashes.push_back(mix_bits(scene.world().hash(), told(scene.world().events())));
    }
    const Bytes later = scene.world().snapshot();
    // The world that has gone on goes back.
    again.world() = scene.world();
    ASSERT_TRUE(again.world().restore(then)) << "seed " << seed;
    EXPECT_EQ(again.world().snapshot(), then) << "seed " << seed;
    for (std::size_t i = 0; i < 60; ++i) {
      again.step();
      ASSERT_EQ(mix_bits(again.world().hash(), told(again.world().events())), hashes[i])
          << "seed " << seed << ", step " << i << " after the snapshot";
    }
    EXPECT_EQ(again.world().snapshot(), later) << "seed " << seed;
  }
}

TEST(Snapshot, AnotherWorldGoesOnFromIt) {
  const Shape box = cube(0.3), round = ball(0.3);
  World world;
  add_floor(world);
  for (int i = 0; i < 20; ++i)
    (void)world
        .add({.shape = i % 2 == 0 ? box : round, .pose = Pose::at({0.01 * i, 0, 0.5 + 0.7 * i})})
        .value();
  run(world, 1);
  const Bytes bytes = world.snapshot();
  World other({.gravity = {0, 0, 1}, .margin = 0.1});       // options are in it, too
  EXPECT_FALSE(other.restore(bytes));                       // has no shapes
  (void)other.add_shape(Shape::box({50, 50, 0.5}).value()); // the floor's, made again
  (void)other.add_shape(round);
  (void)other.add_shape(box);
  EXPECT_FALSE(other.restore(bytes)); // in another order
  World third;
  (void)third.add_shape(Shape::box({50, 50, 0.5}).value());
  (void)third.add_shape(box);
  (void)third.add_shape(round);
  ASSERT_TRUE(third.restore(bytes));
  EXPECT_EQ(third.body_count(), 21u);
  run(world, 3);
  run(third, 3);
  EXPECT_EQ(world.hash(), third.hash());
  EXPECT_EQ(world.active_count(), third.active_count());
}

TEST(Snapshot, ShapesOfRemovedBodiesAreKeptUntilForgotten) {
  World world;
  const BodyId a = world.add({.shape = cube(0.3)}).value();
  const Bytes bytes = world.snapshot();
  ASSERT_TRUE(world.remove(a));
  ASSERT_TRUE(world.restore(bytes));
  EXPECT_TRUE(world.contains(a));
  ASSERT_TRUE(world.remove(a));
  world.forget_unused_shapes();
  EXPECT_FALSE(world.restore(bytes));
  EXPECT_EQ(world.body_count(), 0u);
}

TEST(Snapshot, IsSmall) {
  World world;
  add_floor(world);
  const Shape box = cube(0.3);
  for (int i = 0; i < 100; ++i)
    (void)world.add({.shape = box, .pose = Pose::at({i % 10 * 1.0, i / 10 * 1.0, 0.3})}).value();
  run(world, 1);
  // A body, its box, and a manifold of four points with the floor.
  EXPECT_LT(world.snapshot().size(), 100u * 1000);
  RecordProperty("bytes_a_body", static_cast<int>(world.snapshot().size() / 100));
}

void seal(Bytes& bytes) {
  const std::uint64_t sum = snapshot_check_sum(bytes);
  if (bytes.size() >= 8) std::memcpy(bytes.data() + bytes.size() - 8, &sum, 8);
}

TEST(Snapshot, ForeignAndDamagedBytesAreRefused) {
  BusyScene scene(3);
  for (int i = 0; i < 60; ++i) scene.step();
  World& world = scene.world();
  const Bytes good = world.snapshot();
  const std::uint64_t before = world.hash();
  EXPECT_FALSE(world.restore({}));
  EXPECT_FALSE(world.restore(Bytes(1000)));
  for (std::size_t size = 0; size < good.size(); size += 1 + size / 7)
    EXPECT_FALSE(world.restore(std::span(good).first(size))) << size;
  Random random(1);
  for (std::uint64_t i = 0; i < 300; ++i) {
    Bytes bad = good;
    const std::size_t at = random.below(bad.size());
    bad[at] = static_cast<std::byte>(static_cast<unsigned>(bad[at]) ^ (1 + random.below(255)));
    EXPECT_FALSE(world.restore(bad)) << i;
  }
  EXPECT_EQ(world.hash(), before);
  ASSERT_TRUE(world.restore(good));
}

/// The check sum made right: then the numbers themselves are looked at. What is let through must do no harm.
TEST(Snapshot, ForgedBytesDoNoHarm) {
  BusyScene scene(4);
  for (int i = 0; i < 60; ++i) scene.step();
  const Bytes good = scene.world().snapshot();
  std::uint64_t taken = 0;
  for (std::uint64_t seed = 1; seed <= fewer_when_sanitized(400); ++seed) {
    Random random(seed);
    Bytes bad = good;
    for (std::uint64_t k = 1 + random.below(4); k > 0; --k) {
      const std::size_t at = random.below(bad.size());
      bad[at] = static_cast<std::byte>(random.below(256));
    }
    if (random.below(8) == 0) bad.resize(random.below(bad.size()));
    seal(bad);
    World world = scene.world();
    if (!world.restore(bad)) continue;
    ++taken;
    for (int i = 0; i < 3; ++i) world.step(frame);
    for (std::uint32_t i = 0; i < world.bodies().slots(); ++i)
      ASSERT_TRUE(is_finite(world.bodies()[i].pose.position)) << seed;
  }
  EXPECT_GT(taken, 0u);
}

/// What is set in motion toward a seam, from beside it: a world made of bytes looks at all its pairs, the other only at those that have moved. That must not decide whether the seam is welded.
TEST(Snapshot, ASeamIsWeldedOrNotWhoeverLooks) {
  World world;
  add_floor(world);
  const Shape tile = Shape::box({1, 1, 0.25}).value();
  for (const double x : {-1.0, 1.0})
    (void)world
        .add({.shape = tile, .pose = Pose::at({x, 0, 0.25}), .density = 5000, .can_sleep = false})
        .value();
  const BodyId slider =
      world.add({.shape = cube(0.1), .pose = Pose::at({-0.11, 0, 0.6}), .can_sleep = false})
          .value();
  run(world, 1);
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(world.set_velocity(slider, {0.06, 0, 0}, {}));
    World twin = world;
    ASSERT_TRUE(twin.restore(world.snapshot()));
    for (World* w : {&world, &twin}) run(*w, 1.0 / 60);
    ASSERT_EQ(world.snapshot(), twin.snapshot()) << "step " << i;
  }
}

/// A ball and a box that pass each other without a touch: who was restored looks at them anew, and must find nothing to note.
TEST(Snapshot, ARoundPairWithoutPointsStaysAsItIs) {
  World world;
  (void)world
      .add(
          {.shape = ball(0.4), .pose = Pose::at({-2.44, 1.32, -0.78}), .kind = BodyKind::kinematic})
      .value();
  (void)world.add({.shape = cube(), .pose = Pose::at({-1.68, 2.14, -0.08})}).value();
  world.step(frame);
  ASSERT_EQ(world.pair_count(), 1u);
  World twin = world;
  ASSERT_TRUE(twin.restore(world.snapshot()));
  for (int i = 0; i < 4; ++i) {
    world.step(frame);
    twin.step(frame);
    ASSERT_EQ(world.snapshot(), twin.snapshot()) << i;
  }
}

} // namespace
} // namespace carom::test
