// A mesh as users have it: indexed polygons, nothing promised. What files are read into, and what repair and shapes are made from.
#pragma once

#include "carom/math/vec3.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// A surface of polygons. The corners of face f are corners[face_begin[f]] .. corners[face_begin[f + 1] - 1], counter-clockwise seen from
/// outside. It refers to the arrays and does not own them.
struct PolygonSurface {
  std::span<const Vec3> vertices;
  std::span<const std::uint32_t> face_begin; ///< one more than faces
  std::span<const std::uint32_t> corners;
};

/// A run of faces that belong together: an object or a group of a file. It ends where the next begins.
struct MeshPart {
  std::string name;
  std::uint32_t first_face = 0;

  bool operator==(const MeshPart&) const = default;
};

/// Owns the arrays of a PolygonSurface. Any content is allowed: faces of any number of corners, corners that do not exist, coordinates that are not
/// numbers. inspect() says what is wrong with it.
struct PolygonMesh {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> face_begin = {0}; ///< one more than faces
  std::vector<std::uint32_t> corners;
  std::vector<std::uint32_t> materials;    ///< one per face, or empty: all are of material 0
  std::vector<std::string> material_names; ///< may be empty, or shorter than the materials used
  std::vector<MeshPart> parts; ///< by ascending first_face; empty: one part without a name

  [[nodiscard]] std::size_t face_count() const {
    return face_begin.empty() ? 0 : face_begin.size() - 1;
  }
  /// The corners of face f.
  [[nodiscard]] std::span<const std::uint32_t> face(std::size_t f) const {
    return std::span(corners).subspan(face_begin[f], face_begin[f + 1] - face_begin[f]);
  }
  void add_face(std::span<const std::uint32_t> face_corners) {
    corners.insert(corners.end(), face_corners.begin(), face_corners.end());
    face_begin.push_back(static_cast<std::uint32_t>(corners.size()));
  }
  [[nodiscard]] PolygonSurface surface() const { return {vertices, face_begin, corners}; }
};

} // namespace carom
