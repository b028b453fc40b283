// Random and deliberately difficult shapes that are not convex: meshes closed and open, soups full of faults, height fields with holes, compounds of anything, clouds. Small, so that all pairs of parts can be tried.
#pragma once

#include "carom/shape/composite.h"
#include "tests/support/concave_meshes.h"
#include "tests/support/generate_shape.h"

#include <string>
#include <vector>

namespace carom::test {

/// The same triangles, each with corners of its own.
inline PolygonMesh with_own_corners(const PolygonMesh& mesh) {
  PolygonMesh out;
  out.materials = mesh.materials;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    std::vector<std::uint32_t> corners;
    for (const std::uint32_t c : mesh.face(f)) {
      corners.push_back(static_cast<std::uint32_t>(out.vertices.size()));
      out.vertices.push_back(mesh.vertices[c]);
    }
    out.add_face(corners);
  }
  return out;
}

inline PolygonMesh inside_out(PolygonMesh mesh) {
  for (std::size_t f = 0; f < mesh.face_count(); ++f) turn_face(mesh, f);
  return mesh;
}

inline PolygonMesh tetrahedron_mesh() {
  PolygonMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  add_face(mesh, {0, 2, 1});
  add_face(mesh, {0, 1, 3});
  add_face(mesh, {0, 3, 2});
  add_face(mesh, {1, 2, 3});
  return mesh;
}

/// A box around the origin, as Shape::box has it: 12 triangles.
inline PolygonMesh box_mesh(const Vec3& half) {
  PolygonMesh mesh = fanned(cube_mesh());
  for (Vec3& v : mesh.vertices) v = mul(v * 2 - Vec3{1, 1, 1}, half);
  return mesh;
}

/// A cube around an empty one, around a full one.
inline PolygonMesh matryoshka_mesh() {
  PolygonMesh mesh = cube_mesh(4);
  append(mesh, inside_out(cube_mesh(2)), {1, 1, 1});
  append(mesh, cube_mesh(1), {1.5, 1.5, 1.5});
  return mesh;
}

inline PolygonMesh two_cubes_mesh() {
  PolygonMesh mesh = cube_mesh(1);
  append(mesh, cube_mesh(1), {1.5, 0.25, 0});
  return mesh;
}

class CompositeGenerator {
public:
  CompositeGenerator(Source& source, double scale) : source_(source), scale_(scale) {}

  Shape of_kind(ShapeKind kind) {
    switch (kind) {
    case ShapeKind::mesh:
      return mesh();
    case ShapeKind::height_field:
      return field();
    case ShapeKind::compound:
      return compound();
    case ShapeKind::point_cloud:
      return cloud();
    default:
      return ShapeGenerator(source_, scale_).of_kind(kind, 1);
    }
  }

  /// Of any kind that is not convex.
  Shape any() {
    static constexpr ShapeKind kinds[] = {ShapeKind::mesh, ShapeKind::height_field,
                                          ShapeKind::compound, ShapeKind::point_cloud};
    return of_kind(kinds[source_.index(4)]);
  }

  Shape mesh() {
    PolygonMesh made = any_mesh();
    const Vec3 stretch =
        source_.chance(4) ? Vec3{1, positive(source_), positive(source_)} : Vec3{1, 1, 1};
    const Vec3 middle = source_.index(2) ? vec3(source_) : Vec3{};
    for (Vec3& v : made.vertices) v = coordinates((mul(v, stretch) + middle) * scale_);
    if (source_.index(2)) {
      for (std::size_t f = 0; f < made.face_count(); ++f)
        made.materials.push_back(static_cast<std::uint32_t>(source_.index(5)));
    }
    if (source_.chance(4)) made = with_own_corners(made);
    MeshOptions options;
    if (source_.chance(5)) options.body = MeshOptions::Body::surface;
    return rounded_or_not(Shape::mesh(made, options).value());
  }

  Shape field() {
    HeightFieldInput input;
    static constexpr std::uint32_t counts[] = {3, 2, 4, 5, 9};
    input.columns = counts[source_.index(5)];
    input.rows = counts[source_.index(4)];
    const std::size_t cells = std::size_t{input.columns - 1} * (input.rows - 1);
    const bool floats = source_.index(2) == 0;
    const bool flat = source_.chance(4);
    std::vector<float> heights;
    std::vector<std::uint16_t> steps;
    for (std::size_t i = 0; i < std::size_t{input.columns} * input.rows; ++i) {
      const double height = flat ? 0.5 : real(source_);
      heights.push_back(static_cast<float>(std::round(height * 1024) / 1024));
      steps.push_back(static_cast<std::uint16_t>(2048 + height * 1024));
    }
    input.samples = heights;
    if (!floats) input.samples = steps;
    std::vector<std::uint8_t> holes, materials;
    const bool with_holes = source_.chance(3);
    for (std::size_t i = 0; i < cells; ++i) {
      holes.push_back(with_holes && source_.chance(3) ? 1 : 0);
      materials.push_back(static_cast<std::uint8_t>(source_.index(5)));
    }
    holes[source_.below(cells)] = 0;
    input.holes = holes;
    if (source_.index(2)) input.materials = materials;
    input.spacing_x = std::max(positive(source_) * scale_, 1e-30);
    input.spacing_y = coordinate(0.5 * scale_);
    input.scale = scale_ * (floats ? 1 : 0x1p-10);
    input.offset = source_.index(2) ? 0 : -scale_;
    input.diagonal = static_cast<Diagonal>(source_.index(3));
    Result<Shape> made = Shape::height_field(input);
    if (!made) { // some heights are too small to be in range: a plain
      input.scale = 0;
      made = Shape::height_field(input);
    }
    return rounded_or_not(made.value());
  }

