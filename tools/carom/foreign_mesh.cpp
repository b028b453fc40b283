// What Assimp reads. It knows some forty formats; here it does nothing but parse, triangulate and place: vertices are not joined, and their order stays.
#include "tools/carom/mesh_input.h"
#include "tools/carom/session.h"
#include "tools/carom/text.h"

#include <assimp/DefaultLogger.hpp>
#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

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

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

/// Of a GLB file that is cut short Assimp would say that it knows no such format.
void check_glb_length(const std::string& path) {
  std::array<unsigned char, 12> head{}; // "glTF", version, length of the file, each of four bytes
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(head.data()), head.size());
  const auto read = static_cast<std::size_t>(file.gcount());
  if (!std::equal(head.begin(), head.begin() + std::min<std::size_t>(read, 4), "glTF")) {
    fail(path, "it is not GLB: it should begin with 'glTF'");
  }
  std::uint64_t length = 0;
  for (std::size_t i = 4; i-- > 0;) length = length << 8U | head[8 + i];
  const std::uint64_t there = std::filesystem::file_size(path);
  if (read < head.size() || there < length) {
    fail(path, "the file is cut short: it has " + counted(there, "byte") +
                   (read < head.size() ? "" : " of " + std::to_string(length)));
  }
}

/// Assimp leaves out faces with corners that do not exist, and says so nowhere but in its log. That is one for the whole program; what a thread reads, it writes in that thread.
class DroppedFaces : public Assimp::Logger {
public:
  static void listen() {
    static DroppedFaces logger;
    static const bool set = (Assimp::DefaultLogger::set(&logger), true); // once, for good
    static_cast<void>(set);
    heard_ = false;
  }
  [[nodiscard]] static bool heard() { return heard_; }

  bool attachStream(Assimp::LogStream*, unsigned) override { return false; }
  bool detachStream(Assimp::LogStream*, unsigned) override { return false; }

private:
  void OnWarn(const char* message) override {
    if (std::strstr(message, "out-of-range indices") != nullptr) heard_ = true;
  }
  void OnDebug(const char*) override {}
  void OnVerboseDebug(const char*) override {}
  void OnInfo(const char*) override {}
  void OnError(const char*) override {}

  static thread_local bool heard_;
};
thread_local bool DroppedFaces::heard_ = false;

} // namespace

bool is_foreign(const std::string& path) {
  return std::find(endings.begin(), endings.end(), ending_of(path)) != endings.end();
}

PolygonMesh read_foreign_mesh(const std::string& path) {
  if (ending_of(path) == ".glb") check_glb_length(path);
  Assimp::Importer importer;
  DroppedFaces::listen();
  const aiScene* scene = importer.ReadFile(path, aiProcess_Triangulate);
  if (scene == nullptr || scene->mRootNode == nullptr) {
    fail(path, "cannot be read: " + printable(importer.GetErrorString()));
  }
  if (DroppedFaces::heard()) fail(path, "a face has a corner that does not exist");
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
