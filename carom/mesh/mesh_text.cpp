#include "carom/mesh/mesh_text.h"

namespace carom {

std::optional<Error> unwritable(const PolygonMesh& mesh) {
  const std::size_t faces = mesh.face_count();
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    if (is_finite(mesh.vertices[i])) continue;
    return Error{ErrorCode::not_finite, "vertex " + std::to_string(i) +
                                            " of the mesh has a coordinate that is not finite"};
  }
  for (std::size_t f = 0; f < faces; ++f) {
    if (mesh.face_begin[f] > mesh.face_begin[f + 1] ||
        mesh.face_begin[f + 1] > mesh.corners.size()) {
      return Error{ErrorCode::out_of_range,
                   "face " + std::to_string(f) + " of the mesh begins and ends where it cannot"};
    }
    for (const std::uint32_t corner : mesh.face(f)) {
      if (corner < mesh.vertices.size()) continue;
      return Error{ErrorCode::out_of_range, "face " + std::to_string(f) +
                                                " of the mesh has vertex " +
                                                std::to_string(corner) + ", which does not exist"};
    }
  }
  if (!mesh.materials.empty() && mesh.materials.size() != faces) {
    return Error{ErrorCode::out_of_range, "the mesh has " + std::to_string(mesh.materials.size()) +
                                              " materials for " + std::to_string(faces) +
                                              " faces: there should be one each, or none"};
  }
  return std::nullopt;
}

std::string written_name(std::string_view name) {
  std::string text(name);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '_';
  }
  if (!text.empty() && text.back() == '\\') text.back() = '_';
  return text;
}

} // namespace carom
