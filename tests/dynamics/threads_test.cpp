// The same bits, whatever number of threads a step is shared by.
#include "carom/dynamics/regions.h"
#include "carom/math/random.h"
#include "tests/dynamics/busy_scene.h"
#include "tests/dynamics/crowd_scene.h"
#include "tests/support/property.h"

#include <bit>
#include <thread>

namespace carom::test {
namespace {

/// A pile with many contacts of many colours, so that threads have something to share.
World heap() {
  World world;
  add_floor(world);
  for (int i = 0; i < 400; ++i) {
    const Vec3 at{0.55 * (i % 8), 0.55 * (i / 8 % 8), 0.3 + 0.52 * (i / 64)};
    (void)world.add({.shape = cube(0.25), .pose = Pose::at(at)}).value();
  }
  return world;
}

TEST(Threads, AHeapIsTheSameWithAnyNumber) {
  World alone = heap();
  std::vector<std::uint64_t> hashes;
  const int steps = static_cast<int>(fewer_when_sanitized(60));
  for (int i = 0; i < steps; ++i) {
    alone.step(frame);
    hashes.push_back(alone.hash());
  }
  for (const int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads, 0);
    World world = heap();
    for (int i = 0; i < steps; ++i) {
      world.step(frame, &pool);
      ASSERT_EQ(world.hash(), hashes[static_cast<std::size_t>(i)])
          << threads << " threads, step " << i;
    }
  }
}

/// So many that they are parted into four regions and more: some fall, some sleep until they are hit, and they slide from one region to the other.
World crowd_of_regions() {
  World world({.sleep = {.time = 0.1}});
  add_floor(world);
  Random random(5);
  for (int i = 0; i < 1100; ++i) {
    const bool rests = i < 300;
    const Vec3 at{0.32 * (i % 10), 0.32 * (i / 10 % 10),
                  0.15 + 0.32 * (i / 100) + (rests ? 0 : 0.5)};
    const Shape shape = i % 5 == 0 ? ball(0.15) : cube(0.15);
    (void)world
        .add({.shape = shape,
              .pose = Pose::at(at),
              .velocity = rests ? Vec3{} : random.in_ball() * 2 + Vec3{3, 0, 0},
              .awake = !rests})
        .value();
  }
  return world;
}

TEST(Threads, RegionsAreTheSameWithAnyNumber) {
  const int steps = static_cast<int>(fewer_when_sanitized(60));
  World alone = crowd_of_regions();
  std::vector<std::uint64_t> hashes;
  std::vector<std::byte> half_way;
  std::size_t most_regions = 0;
  for (int i = 0; i < steps; ++i) {
    if (i == steps / 2) half_way = alone.snapshot();
    alone.step(frame);
    hashes.push_back(alone.hash());
    most_regions = std::max(most_regions, Regions::wanted(alone.pair_count()));
  }
  EXPECT_GE(most_regions, 4u);
  const std::vector<std::byte> end = alone.snapshot();
  for (const int threads : {2, 3, 8}) {
    ThreadPool pool(threads, 0);
    World world = crowd_of_regions();
    for (int i = 0; i < steps; ++i) {
      world.step(frame, &pool);
      ASSERT_EQ(world.hash(), hashes[static_cast<std::size_t>(i)])
          << threads << " threads, step " << i;
    }
    EXPECT_EQ(world.snapshot(), end);
    // Where things stood in memory is not restored, and makes no difference.
    World restored = crowd_of_regions();
    ASSERT_TRUE(restored.restore(half_way));
    for (int i = steps / 2; i < steps; ++i) {
      restored.step(frame, &pool);
      ASSERT_EQ(restored.hash(), hashes[static_cast<std::size_t>(i)]) << "restored, step " << i;
    }
  }
}

/// Counts how often its threads are called for.
class Counting final : public Executor {
public:
  explicit Counting(std::size_t least) : least_(least) {}
  [[nodiscard]] int threads() const override { return 2; }
  [[nodiscard]] std::size_t least_pairs() const override { return least_; }
  void run(FunctionRef<void(int)> task) override {
    ++calls;
    for (int i = 0; i < 2; ++i) task(i);
  }
  int calls = 0;

private:
  std::size_t least_;
};

TEST(Threads, AreLeftAloneWhereThereIsLittleToDo) {
  World world = heap(), same = heap();
  Counting many(1), few(1000000), never(0);
  world.step(frame, &few);
  EXPECT_EQ(few.calls, 0);
  EXPECT_GT(world.pair_count(), 0u);
  world.step(frame, &many);
  EXPECT_EQ(many.calls, 1);
  for (int i = 0; i < 2; ++i) same.step(frame);
  EXPECT_EQ(world.hash(), same.hash());
  World empty;
  empty.step(frame, &many);
  EXPECT_EQ(many.calls, 1);
  empty.step(frame, &never);
  EXPECT_EQ(never.calls, 1);
}

/// All that a step tells.
std::uint64_t hash_of(const Events& events) {
  std::uint64_t h = 0;
  const auto add = [&](auto... numbers) {
    ((h = mix_bits(h, static_cast<std::uint64_t>(numbers))), ...);
  };
  const auto add_vec = [&](const Vec3& v) {
    for (int i = 0; i < 3; ++i) add(std::bit_cast<std::uint64_t>(v[i]));
  };
  for (const ContactEvent& e : events.contacts) {
    add(e.kind, e.a.slot, e.b.slot, e.shape_a, e.shape_b, std::bit_cast<std::uint64_t>(e.impulse),
        std::bit_cast<std::uint64_t>(e.approach_speed));
    add_vec(e.normal);
    add_vec(e.point);
  }
  for (const SensorEvent& e : events.sensors) add(e.kind, e.sensor.slot, e.visitor.slot);
  for (const SleepEvent& e : events.sleeps) add(e.body.slot, e.awake);
  for (const BodyId id : events.frozen) add(id.slot);
  for (const JointBreakEvent& e : events.breaks) add(e.joint.slot);
  return h;
}

TEST(Threads, ABusySceneIsTheSameWithAnyNumber) {
  for (const int threads : {2, 3, 8}) {
    ThreadPool pool(threads, 0);
    BusyScene alone(7), together(7);
    const int steps = static_cast<int>(fewer_when_sanitized(150));
    for (int i = 0; i < steps; ++i) {
      alone.step();
      together.step(&pool);
      ASSERT_EQ(together.world().hash(), alone.world().hash()) << threads << " threads, step " << i;
      ASSERT_EQ(hash_of(together.world().events()), hash_of(alone.world().events()));
    }
    EXPECT_EQ(together.world().snapshot(), alone.world().snapshot());
  }
}

TEST(Threads, ACrowdIsTheSameWithAnyNumber) {
  const int steps = static_cast<int>(fewer_when_sanitized(90));
  Crowd alone;
  std::vector<std::uint64_t> hashes, told;
  std::vector<std::size_t> queries;
  std::size_t wakes = 0, sensed = 0, stopped = 0;
  for (int i = 0; i < steps; ++i) {
    alone.step();
    hashes.push_back(alone.world().hash());
    told.push_back(hash_of(alone.world().events()));
    queries.push_back(alone.world().impact_queries());
    for (const SleepEvent& e : alone.world().events().sleeps) wakes += e.awake ? 1 : 0;
    sensed += alone.world().events().sensors.size();
    stopped += queries.back();
  }
  // It is what it is meant to be.
  EXPECT_GT(alone.world().pair_count(), 500u);
  EXPECT_GT(wakes, 0u);
  EXPECT_GT(sensed, 0u);
  EXPECT_GT(stopped, 0u);
  const std::vector<std::byte> snapshot = alone.world().snapshot();
  for (const int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads, 0);
    Crowd crowd;
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      crowd.step(&pool);
      ASSERT_EQ(crowd.world().hash(), hashes[i]) << threads << " threads, step " << i;
      ASSERT_EQ(hash_of(crowd.world().events()), told[i]) << threads << " threads, step " << i;
      ASSERT_EQ(crowd.world().impact_queries(), queries[i]) << threads << " threads, step " << i;
    }
    EXPECT_EQ(crowd.world().snapshot(), snapshot) << threads;
  }
}

