// Writes a mesh in every format, reads it back, and says what each file keeps. Then a file with a mistake in it.
//   mesh_files [FOLDER]    writes FOLDER/house.obj and so on (default: out)
#include "carom/mesh/mesh_file.h"
#include "carom/mesh/triangulate.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <initializer_list>

using namespace carom;

namespace {

/// Four walls, a roof of two quads, two gables: 10 vertices, and faces of 3 and 4 corners; no floor.
PolygonMesh house() {
  PolygonMesh mesh;
  mesh.vertices = {{0, 0, 0}, {4, 0, 0}, {4, 6, 0}, {0, 6, 0},   {0, 0, 3},
                   {4, 0, 3}, {4, 6, 3}, {0, 6, 3}, {2, 0, 4.5}, {2, 6, 4.5}};
  const auto add = [&](std::initializer_list<std::uint32_t> corners, std::uint32_t material) {
    mesh.add_face({corners.begin(), corners.size()});
    mesh.materials.push_back(material);
  };
  mesh.material_names = {"brick", "tile"};
  mesh.parts = {{"walls", 0}, {"roof", 6}};
  add({0, 1, 5, 4}, 0);
  add({1, 2, 6, 5}, 0);
  add({2, 3, 7, 6}, 0);
  add({3, 0, 4, 7}, 0);
  add({4, 5, 8}, 0);
  add({6, 7, 9}, 0);
  add({5, 6, 9, 8}, 1);
  add({7, 4, 8, 9}, 1);
  return mesh;
}

bool print(const std::string& path) {
  const Result<PolygonMesh> mesh = load_mesh(path);
  if (!mesh) {
    std::printf("%s\n", mesh.error().message.c_str());
    return false;
  }
  std::printf("%s: %zu vertices, %zu faces, %zu parts, %s\n", path.c_str(), mesh->vertices.size(),
              mesh->face_count(), mesh->parts.size(),
              mesh->materials.empty() ? "no materials" : "materials");
  return true;
}

} // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "out";
  std::filesystem::create_directories(folder);
  bool good = true;
  for (const char* ending : {".obj", ".ply", ".off"}) {
    const std::string path = folder + "/house" + ending;
    const Result<void> saved = save_mesh(path, house());
    if (!saved) std::printf("%s\n", saved.error().message.c_str());
    good = saved && print(path) && good;
  }
  // STL has triangles only, and says so.
  const std::string stl = folder + "/house.stl";
  const Result<void> refused = save_mesh(stl, house());
  if (!refused) std::printf("%s\n", refused.error().message.c_str());
  good = save_mesh(stl, triangulated(house())) && print(stl) && good;
  // A mistake in a file comes with its line.
  const Result<PolygonMesh> bad =
      read_mesh("v 0 0 0\nv 1 0 0\nv 0 1,5 0\nf 1 2 3\n", MeshFormat::obj);
  if (!bad) std::printf("%s\n", bad.error().message.c_str());
  return good && !refused && !bad ? 0 : 1;
}
