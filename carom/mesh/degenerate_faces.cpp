#include "carom/mesh/degenerate_faces.h"

#include "carom/math/predicates.h"
#include "carom/mesh/mesh_check.h"

#include <algorithm>
#include <vector>

namespace carom {
namespace {

/// How many different vertices a face has.
std::size_t distinct(std::span<const std::uint32_t> corners) {
  if (corners.size() == 3) { // nearly all faces: no sorting
    const bool ab = corners[0] != corners[1];
    const bool bc = corners[1] != corners[2];
    const bool ca = corners[2] != corners[0];
    return ab && bc && ca ? 3 : ab || bc || ca ? 2 : 1;
  }
  std::vector<std::uint32_t> sorted(corners.begin(), corners.end());
  std::sort(sorted.begin(), sorted.end());
  return static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
}

bool all_on_a_line(std::span<const Vec3> vertices, std::span<const std::uint32_t> corners) {
  const Vec3& a = vertices[corners[0]];
  const Vec3* b = &a; // the first corner elsewhere
  for (const std::uint32_t c : corners) {
    if (!is_finite(vertices[c])) return false;
    if (*b == a) b = &vertices[c];
  }
  return std::all_of(corners.begin(), corners.end(),
                     [&](std::uint32_t c) { return collinear(a, *b, vertices[c]); });
}

} // namespace

bool collinear(const Vec3& a, const Vec3& b, const Vec3& c) {
  // On a line in space where they are on a line in three views along the axes.
  const auto in_view = [&](int i, int j) {
    return orient2d({a[i], a[j]}, {b[i], b[j]}, {c[i], c[j]}) == 0;
  };
  return in_view(0, 1) && in_view(1, 2) && in_view(2, 0);
}

FaceFaults face_faults(const PolygonSurface& surface, std::size_t f) {
  const auto corners = corners_of(surface, f);
  FaceFaults faults;
  const std::size_t different = distinct(corners);
  faults.few_corners = different < 3;
  faults.repeated_corners = different < corners.size();
  faults.on_a_line = faults.few_corners || all_on_a_line(surface.vertices, corners);
  return faults;
}

} // namespace carom
