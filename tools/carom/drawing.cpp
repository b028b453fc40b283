#include "tools/carom/drawing.h"

#include "carom/geometry/merge.h"
#include "carom/math/trig.h"
#include "carom/mesh/convex_hull.h"
#include "carom/shape/composite.h"
#include "carom/shape/support.h"
#include "tools/carom/output.h"
#include "tools/carom/page_drawing.h"
#include "tools/carom/player.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace carom::tool {
namespace {

PolygonMesh triangles_of(const TriangleMesh& triangles) {
  PolygonMesh mesh;
  mesh.vertices.assign(triangles.vertices().begin(), triangles.vertices().end());
  for (const auto& corners : triangles.surface().triangles) mesh.add_face(corners);
  return mesh;
}

/// The hull of what the shape reaches to in directions all around: exact where that is enough corners, round otherwise.
PolygonMesh round_surface(const Shape& shape) {
  constexpr int rings = 24;
  constexpr int spokes = 2 * rings;
  std::vector<Vec3> points;
  for (int r = 0; r <= rings; ++r) {
    const SinCos up = sin_cos(pi * r / rings);
    for (int s = 0; s < spokes; ++s) {
      const SinCos around = sin_cos(two_pi * (s + 0.5) / spokes);
      points.push_back(support_point(shape, {up.sin * around.cos, up.sin * around.sin, up.cos}));
    }
  }
  const Result<ConvexHull> hull = convex_hull(points);
  return hull ? polygons_of(*hull) : PolygonMesh{};
}

/// A square in the border of the half-space.
PolygonMesh square_of(const HalfSpace& half_space, double half_size, const Vec3& near) {
  const Vec3 normal = half_space.normal / length(half_space.normal);
  const double height = half_space.offset / length(half_space.normal) - dot(normal, near);
  const std::array<Vec3, 4> corners = square_around(near + normal * height, normal, half_size);
  PolygonMesh mesh;
  mesh.vertices.assign(corners.begin(), corners.end());
  mesh.add_face(std::array<std::uint32_t, 4>{0, 1, 2, 3});
  return mesh;
}

} // namespace

std::array<Vec3, 4> square_around(const Vec3& middle, const Vec3& normal, double half_size) {
  const Vec3 least = std::fabs(normal.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 across = cross(normal, least) / length(cross(normal, least));
  const Vec3 u = across * half_size;
  const Vec3 v = cross(normal, across) * half_size;
  return {middle - u - v, middle + u - v, middle + u + v, middle - u + v};
}

PolygonMesh polygons_of(const ConvexHull& hull) {
  PolygonMesh mesh;
  mesh.vertices = hull.vertices;
  const std::size_t faces = hull.dimension == 2 ? 1 : hull.face_count(); // of two sides, one
  for (std::size_t f = 0; f < faces; ++f) mesh.add_face(hull.corners(f));
  return mesh;
}

PolygonMesh surface_of(const Shape& shape, double half_size, const Vec3& near) {
  if (const auto* mesh = body_of<TriangleMesh>(shape)) return triangles_of(*mesh);
  if (const auto* half_space = std::get_if<HalfSpace>(&shape.core())) {
    return square_of(*half_space, half_size, near);
  }
  const auto* polytope = std::get_if<Polytope>(&shape.core());
  if (polytope != nullptr && shape.rounding() == 0) return polygons_of(polytope->hull());
  return round_surface(shape);
}

std::optional<Drawing::Slab> slab_between(const Operand& a, const Operand& b,
                                          const Vec3& direction) {
  if (direction == Vec3{}) return std::nullopt;
  const Vec3 way = direction / length(direction);
  const auto farthest = [](const Operand& of, const Vec3& d) {
    const Frame frame = of.pose.frame();
    return frame.to_world(support_point(of.shape, frame.direction_to_local(d)));
  };
  const Vec3 end_of_a = farthest(a, way);
  const Vec3 begin_of_b = farthest(b, -way);
  // Both planes are drawn around one line, beside what is nearest to them; a half-space is near everywhere.
  const Vec3 beside = !a.shape.bounded()   ? begin_of_b
                      : !b.shape.bounded() ? end_of_a
                                           : (end_of_a + begin_of_b) / 2;
  const auto foot = [&](const Vec3& p) { return beside + way * dot(way, p - beside); };
  return Drawing::Slab{foot(end_of_a), foot(begin_of_b), way};
}

Aabb bounds_of(const Drawing& drawing) {
  Aabb box;
  const auto take = [&](const Vec3& p) { box = merge(box, Aabb{p, p}); };
  for (const Operand& body : drawing.bodies) {
    if (body.shape.bounded()) box = merge(box, bounds(body.shape, body.pose));
  }
  for (const std::vector<Pose>& poses : drawing.path) {
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const Shape& shape = drawing.bodies[i].shape;
      if (shape.bounded()) box = merge(box, bounds(shape, poses[i]));
    }
  }
  for (const Drawing::Mark& mark : drawing.marks) {
    take(mark.from);
    take(mark.to);
  }
  if (box.empty()) take({});
  return box;
}

void add_draw_options(CLI::App& verb, DrawOptions& options) {
  verb.add_option("--svg", options.svg, "draw it into this file")->type_name("FILE");
  verb.add_option("--html", options.html, "write a page with a 3D view of it")->type_name("FILE");
}

void check_draw_options(const DrawOptions& options) {
  check_distinct({{"--svg", options.svg}, {"--html", options.html}});
  if (!options.svg.empty()) check_writable(options.svg);
  if (!options.html.empty()) check_page(options.html);
}

void draw(const DrawOptions& options, const Drawing& drawing) {
  if (!options.svg.empty()) write_file(options.svg, svg_of(drawing));
  if (!options.html.empty()) write_page(options.html, page_of(drawing));
}

} // namespace carom::tool
