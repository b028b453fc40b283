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
    ThreadPool pool(threads);
    World world = heap();
    for (int i = 0; i < steps; ++i) {
      world.step(frame, &pool);
      ASSERT_EQ(world.hash(), hashes[static_cast<std::size_t>(i)])
          << threads << " threads, step " << i;
    }
  }
}

TEST(Threads, ABusySceneIsTheSameWithAnyNumber) {
  for (const int threads : {2, 3, 8}) {
    ThreadPool pool(threads);
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
