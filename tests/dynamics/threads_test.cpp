// The same bits, whatever number of threads a step is shared by.
#include "tests/dynamics/busy_scene.h"
#include "tests/support/property.h"

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

TEST(Threads, ABusySceneIsTheSameWithAnyNumber) {
  for (const int threads : {2, 3, 8}) {
    ThreadPool pool(threads, 0);
    BusyScene alone(7), together(7);
    const int steps = static_cast<int>(fewer_when_sanitized(150));
    for (int i = 0; i < steps; ++i) {
      alone.step();
      together.step(&pool);
      ASSERT_EQ(together.world().hash(), alone.world().hash()) << threads << " threads, step " << i;
      ASSERT_EQ(together.world().events().contacts.size(), alone.world().events().contacts.size());
    }
    EXPECT_EQ(together.world().snapshot(), alone.world().snapshot());
  }
}

} // namespace
} // namespace carom::test
