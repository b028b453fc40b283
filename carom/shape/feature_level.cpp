// The features of a hull from its half-edges. Normals are formed exactly from three corners and then rounded, as a Polytope's are.
#include "carom/shape/feature_level.h"

#include "carom/geometry/separating_axis.h"

namespace carom {
namespace {

Vec3 face_normal(const ConvexHull& hull, std::size_t f) {
  const auto corner = hull.corners(f);
  const auto at = [&](std::size_t i) -> const Vec3& { return hull.vertices[corner[i]]; };
  return normalized(accurate_cross(at(0), at(1), at(0), at(2)));
}

/// Per half-edge of the hull: its number here, where those that leave a vertex stand together.
std::vector<std::uint32_t> numbers_by_star(const ConvexHull& hull, FeatureLevel& level) {
  std::vector<std::uint32_t> number(hull.origin.size());
  std::uint32_t count = 0;
  for (const std::uint32_t first : hull.outgoing) {
    level.star_begin.push_back(count);
    if (first == ConvexHull::none) continue;
    std::uint32_t h = first;
    do {
      number[h] = count++;
      h = hull.around(h);
    } while (h != first);
  }
  level.star_begin.push_back(count);
  return number;
}

void make_star_blocks(FeatureLevel& level) {
  for (std::uint32_t v = 0; v < level.vertices.size(); ++v) {
    level.star_block_begin.push_back(static_cast<std::uint32_t>(level.star_blocks.size()));
    const auto star = level.star(v);
    for (std::size_t i = 0; i < star.size(); i += 2) {
      const Vec3& u = star[i].along;
      const Vec3& w = star[i + 1 < star.size() ? i + 1 : i].along;
      level.star_blocks.push_back({{u.x, w.x}, {u.y, w.y}, {u.z, w.z}});
    }
  }
  level.star_block_begin.push_back(static_cast<std::uint32_t>(level.star_blocks.size()));
}

} // namespace

FeatureLevel feature_level(const ConvexHull& hull) {
  FeatureLevel level;
  level.vertices = hull.vertices;
  const std::vector<std::uint32_t> number = numbers_by_star(hull, level);
  level.sides.resize(number.size());
  const bool has_faces = hull.dimension >= 2;
  if (has_faces) {
    level.face_begin = hull.face_begin;
    for (const std::uint32_t n : number) level.face_sides.push_back(n);
    for (std::size_t f = 0; f < hull.face_count(); ++f) {
      // The two faces of a polygon look exactly opposite ways.
      const bool back = hull.dimension == 2 && f == 1;
      level.normals.push_back(back ? -level.normals[0] : face_normal(hull, f));
    }
  }
  for (std::uint32_t h = 0; h < number.size(); ++h) {
    FeatureSide& side = level.sides[number[h]];
    side.origin = hull.origin[h];
    side.target = hull.target(h);
    side.twin = number[hull.twin[h]];
    const Vec3 edge = hull.vertices[side.target] - hull.vertices[side.origin];
    side.length = length(edge);
    side.along = normalized(edge);
    if (!has_faces) continue;
    side.face = hull.face[h];
    side.outward = normalized(cross(side.along, level.normals[side.face]));
  }
  make_star_blocks(level);
  return level;
}

} // namespace carom
