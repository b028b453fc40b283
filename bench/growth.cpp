// How the cost of meshes grows with their triangles: a sphere with bumps, of 2,048 to 524,288 triangles (2 million with --large), and what the peers take. With --plot FILE as a picture.
//
// The scenes are those of the bench `meshes`: rays, nearest points, building (for one triangle), and two spheres at random poses, overlapping or a quarter of their size apart.
#include "bench/mesh_cases.h"
#include "tests/support/procedural_meshes.h"

#include <cstring>

namespace carom::bench {
namespace {

void add_size(int divisions) {
  const MeshRef mesh = make_mesh(test::sphere_mesh(divisions, 0.1));
  const std::string size = std::to_string(mesh->triangles.size());
  add_rays(size, mesh, incoherent_rays(*mesh));
  add_build(size, mesh);
  add_closest(size, mesh);
  const BothRef both = for_both(mesh);
  add_overlap(size, both, both, random_poses(100, 1, {}));
  add_contacts(size, both, both, random_poses(5, 1, {}));
  add_distance(size, both, both, random_poses(20, 1, {3.5, 0, 0}));
}

} // namespace
} // namespace carom::bench

int main(int argc, char** argv) {
  int last = 8;
  if (argc > 1 && std::strcmp(argv[1], "--large") == 0) {
    last = 9;
    --argc;
    ++argv;
  }
  for (int divisions = 4; divisions <= last; ++divisions) carom::bench::add_size(divisions);
  return carom::bench::main(argc, argv);
}
