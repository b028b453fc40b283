#include "tools/carom/clash_parts.h"

#include "carom/shape/composite.h"
#include "tools/carom/parallel.h"
#include "tools/carom/session.h"
#include "tools/carom/text.h"

#include <algorithm>
#include <map>
#include <optional>

namespace carom::tool {
namespace {

/// Some faces of a mesh, with the vertices that they need.
PolygonMesh extracted(const PolygonMesh& mesh, const std::vector<std::uint32_t>& faces) {
  PolygonMesh out;
  std::map<std::uint32_t, std::uint32_t> number;
  std::vector<std::uint32_t> corners;
  for (const std::uint32_t f : faces) {
    corners.clear();
    for (const std::uint32_t v : mesh.face(f)) {
      const auto [place, added] =
          number.emplace(v, static_cast<std::uint32_t>(out.vertices.size()));
      if (added) out.vertices.push_back(mesh.vertices[v]);
      corners.push_back(place->second);
    }
    out.add_face(corners);
  }
  return out;
}

struct NamedMesh {
  std::string name;
  PolygonMesh mesh;
};

std::vector<NamedMesh> taken_apart(MeshInput&& input, Split split) {
  const std::vector<FilePart> parts = file_parts(input, split);
  const std::string file = printable(input.path);
  if (parts.empty()) fail(input.path, "it has no faces");
  if (parts.size() == 1) return {{file, std::move(input.mesh)}};
  std::vector<NamedMesh> meshes;
  for (const FilePart& part : parts) {
    meshes.push_back({file + ": " + part.name, extracted(input.mesh, part.faces)});
  }
  return meshes;
}

/// Direction n at a vertex such that the least n . normal of the faces there is great: each step turns it toward the face that it agrees with least.
Vec3 common_normal(const std::vector<Vec3>& normals, double& least) {
  Vec3 n;
  for (const Vec3& normal : normals) n = n + normal;
  Vec3 best;
  least = -1;
  for (int step = 0; step < 32 && length(n) > 0 && least <= 0.5; ++step) {
    n = n / length(n);
    const Vec3* worst = &normals.front();
    for (const Vec3& normal : normals) {
      if (dot(n, normal) < dot(n, *worst)) worst = &normal;
    }
    if (dot(n, *worst) > least) {
      least = dot(n, *worst);
      best = n;
    }
    n = n + *worst * (1.0 / (step + 2));
  }
  return best;
}

bool before(const Vec3& a, const Vec3& b) {
  return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

} // namespace

Shape shrunk(const Shape& solid, double most) {
  const auto* mesh = body_of<TriangleMesh>(solid);
  if (mesh == nullptr || !mesh->solid()) return solid;
  // Vertices in one place move as one.
  std::map<Vec3, std::vector<Vec3>, bool (*)(const Vec3&, const Vec3&)> normals(before);
  const TriangleSurface surface = mesh->surface();
  for (std::size_t t = 0; t < surface.size(); ++t) {
    const Triangle triangle = surface[t];
    const Vec3 normal = cross(triangle.b - triangle.a, triangle.c - triangle.a);
    if (length(normal) == 0) continue;
    for (const Vec3& v : {triangle.a, triangle.b, triangle.c}) {
      normals[v].push_back(normal / length(normal));
    }
  }
  std::vector<Vec3> vertices(mesh->vertices().begin(), mesh->vertices().end());
  for (Vec3& v : vertices) {
    const auto found = normals.find(v);
    if (found == normals.end()) continue;
    double least = 0;
    const Vec3 n = common_normal(found->second, least);
    v = v - n * (least > 0.5 ? most / 2 / least : most);
  }
  Result<Shape> moved = solid.deformed(vertices);
  return moved ? *moved : solid;
}

std::vector<Part> load_parts(const std::vector<std::string>& files, Split split, unsigned threads) {
  std::vector<std::vector<NamedMesh>> read(files.size());
  {
    Progress progress("reading", files.size());
    parallel_for(files.size(), threads, progress,
                 [&](std::size_t i) { read[i] = taken_apart(read_mesh_file(files[i]), split); });
  }
  std::vector<NamedMesh> meshes;
  for (auto& list : read) {
    std::move(list.begin(), list.end(), std::back_inserter(meshes));
  }
  UniqueNames names; // a file may be named twice
  for (NamedMesh& mesh : meshes) mesh.name = names.take(mesh.name);
  std::vector<std::optional<Part>> built(meshes.size());
  Progress progress("building", meshes.size());
  parallel_for(meshes.size(), threads, progress, [&](std::size_t i) {
    const Result<Shape> shape = Shape::mesh(
        meshes[i].mesh, {.body = MeshOptions::Body::automatic, .tree = {}, .inner_pieces = 0});
    if (!shape) fail(meshes[i].name, shape.error().message);
    const auto* mesh = body_of<TriangleMesh>(*shape);
    built[i] = Part{meshes[i].name, *shape, mesh->surface().size(), mesh->solid()};
  });
  std::vector<Part> parts;
  for (auto& part : built) parts.push_back(std::move(*part));
  return parts;
}

} // namespace carom::tool