  Shape cloud() {
    static constexpr int counts[] = {5, 1, 2, 12, 40};
    const int count = counts[source_.index(5)];
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) {
      const Vec3 fresh = coordinates(vec3(source_) * scale_);
      const bool again = !points.empty() && source_.chance(6);
      points.push_back(again ? points[source_.below(points.size())] : fresh);
    }
    const double r = source_.index(2) ? radius(source_) : 0;
    return Shape::point_cloud(points, coordinate(r * scale_)).value();
  }

  Shape compound(int depth = 1) {
    std::vector<CompoundPart> parts;
    const int count = 1 + source_.index(depth > 0 ? 5 : 2);
    for (int i = 0; i < count; ++i) {
      const Shape shape = part(depth);
      const Quat turn = source_.index(2) ? rotation(source_) : Quat{};
      const Vec3 position = coordinates(vec3(source_) * scale_);
      parts.push_back({shape, {turn, position}, static_cast<std::uint32_t>(source_.index(4))});
    }
    return rounded_or_not(Shape::compound(parts).value());
  }

private:
  Shape rounded_or_not(const Shape& shape) {
    if (!source_.chance(5)) return shape;
    return shape.rounded(coordinate(positive(source_) * 0.3 * scale_)).value();
  }

  Shape part(int depth) {
    switch (source_.index(7)) {
    case 0:
      return mesh();
    case 1:
      return cloud();
    case 6:
      return field();
    case 2:
      if (depth > 0) return compound(depth - 1);
      [[fallthrough]];
    default:
      return ShapeGenerator(source_, scale_).bounded(0);
    }
  }

  PolygonMesh any_mesh() {
    switch (source_.index(14)) {
    case 0:
      return cube_mesh();
    case 1:
      return tetrahedron_mesh();
    case 2:
      return torus_mesh(5, 3);
    case 3:
      return sphere_mesh(source_.index(2), 0.2);
    case 4:
      return matryoshka_mesh();
    case 5:
      return two_cubes_mesh();
    case 6:
      return inside_out(cube_mesh());
    case 7:
      return l_mesh();
    case 8:
      return schoenhardt_mesh();
    case 9: { // flat
      PolygonMesh mesh = soup();
      for (Vec3& v : mesh.vertices) v.z = 0.5;
      return mesh;
    }
    case 10: { // one triangle
      PolygonMesh mesh;
      const Triangle t = triangle(source_);
      mesh.vertices = {t.a, t.b, t.c};
      add_face(mesh, {0, 1, 2});
      return mesh;
    }
    case 11: { // dented
      PolygonMesh mesh = sphere_mesh(1);
      for (Vec3& v : mesh.vertices) v = v * source_.uniform(0.6, 1.4);
      return mesh;
    }
    default:
      return soup();
    }
  }

  /// Triangles thrown together: large and small ones, slivers, segments, points, copies.
  PolygonMesh soup() {
    PolygonMesh mesh;
    const int count = 1 + source_.index(14);
    for (int i = 0; i < count; ++i) {
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      const int form = source_.index(7);
      if (form == 4 && mesh.face_count() > 0) { // one of those before, or turned
        const auto old = mesh.face(source_.below(mesh.face_count()));
        std::vector<std::uint32_t> corners(old.begin(), old.end());
        if (source_.index(2)) std::reverse(corners.begin(), corners.end());
        mesh.add_face(corners);
        continue;
      }
      const Vec3 a = vec3(source_);
      const Vec3 u = vec3(source_);
      const Vec3 v = vec3(source_);
      const double thin = std::ldexp(1.0, -source_.index(40));
      const Vec3 third = form == 1 ? a + u * 0.5 + v * thin : form == 2 ? a + u * 0.5 : a + v * 0.5;
      mesh.vertices.insert(mesh.vertices.end(),
                           {a, form == 3 ? a : a + u * 0.5, form == 3 ? a : third});
      add_face(mesh, {first, first + 1, first + 2});
    }
    return mesh;
  }

  Source& source_;
  double scale_;
};

} // namespace carom::test
