// The classic methods for pairs of convex polytopes against our default (GJK, expanding polytope): the table of docs/convex-methods.md.
//
// Scenes: hulls of random points on the unit sphere at 500 random poses a case, as in convex.cpp; all cold. 'apart': translations uniform in ±3 on each axis, pairs that overlap left out;
// 'overlap' and 'depth': in ±1.2, mostly overlapping.
#include "bench/compare.h"
#include "carom/math/random.h"
#include "carom/query/chung_wang.h"
#include "carom/query/distance.h"
#include "carom/query/gauss_map_axes.h"
#include "carom/query/linear_program_overlap.h"
#include "carom/query/minkowski_walk.h"
#include "carom/query/overlap.h"
#include "carom/query/quadratic_program.h"
#include "carom/query/signed_distance.h"

#include <vector>

namespace carom::bench {
namespace {

constexpr std::size_t pose_count = 500;

struct PosePair {
  Pose a, b;
};

struct Scene {
  Shape a, b;
  std::vector<PosePair> near, apart;
};

Shape sphere_hull(std::size_t points, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec3> on_sphere;
  for (std::size_t i = 0; i < points; ++i) on_sphere.push_back(random.direction());
  return Shape::hull(on_sphere).value();
}

PosePair random_pose(Random& random, double reach) {
  PosePair p;
  p.a.rotation = random.rotation();
  p.b.rotation = random.rotation();
  p.b.position = random.in_box({reach, reach, reach});
  return p;
}

Scene make_scene(std::size_t points) {
  Scene scene{sphere_hull(points, 1), sphere_hull(points, 2), {}, {}};
  Random random(7);
  while (scene.near.size() < pose_count) scene.near.push_back(random_pose(random, 1.2));
  while (scene.apart.size() < pose_count) {
    const PosePair p = random_pose(random, 3);
    if (!overlap(scene.a, p.a, scene.b, p.b)) scene.apart.push_back(p);
  }
  return scene;
}

/// What a method answers for one pair, as a number.
template<class Method>
Work over(const Scene& scene, const std::vector<PosePair>& poses, Method method) {
  return [scene, poses, method] {
    double sum = 0;
    for (const PosePair& p : poses) sum += method(scene, p);
    return sum;
  };
}

const Polytope& polytope(const Shape& shape) { return std::get<Polytope>(shape.core()); }

void overlaps(const std::string& name, const Scene& scene, const std::vector<PosePair>& poses) {
  const Work ours = over(scene, poses, [](const Scene& s, const PosePair& p) {
    return overlap(s.a, p.a, s.b, p.b).hit ? 1.0 : 0.0;
  });
  compare(name + ", linear program", poses.size(),
          over(scene, poses,
               [](const Scene& s, const PosePair& p) {
                 return overlap_by_linear_program(polytope(s.a), p.a, polytope(s.b), p.b).hit ? 1.0
                                                                                              : 0.0;
               }),
          "our default", ours);
  compare(name + ", separating vector", poses.size(),
          over(scene, poses,
               [](const Scene& s, const PosePair& p) {
                 return overlap_by_separating_vector(polytope(s.a), p.a, polytope(s.b), p.b).hit
                            ? 1.0
                            : 0.0;
               }),
          "our default", ours);
}

void distances(const std::string& name, const Scene& scene) {
  compare(name + ", quadratic program", scene.apart.size(),
          over(scene, scene.apart,
               [](const Scene& s, const PosePair& p) {
                 return distance_by_quadratic_program(polytope(s.a), p.a, polytope(s.b), p.b).value;
               }),
          "our default", over(scene, scene.apart, [](const Scene& s, const PosePair& p) {
            return distance(s.a, p.a, s.b, p.b).value;
          }));
}

void depths(const std::string& name, const Scene& scene) {
  const Work ours = over(scene, scene.near, [](const Scene& s, const PosePair& p) {
    return signed_distance(s.a, p.a, s.b, p.b).value;
  });
  compare(name + ", Gauss map axes", scene.near.size(),
          over(scene, scene.near,
               [](const Scene& s, const PosePair& p) {
                 return signed_distance_by_axes(polytope(s.a), p.a, polytope(s.b), p.b).value;
               }),
          "our default", ours);
  const auto walk = [&](const std::string& how, const MinkowskiWalkOptions& options) {
    compare(name + ", walk" + how, scene.near.size(),
            over(scene, scene.near,
                 [options](const Scene& s, const PosePair& p) {
                   return depth_by_walk(polytope(s.a), p.a, polytope(s.b), p.b, options).depth;
                 }),
            "our default", ours);
  };
  walk("", {});
  walk(" to the first minimum", {.patience = 0});
  walk(" from 15 directions", {.starts = 15});
}

} // namespace
} // namespace carom::bench

int main(int argc, char** argv) {
  using namespace carom::bench;
  for (const std::size_t points : {16u, 64u, 256u}) {
    const std::string name = "hull" + std::to_string(points);
    const Scene scene = make_scene(points);
    overlaps(name + " overlap", scene, scene.near);
    overlaps(name + " apart", scene, scene.apart);
    distances(name + " distance", scene);
    depths(name + " depth", scene);
  }
  return carom::bench::main(argc, argv);
}
