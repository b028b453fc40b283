// Coordinates that motion leaves just beside 0 are 0: queries refuse what is below their range, and bodies passed through each other.
#include "tests/dynamics/scenes.h"

#include "carom/math/tolerance.h"

namespace carom::test {
namespace {

TEST(TinyCoordinates, DoNotKeepBodiesFromTouching) {
  World world(plain({}));
  // A velocity aside that moves it by 1e-33 a step.
  const BodyId moving =
      world.add({.shape = ball(), .pose = Pose::at({-2, 0, 0}), .velocity = {3, 6e-32, 0}}).value();
  const BodyId still = world.add({.shape = ball(), .pose = Pose::at({0, 0, 0})}).value();
  run(world, 2);
  EXPECT_GT(velocity(world, still).x, 1);
  EXPECT_LT(position(world, moving).x, position(world, still).x - 0.9);
  const Vec3 p = position(world, moving);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(tolerance::is_coordinate(p[i])) << p[i];
}

} // namespace
} // namespace carom::test
