#include "carom/mesh/mesh_check.h"

#include "carom/math/tolerance.h"

#include <string>

namespace carom {
namespace {

/// Numbers below this fit in 32 bits and leave one for 'none'.
constexpr std::size_t index_limit = 0xffffffff;

tl::unexpected<Error> misfit(std::string message) {
  return failure(ErrorCode::out_of_range, std::move(message));
}

std::string number(std::size_t n) { return std::to_string(n); }

Result<void> check_face(const PolygonSurface& surface, std::size_t f) {
  const std::size_t begin = surface.face_begin[f];
  const std::size_t end = surface.face_begin[f + 1];
  if (begin > end || end > surface.corners.size()) {
    return misfit("face " + number(f) + " has corners " + number(begin) + " to " + number(end) +
                  ", but there are " + number(surface.corners.size()) + " in ascending order");
  }
  for (std::size_t i = begin; i < end; ++i) {
    if (surface.corners[i] < surface.vertices.size()) continue;
    return misfit("face " + number(f) + " has a corner at vertex " + number(surface.corners[i]) +
                  ", but there are " + number(surface.vertices.size()) + " vertices");
  }
  return {};
}

} // namespace

bool face_is_usable(const PolygonSurface& surface, std::size_t f) {
  return check_face(surface, f).has_value();
}

Result<void> check_indices(const PolygonSurface& surface) {
  if (surface.vertices.size() >= index_limit)
    return misfit("more vertices than 32 bits can number");
  if (surface.corners.size() >= index_limit) return misfit("more corners than 32 bits can number");
  if (surface.face_begin.size() >= index_limit) return misfit("more faces than 32 bits can number");
  const std::size_t faces = face_count(surface);
  const std::size_t first = surface.face_begin.empty() ? 0 : surface.face_begin.front();
  const std::size_t last = surface.face_begin.empty() ? 0 : surface.face_begin.back();
  for (std::size_t f = 0; f < faces; ++f) {
    if (Result<void> face = check_face(surface, f); !face) return face;
  }
  if (first != 0) return misfit("the first face begins at corner " + number(first) + ", not at 0");
  if (last != surface.corners.size()) {
    return misfit("the faces end at corner " + number(last) + " of " +
                  number(surface.corners.size()));
  }
  return {};
}

Result<void> check_indices(const PolygonMesh& mesh) {
  if (Result<void> surface = check_indices(mesh.surface()); !surface) return surface;
  const std::size_t faces = mesh.face_count();
  if (!mesh.materials.empty() && mesh.materials.size() != faces) {
    return misfit("there are " + number(mesh.materials.size()) + " materials for " + number(faces) +
                  " faces");
  }
  for (std::size_t p = 0; p < mesh.parts.size(); ++p) {
    const std::size_t least = p == 0 ? 0 : mesh.parts[p - 1].first_face;
    if (mesh.parts[p].first_face >= least && mesh.parts[p].first_face <= faces) continue;
    return misfit("part " + number(p) + " begins at face " + number(mesh.parts[p].first_face) +
                  ", which is before the part before it or after the last face");
  }
  return {};
}

Result<void> check_coordinates(const PolygonSurface& surface) {
  for (std::size_t v = 0; v < surface.vertices.size(); ++v) {
    const Vec3& p = surface.vertices[v];
    if (!is_finite(p)) {
      return failure(ErrorCode::not_finite,
                     "vertex " + number(v) + " has a coordinate that is not a number");
    }
    if (in_range(p)) continue;
    return misfit("vertex " + number(v) +
                  " has a coordinate outside of the range: 0, or 1e-30 to 1e30 in absolute value");
  }
  return {};
}

Result<void> check_usable(const PolygonMesh& mesh) {
  if (Result<void> indices = check_indices(mesh); !indices) return indices;
  return check_coordinates(mesh.surface());
}

} // namespace carom
