// Bodies for tests of exact polyhedral motion: each as its parts, and as a shape that the queries measure independently.
#pragma once

#include "carom/mesh/convex_hull.h"
#include "carom/motion/polyhedral_motion.h"
#include "carom/query/distance.h"
#include "carom/shape/triangle_mesh.h"
#include "tests/support/concave_meshes.h"
#include "tests/support/generate.h"
#include "tests/support/procedural_meshes.h"

#include <array>
#include <cmath>
#include <memory>
#include <vector>

namespace carom::test {

struct Body {
  PolygonMesh mesh;
  Polyhedron parts;
  Shape shape;
  bool solid = true;
};

inline PolygonMesh hull_mesh(const ConvexHull& hull) {
  PolygonMesh mesh;
  mesh.vertices = hull.vertices;
  for (std::size_t f = 0; f < hull.face_count(); ++f) mesh.add_face(hull.corners(f));
  return mesh;
}

/// A solid, or a surface that encloses nothing.
inline Body body_of(const PolygonMesh& mesh, bool solid = true,
                    const PolyhedronOptions& options = {}) {
  using Kind = MeshOptions::Body;
  Shape shape = mesh.face_count() == 0
                    ? Shape::point(mesh.vertices[0]).value()
                    : Shape::mesh(mesh, {.body = solid ? Kind::automatic : Kind::surface}).value();
  return {mesh, Polyhedron::build(mesh, options).value(), shape, solid};
}

inline PolygonMesh centred_box(const Vec3& half) {
  PolygonMesh mesh = cube_mesh(2);
  for (Vec3& v : mesh.vertices) v = mul(v - Vec3{1, 1, 1}, half);
  return mesh;
}

inline PolygonMesh random_hull(Source& source, int points) {
  std::vector<Vec3> at;
  for (int i = 0; i < points; ++i) {
    const double x = source.uniform(-1, 1);
    const double y = source.uniform(-1, 1);
    const double z = source.uniform(-1, 1);
    at.push_back({x, y, z});
  }
  return hull_mesh(convex_hull(at).value());
}

inline PolygonMesh one_polygon(std::vector<Vec3> corners) {
  PolygonMesh mesh;
  mesh.vertices = std::move(corners);
  std::vector<std::uint32_t> face(mesh.vertices.size());
  for (std::uint32_t i = 0; i < face.size(); ++i) face[i] = i;
  mesh.add_face(face);
  return mesh;
}

inline PolygonMesh one_point(const Vec3& at = {}) {
  PolygonMesh mesh;
  mesh.vertices = {at};
  return mesh;
}

/// Convex and not, closed and open, a polygon, a point; about two across.
inline Body random_body(Source& source) {
  switch (source.index(9)) {
  case 0: {
    const double a = source.uniform(0.2, 1);
    const double b = source.uniform(0.2, 1);
    const double c = source.uniform(0.2, 1);
    return body_of(centred_box({a, b, c}));
  }
  case 1:
    return body_of(random_hull(source, 5 + source.index(4)));
  case 2:
    return body_of(random_hull(source, 12 + source.index(20)));
  case 3:
    return body_of(placed(l_mesh(), Mat3::identity(), 0.8, {-0.8, -0.8, -0.4}));
  case 4:
    return body_of(placed(u_mesh(), oblique(), 0.6, {0, 0, 0}));
  case 5:
    return body_of(star_mesh(5));
  case 6: {
    const Vec3 a = vec3(source);
    return body_of(one_polygon({{-1, -1, 0}, {1, -0.8, 0}, {0.2 + 0.1 * a.x, 1, 0}}), false);
  }
  case 7:
    return body_of(one_point({0.1, 0.2, 0.3}), false);
  default:
    return body_of(schoenhardt_mesh());
  }
}

/// How far apart, by the query: 0 where they overlap.
inline double apart(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b) {
  return distance(a.shape, pose_a, b.shape, pose_b).value;
}

inline Vec3 unit_vector(Source& source) {
  const double x = source.uniform(-1, 1);
  const double y = source.uniform(-1, 1);
  const double z = source.uniform(-1, 1);
  return normalized_or(Vec3{x, y, z}, {0, 0, 1});
}

/// In any direction, of a length between the two.
inline Vec3 any_vector(Source& source, double least, double most) {
  const Vec3 direction = unit_vector(source);
  return direction * source.uniform(least, most);
}

inline Quat any_rotation(Source& source) {
  const Vec3 axis = unit_vector(source);
  return Quat::from_axis_angle(axis, source.uniform(-3, 3));
}

} // namespace carom::test
