// A tower of boxes, a ball that hits it, and what the world tells about it.
//   stack [FOLDER]      the folder is for pictures; this example makes none
#include "carom/dynamics/world.h"

#include <cstdio>
#include <vector>

int main() {
  using namespace carom;
  World world;
  const Shape slab = Shape::box({20, 20, 0.5}).value();
  const Shape crate = Shape::box({0.5, 0.5, 0.5}).value();
  if (!world.add({.shape = slab, .pose = Pose::at({0, 0, -0.5}), .kind = BodyKind::fixed}))
    return 1;
  std::vector<BodyId> tower;
  tower.reserve(8);
  for (int i = 0; i < 8; ++i)
    tower.push_back(world.add({.shape = crate, .pose = Pose::at({0, 0, 0.5 + i})}).value());

  for (int i = 0; i < 180; ++i) world.step(1.0 / 60);
  std::printf("after 3 s the top is at %.3f m, %zu bodies are awake\n",
              world.pose(tower.back())->position.z, world.active_count());

  const BodyId ball = world
                          .add({.shape = Shape::sphere(0.6).value(),
                                .pose = Pose::at({-6, 0, 4}),
                                .density = 3000,
                                .velocity = {15, 0, 2}})
                          .value();
  double hardest = 0;
  for (int i = 0; i < 600; ++i) {
    world.step(1.0 / 60);
    for (const ContactEvent& e : world.events().contacts)
      if (e.kind == EventKind::begin && (e.a == ball || e.b == ball) && e.impulse > hardest)
        hardest = e.impulse;
  }
  int standing = 0;
  for (std::size_t i = 0; i < tower.size(); ++i) {
    const double off = world.pose(tower[i])->position.z - (0.5 + static_cast<double>(i));
    standing += off > -0.05 && off < 0.05 ? 1 : 0;
  }
  std::printf("the ball struck with %.0f N s; %d of %zu boxes stand where they were\n", hardest,
              standing, tower.size());
  return hardest > 0 && standing < 8 ? 0 : 1;
}
