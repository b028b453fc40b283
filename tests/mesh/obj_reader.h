// The vertices and faces of an OBJ file among the external data, and nothing else of it.
#pragma once

#include "carom/mesh/polygon_mesh.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace carom::test {

/// meshes/NAME.obj in the folder that CAROM_DATA names; nothing where there is none.
inline std::optional<PolygonMesh> data_mesh(const std::string& name) {
  const char* folder = std::getenv("CAROM_DATA");
  std::ifstream file((folder ? std::string(folder) : "../shared/data") + "/meshes/" + name +
                     ".obj");
  if (!file) return std::nullopt;
  PolygonMesh mesh;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "v") {
      Vec3 v;
      words >> v.x >> v.y >> v.z;
      mesh.vertices.push_back(v);
    } else if (word == "f") {
      std::vector<std::uint32_t> corners;
      for (std::string corner; words >> corner;) {
        const int i = std::stoi(corner);
        corners.push_back(
            static_cast<std::uint32_t>(i > 0 ? i - 1 : static_cast<int>(mesh.vertices.size()) + i));
      }
      mesh.add_face(corners);
    }
  }
  return mesh;
}

} // namespace carom::test
