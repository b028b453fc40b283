// Shapes, and what all of the interface stands on: the buffer and the last error.
#include "carom/mesh/polygon_mesh.h"
#include "carom/shape/compound.h"
#include "carom/shape/triangle_mesh.h"
#include "web/wasm/interface.h"

#include <cstdint>

namespace carom::web {
namespace {

std::vector<double>& storage() {
  static std::vector<double> all(1024);
  return all;
}
std::string& last_error() {
  static std::string text;
  return text;
}

int keep(Result<Shape> made) {
  if (!made) return fail(made.error().message);
  return shapes().add(std::move(*made));
}

/// As web/src/carom/shape.ts counts them.
enum class Kind {
  point,
  segment,
  sphere,
  capsule,
  box,
  cylinder,
  cone,
  ellipsoid,
  hull,
  half_space
};

std::vector<Vec3> points_at(const double* p, int count) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back(vec3_at(p + 3 * static_cast<std::ptrdiff_t>(i)));
  return points;
}

Result<Shape> make(Kind kind, const double* p, int count) {
  switch (kind) {
  case Kind::point:
    return Shape::point(vec3_at(p));
  case Kind::segment:
    return Shape::segment(vec3_at(p), vec3_at(p + 3));
  case Kind::sphere:
    return Shape::sphere(p[0]);
  case Kind::capsule:
    return Shape::capsule(vec3_at(p), vec3_at(p + 3), p[6]);
  case Kind::box:
    return Shape::box(vec3_at(p));
  case Kind::cylinder:
    return Shape::cylinder(p[0], p[1]);
  case Kind::cone:
    return Shape::cone(p[0], p[1]);
  case Kind::ellipsoid:
    return Shape::ellipsoid(vec3_at(p));
  case Kind::hull:
    return Shape::hull(points_at(p, count));
  case Kind::half_space:
    return Shape::half_space(vec3_at(p), p[3]);
  }
  return failure(ErrorCode::out_of_range, "There is no such kind of shape.");
}

} // namespace

double* buffer(std::size_t count) {
  if (storage().size() < count) storage().resize(count);
  return storage().data();
}

std::string& text() {
  static std::string all;
  return all;
}

int fail(std::string message) {
  last_error() = std::move(message);
  return -1;
}

Writer list_of(std::size_t numbers) {
  static std::vector<double> list;
  list.resize(numbers);
  buffer()[0] = static_cast<double>(reinterpret_cast<std::uintptr_t>(list.data()));
  return Writer(list.data());
}

Handles<Shape>& shapes() {
  static Handles<Shape> all;
  return all;
}

CAROM_EXPORT double* carom_buffer(int doubles) { return buffer(static_cast<std::size_t>(doubles)); }
/// Room for a text of so many bytes, to be written by the caller.
CAROM_EXPORT char* carom_text(int bytes) {
  text().resize(static_cast<std::size_t>(bytes));
  return text().data();
}
/// A sentence, after a function gave -1.
CAROM_EXPORT const char* carom_error() { return last_error().c_str(); }

/// Its numbers are in the buffer; `count` is the number of a hull's points.
CAROM_EXPORT int carom_shape(int kind, int count) {
  return keep(make(static_cast<Kind>(kind), buffer(), count));
}

/// In the buffer: three numbers a vertex, then three indices a triangle. `body`: 0 a surface, 1 a solid, 2 a solid where it can be one.
CAROM_EXPORT int carom_shape_mesh(int vertices, int triangles, int body) {
  const double* p = buffer();
  PolygonMesh mesh;
  mesh.vertices = points_at(p, vertices);
  p += 3 * static_cast<std::ptrdiff_t>(vertices);
  for (int i = 0; i < triangles; ++i, p += 3) {
    const std::uint32_t corners[3] = {static_cast<std::uint32_t>(p[0]),
                                      static_cast<std::uint32_t>(p[1]),
                                      static_cast<std::uint32_t>(p[2])};
    mesh.add_face(corners);
  }
  using Body = MeshOptions::Body;
  const Body kind = body == 0 ? Body::surface : body == 1 ? Body::solid : Body::automatic;
  return keep(Shape::mesh(mesh, {.body = kind}));
}

/// In the buffer: a handle and a pose for each part.
CAROM_EXPORT int carom_shape_compound(int count) {
  std::vector<CompoundPart> parts;
  for (int i = 0; i < count; ++i) {
    const double* p = buffer() + 8 * static_cast<std::ptrdiff_t>(i);
    const Shape* part = shapes().find(static_cast<int>(p[0]));
    if (!part) return fail("A part of the compound is no shape.");
    parts.push_back({*part, pose_at(p + 1)});
  }
  return keep(Shape::compound(parts));
}

/// Grown by so much on all sides.
CAROM_EXPORT int carom_shape_rounded(int shape, double radius) {
  const Shape* core = shapes().find(shape);
  return core ? keep(core->rounded(radius)) : fail(no_shape);
}

CAROM_EXPORT void carom_shape_free(int shape) { shapes().remove(shape); }

} // namespace carom::web
