// Shapes of triangles: meshes, and terrain.
#include "carom/mesh/polygon_mesh.h"
#include "carom/shape/height_field.h"
#include "carom/shape/triangle_mesh.h"
#include "web/wasm/interface.h"

#include <algorithm>

namespace carom::web {
namespace {

template<class T>
std::vector<T> numbers_at(const double* p, int count) {
  std::vector<T> numbers(static_cast<std::size_t>(count));
  std::transform(p, p + count, numbers.begin(), [](double x) { return static_cast<T>(x); });
  return numbers;
}

} // namespace

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

/// Of a mesh: the same triangles, their vertices elsewhere. Those are in the buffer.
CAROM_EXPORT int carom_shape_deformed(int shape, int vertices) {
  const Shape* mesh = shapes().find(shape);
  return mesh ? keep(mesh->deformed(points_at(buffer(), vertices))) : fail(no_shape);
}

/// In the buffer: spacing x and y, scale, offset; the samples; a number a cell, where some are holes. `whole`: samples are whole numbers of 16 bits.
CAROM_EXPORT int carom_shape_height_field(int columns, int rows, int diagonal, int whole,
                                          int samples, int holes) {
  const double* p = buffer();
  HeightFieldInput input;
  input.columns = static_cast<std::uint32_t>(columns);
  input.rows = static_cast<std::uint32_t>(rows);
  input.spacing_x = p[0];
  input.spacing_y = p[1];
  input.scale = p[2];
  input.offset = p[3];
  input.diagonal = static_cast<Diagonal>(diagonal);
  const auto gone = numbers_at<std::uint8_t>(p + 4 + samples, holes);
  input.holes = gone;
  if (whole) {
    const auto heights = numbers_at<std::uint16_t>(p + 4, samples);
    input.samples = std::span<const std::uint16_t>(heights);
    return keep(Shape::height_field(input));
  }
  const auto heights = numbers_at<float>(p + 4, samples);
  input.samples = std::span<const float>(heights);
  return keep(Shape::height_field(input));
}

} // namespace carom::web
