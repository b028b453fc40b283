// What the readers and writers of mesh files share.
#pragma once

#include "carom/math/decimal.h"
#include "carom/math/result.h"
#include "carom/mesh/polygon_mesh.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace [[gnu::visibility("default")]] carom {

/// Indices have 32 bits: a reader refuses a file with more.
inline constexpr std::size_t most_vertices = 0xffffffffu;
inline constexpr std::size_t most_corners = 0xffffffffu;

/// A part begins with the next face. (A first part without a name is left out: having none means that.)
inline void begin_part(PolygonMesh& mesh, std::string name) {
  const auto face = static_cast<std::uint32_t>(mesh.face_count());
  if (mesh.parts.empty() && face == 0 && name.empty()) return;
  if (mesh.parts.empty() && face > 0) mesh.parts.push_back({"", 0});
  mesh.parts.push_back({std::move(name), face});
}

/// Calls body(name, first, end) for each part that has faces; the faces before the first part are a part without a name.
template<class Body>
void for_each_part(const PolygonMesh& mesh, Body&& body) {
  const std::size_t faces = mesh.face_count();
  std::string_view name;
  std::size_t begin = 0;
  for (const MeshPart& part : mesh.parts) {
    const std::size_t end = part.first_face < faces ? part.first_face : faces;
    if (end > begin) body(name, begin, end);
    begin = end > begin ? end : begin;
    name = part.name;
  }
  if (faces > begin) body(name, begin, faces);
}

/// Why a mesh cannot be written and read back: a coordinate that is not finite, a corner that does not exist, arrays that do not fit together.
[[nodiscard]] std::optional<Error> unwritable(const PolygonMesh& mesh);

/// " x y z": each number in the shortest form that is read back to the bit.
inline void append_point(std::string& text, const Vec3& p) {
  for (const double x : {p.x, p.y, p.z}) {
    text += ' ';
    text += format_double(x).view();
  }
}

/// A name as a line of text can hold it: control characters, and a '\' that would continue the line, become '_'.
[[nodiscard]] std::string written_name(std::string_view name);

} // namespace carom
