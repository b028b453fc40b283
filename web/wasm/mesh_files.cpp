// Mesh files, as triangles.
#include "web/wasm/mesh_files.h"

#include "carom/mesh/mesh_file.h"
#include "carom/mesh/triangulate.h"
#include "web/wasm/interface.h"

#include <algorithm>
#include <cstdint>

namespace carom::web {
namespace {

/// Its longest side is `size` long afterwards, its middle at the origin.
void fit(std::vector<Vec3>& vertices, double size) {
  if (vertices.empty()) return;
  Vec3 low = vertices[0], high = vertices[0];
  for (const Vec3& v : vertices) {
    low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
    high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
  }
  const Vec3 side = high - low;
  const double longest = std::max({side.x, side.y, side.z});
  if (!(longest > 0)) return;
  const Vec3 middle = (low + high) * 0.5;
  for (Vec3& v : vertices) v = (v - middle) * (size / longest);
}

PolygonMesh& last_mesh() {
  static PolygonMesh mesh;
  return mesh;
}

} // namespace

NamedFile file_in_text(int name_bytes, int bytes) {
  const std::string_view all = text();
  const auto name = static_cast<std::size_t>(name_bytes);
  return {all.substr(0, name), all.substr(name, static_cast<std::size_t>(bytes))};
}

Result<PolygonMesh> read_mesh_file(const NamedFile& file) {
  auto format = mesh_format_of_content(file.bytes);
  if (!format) format = mesh_format_of_name(file.name);
  if (!format)
    return failure(ErrorCode::bad_file, "The name ends with none of .obj, .stl, .ply, .off.");
  return read_mesh(file.bytes, *format);
}

/// A file is in the text: its name, then its bytes. `size`, where it is not 0: how long the longest side shall be. In the buffer afterwards: where the vertices
/// are (doubles) and how many, where the triangles are and how many.
CAROM_EXPORT int carom_mesh_file(int name_bytes, int bytes, double size) {
  const Result<PolygonMesh> mesh = read_mesh_file(file_in_text(name_bytes, bytes));
  if (!mesh) return fail(mesh.error().message);
  last_mesh() = triangulated(*mesh);
  PolygonMesh& triangles = last_mesh();
  if (triangles.face_count() == 0) return fail("There is no polygon in it.");
  if (size > 0) fit(triangles.vertices, size);
  const auto address = [](const void* p) {
    return static_cast<double>(reinterpret_cast<std::uintptr_t>(p));
  };
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  Writer(buffer()) << address(triangles.vertices.data())
                   << static_cast<double>(triangles.vertices.size())
                   << address(triangles.corners.data())
                   << static_cast<double>(triangles.face_count());
  return 0;
}

} // namespace carom::web
