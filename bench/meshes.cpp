// Trees over meshes: rays against Embree (one ray a call, robust), building against Embree's (medium quality, one thread), nearest points against CGAL's AABB tree, pairs of meshes against FCL's
// OBBRSS trees.
//
// The meshes are those of CAROM_DATA (default ../shared/data): a bunny of 69,451 triangles, an ogre of 124,008. Without the folder a sphere with bumps stands in for
// each, and that is said. Embree computes in floats and its hits are rounded; ours are exact on the doubles. Scenes:
//   incoherent  from random points around the mesh to random points of its box: no two rays go the same way
//   camera      a picture of 316 x 316 pixels
//   closest     points within a tenth of the size around the box
//   env-rob     the robot anywhere in a cube of +-3000 inside its surroundings; do they meet, how far apart are they
//   bunny-bunny translated by up to 0.09 on each axis: do they meet, which triangles; and with 0.25 more on x: how far apart are they
// Both sides of a pair turn the quaternion into a matrix at each query. FCL's triangles are not decided exactly.
// Times are for one ray, point or pose, and for one triangle built.
#include "bench/mesh_cases.h"
#include "carom/mesh/mesh_file.h"
#include "tests/support/procedural_meshes.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace carom::bench {
namespace {

MeshRef load(const std::string& file, int divisions) {
  const char* named = std::getenv("CAROM_DATA");
  const std::filesystem::path path =
      std::filesystem::path(named ? named : "../shared/data") / "meshes" / (file + ".obj");
  if (auto mesh = load_mesh(path.string())) return make_mesh(*mesh);
  std::fprintf(stderr, "bench: no %s: a sphere with bumps instead\n", path.string().c_str());
  return make_mesh(test::sphere_mesh(divisions, 0.1));
}

void add_mesh(const std::string& name, const MeshRef& mesh) {
  add_rays(name + " incoherent", mesh, incoherent_rays(*mesh));
  add_rays(name + " camera", mesh, camera_rays(*mesh));
  add_build(name, mesh);
}

void add_pairs(const BothRef& bunny) {
  const auto env = for_both(load("env", 4));
  const auto rob = for_both(load("rob", 2));
  const std::vector<Pose> robot = random_poses(1000, 3000, {});
  add_overlap("env-rob", env, rob, robot);
  add_distance("env-rob", env, rob, {robot.begin(), robot.begin() + 300});
  const std::vector<Pose> near = random_poses(400, 0.09, {});
  add_overlap("bunny-bunny", bunny, bunny, near);
  add_contacts("bunny-bunny", bunny, bunny, {near.begin(), near.begin() + 40});
  add_distance("bunny-bunny", bunny, bunny, random_poses(60, 0.09, {0.25, 0, 0}));
}

} // namespace
} // namespace carom::bench

int main(int argc, char** argv) {
  using namespace carom::bench;
  const MeshRef bunny = load("stanford-bunny", 6);
  add_mesh("bunny", bunny);
  add_closest("bunny", bunny);
  add_mesh("ogre", load("ogre", 7));
  add_pairs(for_both(bunny));
  return carom::bench::main(argc, argv);
}
