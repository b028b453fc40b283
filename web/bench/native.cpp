// Runs a scene of web/bench/scenes.mjs natively, on one thread, and prints nanoseconds of processor time a step and the world's hash.
//   carom_web_native FILE STEPS
// The file is doubles: for each body 0 box or 1 ball, three half lengths (x: the radius), position, velocity, density (0: fixed).
#include "carom/dynamics/world.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <vector>

int main(int argc, char** argv) {
  using namespace carom;
  if (argc != 3) return 2;
  std::ifstream file(argv[1], std::ios::binary);
  WorldOptions options;
  options.sleep.enabled = false;
  World world(options);
  double p[11];
  while (file.read(reinterpret_cast<char*>(p), sizeof p)) {
    const bool fixed = p[10] == 0;
    const Vec3 half{p[1], p[2], p[3]};
    BodyDef def;
    def.shape = p[0] == 0 ? Shape::box(half).value() : Shape::sphere(half.x).value();
    def.pose = Pose::at({p[4], p[5], p[6]});
    def.velocity = {p[7], p[8], p[9]};
    def.kind = fixed ? BodyKind::fixed : BodyKind::dynamic;
    def.density = fixed ? 1.0 : p[10];
    def.material.friction = 0.5;
    if (!world.add(def)) return 1;
  }
  const int steps = std::atoi(argv[2]);
  const std::clock_t start = std::clock();
  for (int i = 0; i < steps; ++i) world.step(1.0 / 60);
  const double time = static_cast<double>(std::clock() - start) * (1e9 / CLOCKS_PER_SEC);
  std::printf("%.1f %016llx\n", time / steps, static_cast<unsigned long long>(world.hash()));
  return 0;
}
