#include "carom/mesh/exact_pieces.h"

#include "carom/math/predicates.h"
#include "carom/mesh/mass_properties.h"
#include "carom/mesh/orient.h"
#include "carom/mesh/triangulate.h"
#include "carom/mesh/winding_number.h"
#include "carom/verify/hull.h"
#include "tests/support/concave_meshes.h"
#include "tests/support/data_mesh.h"
#include "tests/support/property.h"

#include <cmath>

namespace carom::test {
namespace {

/// The greatest of side * orient3d over the bounds: -1 inside of the piece, 0 on its border, 1 outside.
int place_in(const PolygonMesh& mesh, const ExactPiece& piece, const Vec3& p) {
  int most = -1;
  for (const ExactHalfSpace& b : piece.bounds) {
    const auto& v = mesh.vertices;
    most = std::max(most, b.side * orient3d(v[b.corner[0]], v[b.corner[1]], v[b.corner[2]], p));
  }
  return most;
}

/// Exactly: inside or on the surface is in a piece, outside in none, and no point is inside of two.
void check_point(const PolygonMesh& mesh, const ExactDecomposition& d, const Vec3& p) {
  int in = 0;
  int inside = 0;
  for (const ExactPiece& piece : d.pieces) {
    const int place = place_in(mesh, piece, p);
    in += place <= 0 ? 1 : 0;
    inside += place < 0 ? 1 : 0;
  }
  const PointPlace place = locate(mesh.surface(), p, true);
  EXPECT_EQ(in > 0, place != PointPlace::outside);
  EXPECT_LE(inside, 1);
  EXPECT_FALSE(place == PointPlace::on_surface && inside > 0);
}

/// Points of the solid's box, some at the coordinates of vertices and half-way between them, where planes meet.
Vec3 sample(const PolygonMesh& mesh, Source& source) {
  Vec3 p;
  for (int k = 0; k < 3; ++k) {
    const double a = mesh.vertices[source.below(mesh.vertices.size())][k];
    const double b = mesh.vertices[source.below(mesh.vertices.size())][k];
    const int kind = source.index(3);
    const double t = static_cast<double>(source.below(1 << 20)) * 0x1p-20;
    p[k] = kind == 0 ? a : kind == 1 ? 0.5 * a + 0.5 * b : a + t * (b - a);
  }
  return p;
}

ExactDecomposition checked(const PolygonMesh& polygons, std::uint64_t samples = 200) {
  const auto d = exact_convex_pieces(polygons);
  EXPECT_TRUE(d) << (d ? "" : d.error().message);
  if (!d) return {};
  const PolygonMesh mesh = triangulated(polygons);
  for_each_seed(fewer_when_sanitized(samples),
                [&](Source& source) { check_point(mesh, *d, sample(mesh, source)); });
  double size = 0;
  for (const Vec3& v : mesh.vertices) size = std::fmax(size, max_abs(v));
  double volume = 0;
  for (const ExactPiece& piece : d->pieces) {
    EXPECT_TRUE(verify::check_hull_shape(piece.hull));
    volume += mass_properties(piece.hull).volume;
    // Corners of the hull are corners of the piece, rounded: off a bound by two roundings of the coordinates at most.
    for (const Vec3& p : piece.hull.vertices) {
      for (const ExactHalfSpace& b : piece.bounds) {
        const Vec3& a = mesh.vertices[b.corner[0]];
        const Vec3 n =
            normalized(cross(mesh.vertices[b.corner[1]] - a, mesh.vertices[b.corner[2]] - a));
        EXPECT_LE(b.side * dot(n, p - a), 8e-16 * size);
      }
    }
  }
  // Each piece's volume is off by its area times a few roundings of the coordinates.
  EXPECT_NEAR(volume, d->volume, 1e-13 * (size * size * size + d->volume) * 10);
  EXPECT_NEAR(d->volume, mass_properties(mesh.surface()).volume, 1e-14 * d->volume);
  return *d;
}

TEST(ExactPieces, Few) {
  EXPECT_EQ(checked(cube_mesh()).pieces.size(), 1u);
  EXPECT_EQ(checked(sphere_mesh(1)).pieces.size(), 1u);
  EXPECT_EQ(checked(l_mesh()).pieces.size(), 2u);
  EXPECT_EQ(checked(u_mesh()).pieces.size(), 3u);
  EXPECT_LE(checked(sponge_mesh(1)).pieces.size(), 20u);
  EXPECT_LE(checked(star_mesh(5)).pieces.size(), 7u);
}

// In boxes the corners are doubles, and come out as such.
TEST(ExactPieces, CornersThatAreDoublesAreExact) {
  for (const ExactPiece& piece : checked(sponge_mesh(1)).pieces) {
    EXPECT_EQ(piece.hull.vertices.size(), 8u);
    for (const Vec3& p : piece.hull.vertices) {
      for (int k = 0; k < 3; ++k) EXPECT_EQ(p[k], std::floor(p[k]));
    }
  }
}

// No vertex of a cut is a double any more, and flat faces are not flat: every sign matters.
TEST(ExactPieces, Oblique) {
  for (const PolygonMesh& mesh : {l_mesh(), star_mesh(5), schoenhardt_mesh(), gear_mesh(4)}) {
    (void)checked(placed(mesh, oblique(), 0.7, {0.1, 0.2, 0.3}), 60);
  }
  (void)checked(placed(u_mesh(), oblique(), 1, {1e6, -2e6, 3e6}), 60);
  for (const double scale : {1e-3, 1e6, 1e-25, 1e25}) {
    (void)checked(placed(l_mesh(), oblique(), scale, {}), 60);
  }
}

TEST(ExactPieces, Schoenhardt) {
  const PolygonMesh mesh = schoenhardt_mesh();
  ASSERT_GT(mass_properties(mesh.surface()).volume, 0);
  const ExactDecomposition d = checked(mesh);
  EXPECT_GE(d.pieces.size(), 4u);
}

TEST(ExactPieces, Torus) {
  const ExactDecomposition d = checked(torus_mesh(6, 4), 60);
  EXPECT_GE(d.pieces.size(), 6u);
}

TEST(ExactPieces, CavitiesAndTouchingParts) {
  PolygonMesh hollow = cube_mesh(3);
  PolygonMesh inside = cube_mesh();
  for (std::size_t f = 0; f < inside.face_count(); ++f) turn_face(inside, f);
  append(hollow, inside, {1, 1, 1});
  EXPECT_EQ(checked(hollow).pieces.size(), 6u);
  PolygonMesh thin = cube_mesh(1 + 0x1p-40);
  append(thin, inside, {0x1p-41, 0x1p-41, 0x1p-41});
  EXPECT_EQ(checked(thin).pieces.size(), 6u);
  for (const Vec3& by : {Vec3{1, 1, 1}, Vec3{1, 1, 0}, Vec3{3, 0.5, 0}}) {
    PolygonMesh two = cube_mesh();
    append(two, cube_mesh(), by);
    EXPECT_EQ(checked(two).pieces.size(), 2u);
  }
}

TEST(ExactPieces, RandomCells) {
  for_each_seed(fewer_when_sanitized(20), [](Source& source) {
    const PolygonMesh cells = random_cells_mesh(source);
    (void)checked(cells, 30);
    if (source.chance(4)) (void)checked(placed(cells, oblique(), 1, {}), 10);
  });
}

TEST(ExactPieces, WhatIsRefused) {
  const auto code = [](const PolygonMesh& mesh, std::size_t most = 100) {
    const auto d = exact_convex_pieces(mesh, {.max_pieces = most});
    return d ? ErrorCode::bad_file : d.error().code; // bad_file stands for none
  };
  PolygonMesh open = cube_mesh();
  open.corners.resize(20);
  open.face_begin.resize(6);
  EXPECT_EQ(code(open), ErrorCode::degenerate);
  PolygonMesh inverted = cube_mesh();
  for (std::size_t f = 0; f < inverted.face_count(); ++f) turn_face(inverted, f);
  EXPECT_EQ(code(inverted), ErrorCode::degenerate);
  PolygonMesh crossing = cube_mesh();
  append(crossing, cube_mesh(), {0.5, 0.5, 0.5});
  EXPECT_EQ(code(crossing), ErrorCode::degenerate);
  EXPECT_EQ(code(u_mesh(), 2), ErrorCode::out_of_range);
  EXPECT_EQ(code(u_mesh(), 3), ErrorCode::bad_file);
  PolygonMesh deep = cube_mesh();
  deep.vertices[0].x = 1.1e-25;
  EXPECT_EQ(code(deep), ErrorCode::out_of_range);
  PolygonMesh bad = cube_mesh();
  bad.vertices[0].x = NAN;
  EXPECT_EQ(code(bad), ErrorCode::not_finite);
}

} // namespace
} // namespace carom::test
