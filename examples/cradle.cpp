// The row of balls of the toy, with the classic solver that flies from event to event: a blow that runs through, and one that all take at once.
//   cradle [FOLDER]     the folder is for pictures; this example makes none
#include "carom/dynamics/classic/classic_world.h"

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  using namespace carom;
  bool good = true;
  for (const ImpulseOrder order : {ImpulseOrder::one_by_one, ImpulseOrder::at_once}) {
    ClassicWorld world({.gravity = {}, .solver = ClassicSolver::events, .impulses = order});
    const Shape ball = Shape::sphere(0.5).value();
    std::vector<BodyId> row;
    for (int i = 0; i < 4; ++i)
      row.push_back(world
                        .add({.shape = ball,
                              .pose = Pose::at({i == 0 ? -2.0 : 1.0001 * i, 0, 0}),
                              .material = {.friction = 0, .restitution = 1},
                              .velocity = {i == 0 ? 3.0 : 0.0, 0, 0}})
                        .value());
    const double before = world.energy();
    for (int i = 0; i < 90; ++i) world.step(1.0 / 60);
    std::printf("%s:", order == ImpulseOrder::one_by_one ? "one by one" : "all at once");
    for (const BodyId id : row) std::printf(" %6.3f", world.body(id)->velocity.x);
    std::printf(" m/s; energy %.4f of what it was, overlap %g\n", world.energy() / before,
                world.deepest_overlap());
    good = good && std::fabs(world.energy() / before - 1) < 0.01 && world.deepest_overlap() == 0;
  }
  return good ? 0 : 1;
}
