#include "carom/motion/screw_features.h"

#include <variant>

namespace carom {
namespace {

void add_polytope(const Polytope& polytope, FeatureSet& set) {
  const ConvexHull& hull = polytope.hull();
  set.vertices = hull.vertices;
  for (std::uint32_t h = 0; h < hull.origin.size(); ++h)
    if (h < hull.twin[h]) set.edges.push_back({hull.origin[h], hull.target(h)});
  // The second face of a flat hull is the first one from behind.
  const std::size_t faces = hull.dimension == 2 ? 1 : hull.dimension == 3 ? hull.face_count() : 0;
  for (std::size_t f = 0; f < faces; ++f) {
    const auto corners = hull.corners(f);
    for (std::size_t i = 2; i < corners.size(); ++i)
      set.triangles.push_back({corners[0], corners[i - 1], corners[i]});
  }
}

void add_box(const Obb& box, FeatureSet& set) {
  for (int i = 0; i < 8; ++i) set.vertices.push_back(box.corner(i));
  for (std::uint32_t axis = 1; axis < 8; axis *= 2)
    for (std::uint32_t i = 0; i < 8; ++i)
      if ((i & axis) == 0) set.edges.push_back({i, i + axis});
  // A face lies across one axis, at one of both ends; x and y lead along it.
  for (std::uint32_t axis = 1; axis < 8; axis *= 2) {
    const std::uint32_t x = axis == 4 ? 1 : axis * 2, y = 7 - axis - x;
    for (const std::uint32_t end : {0U, axis}) {
      set.triangles.push_back({end, end + x, end + x + y});
      set.triangles.push_back({end, end + x + y, end + y});
    }
  }
}

} // namespace

bool FeatureSet::take(const Shape& shape) {
  vertices.clear();
  edges.clear();
  triangles.clear();
  if (!shape.convex() || shape.rounding() != 0) return false;
  const ShapeCore& core = shape.core();
  if (const auto* point = std::get_if<Vec3>(&core)) {
    vertices = {*point};
    edges = {{0, 0}};
  } else if (const auto* segment = std::get_if<Segment>(&core)) {
    vertices = {segment->a, segment->b};
    edges = {{0, 1}};
  } else if (const auto* triangle = std::get_if<Triangle>(&core)) {
    vertices = {triangle->a, triangle->b, triangle->c};
    edges = {{0, 1}, {1, 2}, {2, 0}};
    triangles = {{0, 1, 2}};
  } else if (const auto* box = std::get_if<Obb>(&core)) {
    add_box(*box, *this);
  } else if (const auto* polytope = std::get_if<Polytope>(&core)) {
    add_polytope(*polytope, *this);
  } else if (const auto* brush = std::get_if<BrushCore>(&core)) {
    add_polytope(brush->corners, *this);
  }
  return !vertices.empty();
}

} // namespace carom
