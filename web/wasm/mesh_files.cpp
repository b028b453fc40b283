// Mesh files, as triangles.
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

/// The bytes are in the text; `format` 0 OBJ, 1 STL, 2 PLY, 3 OFF; `size`, where it is not 0: how long the longest side shall be. In the buffer afterwards:
/// where the vertices are (doubles) and how many, where the triangles are and how many.
CAROM_EXPORT int carom_mesh_file(int bytes, int format, double size) {
  if (format < 0 || format > 3) return fail("The name ends with none of .obj, .stl, .ply, .off.");
  const std::string_view content(text().data(), static_cast<std::size_t>(bytes));
  const auto told = mesh_format_of_content(content);
  Result<PolygonMesh> mesh = read_mesh(content, told ? *told : static_cast<MeshFormat>(format));
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
