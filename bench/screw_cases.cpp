// Impacts along screws by cubics, beside directional advancement from the same pose to the same: hulls of 32 points on the unit sphere, and rocks of 2,048 triangles, that come toward each other and turn by up to a quarter.
// The ways between the poses differ a little (a screw; a straight line of the centre): only pairs count that meet on both.
#include "bench/compare.h"
#include "bench/motion_cases.h"
#include "carom/math/random.h"
#include "carom/math/trig.h"
#include "carom/motion/screw_impact.h"
#include "carom/motion/time_of_impact.h"
#include "carom/query/overlap.h"
#include "tests/support/procedural_meshes.h"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace carom::bench {
namespace {

struct Sweep {
  Shape a, b;
  Pose from, to, pose_b;
};

TimeOfImpact by_cubics(const Sweep& s) {
  return screw_impact(s.a, screw_between(s.from, s.to), s.b, s.pose_b);
}
TimeOfImpact by_advancement(const Sweep& s) {
  return time_of_impact(s.a, Motion::between(s.from, s.to), s.b, Motion::rest(s.pose_b));
}

/// `name`: the case; `count` sweeps of shapes of about unit size.
void add_case(const std::string& name, const std::vector<Shape>& shapes, std::size_t count) {
  Random random(23);
  auto sweeps = std::make_shared<std::vector<Sweep>>();
  double pairs = 0;
  while (sweeps->size() < count) {
    Sweep s{shapes[random.below(shapes.size())], shapes[random.below(shapes.size())], {}, {}, {}};
    s.from.rotation = random.rotation();
    s.pose_b.rotation = random.rotation();
    for (int i = 0; i < 3; ++i) s.pose_b.position[i] = random.uniform(-4, 4);
    if (overlap(s.a, s.from, s.b, s.pose_b).hit) continue;
    const Vec3 off = random.direction();
    const Vec3 axis = random.direction();
    s.to = {Quat::from_axis_angle(axis, random.uniform(0, half_pi)) * s.from.rotation,
            s.pose_b.position + off};
    const TimeOfImpact i = by_cubics(s);
    if (!i.hit || !by_advancement(s).hit) continue;
    pairs += i.iterations;
    sweeps->push_back(s);
  }
  std::fprintf(stderr, "%s: %.0f cubics a sweep\n", name.c_str(),
               pairs / static_cast<double>(count));
  const auto sum = [sweeps](auto&& impact) {
    return [sweeps, impact] {
      double total = 0;
      for (const Sweep& s : *sweeps) total += impact(s).t;
      return total;
    };
  };
  compare(name, count, sum(by_cubics), "directional advancement", sum(by_advancement));
}

} // namespace

void add_screw_cases() {
  Random random(17);
  std::vector<Shape> hulls, rocks;
  for (int i = 0; i < 16; ++i) {
    std::vector<Vec3> points;
    for (int k = 0; k < 32; ++k) points.push_back(random.direction());
    hulls.push_back(Shape::hull(points).value());
  }
  rocks.push_back(Shape::mesh(test::sphere_mesh(4, 0.2)).value());
  add_case("impact screw hull32", hulls, 200);
  add_case("impact screw mesh", rocks, 50);
}

} // namespace carom::bench
