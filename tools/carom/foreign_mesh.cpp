// What Assimp reads. It knows some forty formats; here it does nothing but parse, triangulate and place: vertices are not joined, and their order stays.
#include "tools/carom/mesh_input.h"
#include "tools/carom/session.h"
#include "tools/carom/text.h"

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace carom::tool {
namespace {

constexpr std::array<const char*, 9> endings = {".gltf",  ".glb", ".dae", ".fbx", ".3ds",
                                                ".blend", ".x3d", ".3mf", ".lwo"};

Vec3 placed(const aiMatrix4x4& m, const aiVector3D& v) {
  const aiVector3D p = m * v;
  return {p.x, p.y, p.z};
}

void add_mesh(PolygonMesh& out, const aiMesh& mesh, const aiMatrix4x4& place) {
  const auto base = static_cast<std::uint32_t>(out.vertices.size());
  for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
    out.vertices.push_back(placed(place, mesh.mVertices[v]));
  }
  const bool mirrored = place.Determinant() < 0;
  std::vector<std::uint32_t> corners;
  for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
    const aiFace& face = mesh.mFaces[f];
    if (face.mNumIndices < 3) continue; // points and lines
    corners.clear();
    for (unsigned c = 0; c < face.mNumIndices; ++c) corners.push_back(base + face.mIndices[c]);
    if (mirrored) std::reverse(corners.begin(), corners.end());
    out.add_face(corners);
  }
}

/// Parents before children, by a list: files may be nested as deep as they like.
void add_nodes(PolygonMesh& out, const aiScene& scene) {
  struct Placed {
    const aiNode* node;
    aiMatrix4x4 parent;
  };
  std::vector<Placed> open = {{scene.mRootNode, aiMatrix4x4()}};
  while (!open.empty()) {
    const Placed next = open.back();
    open.pop_back();
    const aiMatrix4x4 place = next.parent * next.node->mTransformation;
    const auto first = static_cast<std::uint32_t>(out.face_count());
    for (unsigned m = 0; m < next.node->mNumMeshes; ++m) {
      add_mesh(out, *scene.mMeshes[next.node->mMeshes[m]], place);
    }
    if (out.face_count() > first) out.parts.push_back({next.node->mName.C_Str(), first});
    for (unsigned c = next.node->mNumChildren; c-- > 0;) {
      open.push_back({next.node->mChildren[c], place});
    }
  }
}

} // namespace

bool is_foreign(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

PolygonMesh read_foreign_mesh(const std::string& path) {
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile(path, aiProcess_Triangulate);
  if (scene == nullptr || scene->mRootNode == nullptr) {
    fail(path, "cannot be read: " + printable(importer.GetErrorString()));
  }
  PolygonMesh mesh;
  add_nodes(mesh, *scene);
  const auto bad = std::find_if(mesh.vertices.begin(), mesh.vertices.end(), [](const Vec3& v) {
    return !(std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z));
  });
  if (bad != mesh.vertices.end()) {
    fail(path, "vertex " + std::to_string(bad - mesh.vertices.begin()) + " is not finite");
  }
  return mesh;
}

} // namespace carom::tool
