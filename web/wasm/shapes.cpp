// Convex shapes and clouds, made of numbers; and what all of the interface stands on: the buffer and the last error.
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

/// As web/src/carom/shape.ts counts them.
enum class Kind {
  point,
  segment,
  triangle,
  sphere,
  capsule,
  tapered_capsule,
  box,
  cylinder,
  cone,
  ellipsoid,
  hull,
  half_space,
  brush,
  point_cloud
};

std::vector<HalfSpace> half_spaces_at(const double* p, int count) {
  std::vector<HalfSpace> faces;
  for (int i = 0; i < count; ++i, p += 4) faces.push_back({vec3_at(p), p[3]});
  return faces;
}

Result<Shape> make(Kind kind, const double* p, int count) {
  switch (kind) {
  case Kind::point:
    return Shape::point(vec3_at(p));
  case Kind::segment:
    return Shape::segment(vec3_at(p), vec3_at(p + 3));
  case Kind::triangle:
    return Shape::triangle(vec3_at(p), vec3_at(p + 3), vec3_at(p + 6));
  case Kind::sphere:
    return Shape::sphere(p[0], vec3_at(p + 1));
  case Kind::capsule:
    return Shape::capsule(vec3_at(p), vec3_at(p + 3), p[6]);
  case Kind::tapered_capsule:
    return Shape::tapered_capsule(vec3_at(p), p[3], vec3_at(p + 4), p[7]);
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
  case Kind::brush:
    return Shape::brush(half_spaces_at(p, count));
  case Kind::point_cloud:
    return Shape::point_cloud(points_at(p + 1, count), p[0]);
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

int keep(Result<Shape> made) {
  if (!made) return fail(made.error().message);
  return shapes().add(std::move(*made));
}

std::vector<Vec3> points_at(const double* p, int count) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i, p += 3) points.push_back(vec3_at(p));
  return points;
}

CAROM_EXPORT double* carom_buffer(int doubles) { return buffer(static_cast<std::size_t>(doubles)); }
/// Room for a text of so many bytes, to be written by the caller.
CAROM_EXPORT char* carom_text(int bytes) {
  text().resize(static_cast<std::size_t>(bytes));
  return text().data();
}
/// A sentence, after a function gave -1.
CAROM_EXPORT const char* carom_error() { return last_error().c_str(); }

/// Its numbers are in the buffer; `count` is how many points a hull or a cloud has, and half-spaces a brush.
CAROM_EXPORT int carom_shape(int kind, int count) {
  return keep(make(static_cast<Kind>(kind), buffer(), count));
}

CAROM_EXPORT void carom_shape_free(int shape) { shapes().remove(shape); }

} // namespace carom::web