/// Steps with and without threads may follow each other, and a restored world goes on with any number.
TEST(Threads, MayComeAndGo) {
  const int steps = static_cast<int>(fewer_when_sanitized(40));
  ThreadPool two(2, 0), three(3, 0);
  Crowd alone, changing;
  std::vector<std::byte> saved;
  for (int i = 0; i < steps; ++i) {
    alone.step();
    changing.step(i % 3 == 0 ? nullptr : i % 3 == 1 ? &two : &three);
    ASSERT_EQ(changing.world().hash(), alone.world().hash()) << i;
    if (i == steps / 2) saved = changing.world().snapshot();
  }
  World restored = changing.world();
  ASSERT_TRUE(restored.restore(saved));
  World copy = restored;
  for (int i = 0; i < 10; ++i) {
    restored.step(frame, &two);
    copy.step(frame);
    ASSERT_EQ(restored.hash(), copy.hash()) << i;
  }
}

/// Only the thread that steps calls what the user gave.
TEST(Threads, AFilterIsAskedByTheCallerAlone) {
  ThreadPool pool(3, 0);
  const auto caller = std::this_thread::get_id();
  std::vector<std::pair<std::uint64_t, std::uint64_t>> asked, asked_alone;
  const auto filter = [&](auto& list) {
    return [&list, caller](const WorldShape& a, const WorldShape& b) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      list.emplace_back(a.body.slot, b.body.slot);
      return (a.body.slot + b.body.slot) % 5 != 0;
    };
  };
  Crowd crowd, alone;
  crowd.world().set_pair_filter(filter(asked));
  alone.world().set_pair_filter(filter(asked_alone));
  for (int i = 0; i < static_cast<int>(fewer_when_sanitized(40)); ++i) {
    crowd.step(&pool);
    alone.step();
    ASSERT_EQ(crowd.world().hash(), alone.world().hash()) << i;
  }
  EXPECT_EQ(asked, asked_alone);
}

} // namespace
} // namespace carom::test
