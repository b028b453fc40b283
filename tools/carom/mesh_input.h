// Meshes from files of any format: OBJ, STL, PLY and OFF by the library, in double and as they are; glTF, COLLADA, FBX, 3DS and others by Assimp, in float.
#pragma once

#include "carom/mesh/mesh_file.h"

#include <optional>
#include <string>

namespace carom::tool {

struct MeshInput {
  std::string path;
  PolygonMesh mesh;                     ///< not empty
  std::optional<MeshFileReport> report; ///< where the library read it
};

/// Fails, naming the file and the reason: it is missing, a folder, empty, cut short, or no mesh.
[[nodiscard]] MeshInput read_mesh_file(const std::string& path);

/// "glTF, COLLADA ...", by the ending of the name: whether Assimp is asked.
[[nodiscard]] bool is_foreign(const std::string& path);
/// By Assimp: all nodes of the scene in its place, one part for each. Fails as above.
[[nodiscard]] PolygonMesh read_foreign_mesh(const std::string& path);

/// The bytes of a file of the format that the name ends with. Faces are cut into triangles where it is STL. Fails where it cannot be written so.
[[nodiscard]] std::string mesh_bytes(const std::string& path, const PolygonMesh& mesh);
/// Fails where the name ends with no format that can be written; asked before long work.
void check_mesh_name(const std::string& path);

} // namespace carom::tool
