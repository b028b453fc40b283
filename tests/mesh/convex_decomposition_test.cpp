#include "carom/mesh/convex_decomposition.h"

#include "carom/mesh/mass_properties.h"
#include "carom/mesh/triangulate.h"
#include "carom/verify/check_decomposition.h"
#include "tests/support/concave_meshes.h"
#include "tests/support/data_mesh.h"
#include "tests/support/property.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace carom::test {
namespace {

double size_of(const PolygonMesh& mesh) {
  double size = 0;
  for (const Vec3& v : mesh.vertices) size = std::fmax(size, max_abs(v));
  return size;
}

double diagonal_of(const PolygonMesh& mesh) {
  Vec3 low = mesh.vertices.at(0);
  Vec3 high = low;
  for (const Vec3& v : mesh.vertices) {
    low = min(low, v);
    high = max(high, v);
  }
  return distance(low, high);
}

/// What the checker proves to: bands of the decomposition's, twice over; some roundings where there is none.
double proof_tolerance(const PolygonMesh& mesh, const ConvexDecomposition& d) {
  return std::fmax(2.5 * d.gap, 1e-12 * size_of(mesh));
}

ConvexDecomposition checked(const PolygonMesh& mesh, const DecompositionOptions& options) {
  const auto d = approximate_convex_pieces(mesh, options);
  EXPECT_TRUE(d) << (d ? "" : d.error().message);
  if (!d) return {};
  EXPECT_GE(d->pieces.size(), 1u);
  EXPECT_LE(d->pieces.size(), options.max_pieces);
  EXPECT_TRUE(d->encloses);
  EXPECT_TRUE(std::isfinite(d->error) && d->error >= 0);
  const PolygonMesh triangles = triangulated(mesh);
  const verify::Verdict verdict =
      verify::check_decomposition(triangles, *d, proof_tolerance(mesh, *d));
  EXPECT_TRUE(verdict) << verdict.why;
  double volume = 0;
  for (const ConvexHull& hull : d->pieces) volume += mass_properties(hull).volume;
  EXPECT_NEAR(volume, d->piece_volume, 1e-9 * std::pow(diagonal_of(mesh), 3));
  EXPECT_EQ(d->mesh_volume > 0 && !d->solid, false);
  return *d;
}

TEST(ApproximatePieces, AConvexMeshIsOnePiece) {
  for (const PolygonMesh& mesh : {cube_mesh(), sphere_mesh(2), fanned(cube_mesh(7))}) {
    const ConvexDecomposition d = checked(mesh, {.max_pieces = 8});
    EXPECT_EQ(d.pieces.size(), 1u);
    EXPECT_TRUE(d.solid);
    EXPECT_EQ(d.gap, 0);
    // Hull and mesh are the same: nothing but rounding is left of the error.
    EXPECT_LE(d.error, 1e-10);
    EXPECT_EQ(d.growth, 0);
  }
}

// Boxes: the pieces are exactly those, and the bound of the error knows it.
TEST(ApproximatePieces, SolidsMadeOfBoxes) {
  const ConvexDecomposition l = checked(l_mesh(), {.max_pieces = 8});
  EXPECT_EQ(l.pieces.size(), 2u);
  const ConvexDecomposition u = checked(u_mesh(), {.max_pieces = 8});
  EXPECT_EQ(u.pieces.size(), 3u);
  const ConvexDecomposition sponge = checked(sponge_mesh(1), {.max_pieces = 32});
  EXPECT_LE(sponge.pieces.size(), 20u);
  for (const ConvexDecomposition* d : {&l, &u, &sponge}) {
    EXPECT_NEAR(d->piece_volume, d->mesh_volume, 1e-11 * d->mesh_volume);
    EXPECT_LE(d->error, 1e-9);
  }
  // The same turned: cutting planes no longer pass through vertices exactly, faces no longer are in them.
  const ConvexDecomposition turned = checked(placed(u_mesh(), oblique(), 1, {}), {.max_pieces = 8});
  EXPECT_EQ(turned.pieces.size(), 3u);
  EXPECT_NEAR(turned.piece_volume, 7, 1e-11);
  EXPECT_LE(turned.error, 1e-9);
}

TEST(ApproximatePieces, FarAwayTinyAndHuge) {
  for (const double scale : {1e-3, 1.0, 1e6, 1e-20, 1e20}) {
    const PolygonMesh mesh = placed(l_mesh(), oblique(), scale, {});
    const ConvexDecomposition d = checked(mesh, {.max_pieces = 4});
    EXPECT_EQ(d.pieces.size(), 2u);
    EXPECT_NEAR(d.piece_volume, 3 * scale * scale * scale, 1e-10 * scale * scale * scale);
  }
  const PolygonMesh far = placed(u_mesh(), oblique(), 1, {1e6, -2e6, 3e6});
  const ConvexDecomposition d = checked(far, {.max_pieces = 6});
  EXPECT_LE(d.pieces.size(), 6u);
  EXPECT_NEAR(d.piece_volume, 7, 1e-5);
}

TEST(ApproximatePieces, FewerPiecesThanNeeded) {
  const PolygonMesh sponge = sponge_mesh(1);
  double before = INFINITY;
  for (const std::uint32_t n : {1u, 2u, 5u, 9u}) {
    const ConvexDecomposition d = checked(sponge, {.max_pieces = n});
    EXPECT_LE(d.piece_volume, before * (1 + 1e-12));
    before = d.piece_volume;
  }
}

TEST(ApproximatePieces, RoundAndJaggedSolids) {
  const ConvexDecomposition torus = checked(torus_mesh(16, 8), {.max_pieces = 8});
  EXPECT_LE(torus.piece_volume, 1.25 * torus.mesh_volume);
  const ConvexDecomposition gear = checked(gear_mesh(6), {.max_pieces = 10});
  EXPECT_LE(gear.piece_volume, 1.2 * gear.mesh_volume);
  const ConvexDecomposition star = checked(star_mesh(5), {.max_pieces = 6});
  EXPECT_LE(star.piece_volume, 1.02 * star.mesh_volume);
  (void)checked(sphere_mesh(2, 0.3), {.max_pieces = 6});
  // Turned inside out it is the same solid.
  PolygonMesh inverted = star_mesh(5);
  for (std::size_t f = 0; f < inverted.face_count(); ++f) turn_face(inverted, f);
  EXPECT_TRUE(checked(inverted, {.max_pieces = 6}).solid);
}

TEST(ApproximatePieces, ThinWallsAndTouchingParts) {
  // A box with walls of a thousandth.
  PolygonMesh thin = cube_mesh();
  PolygonMesh inside = cube_mesh(1 - 2e-3);
  for (std::size_t f = 0; f < inside.face_count(); ++f) turn_face(inside, f);
  append(thin, inside, {1e-3, 1e-3, 1e-3});
  const ConvexDecomposition walls = checked(thin, {.max_pieces = 6});
  EXPECT_LE(walls.piece_volume, 2 * walls.mesh_volume);
  // Cubes that touch at a vertex, at an edge, and overlap.
  for (const Vec3& by : {Vec3{1, 1, 1}, Vec3{1, 1, 0}, Vec3{0.5, 0.5, 0.5}, Vec3{3, 0, 0}}) {
    PolygonMesh two = cube_mesh();
    append(two, cube_mesh(), by);
    const ConvexDecomposition d = checked(two, {.max_pieces = 4});
    EXPECT_GE(d.pieces.size(), 2u);
  }
}

TEST(ApproximatePieces, SurfacesWithoutAnInside) {
  const DecompositionOptions surface{.max_pieces = 6, .fill_holes = false};
  EXPECT_FALSE(checked(terrain_mesh(8), surface).solid);
  EXPECT_FALSE(checked(moebius_mesh(12, 2), surface).solid);
  EXPECT_FALSE(checked(moebius_mesh(12, 2), {.max_pieces = 6}).solid);
  // One triangle, a flat L, a triangle that is a segment, and one that is a point.
  PolygonMesh one;
  one.vertices = {{0, 0, 0}, {1, 0, 0.5}, {0, 1, 0.25}};
  add_face(one, {0, 1, 2});
  EXPECT_EQ(checked(one, surface).pieces.size(), 1u);
  one.vertices[2] = {2, 0, 1};
  EXPECT_EQ(checked(one, surface).pieces.size(), 1u);
  one.vertices = {{3, 4, 5}, {3, 4, 5}, {3, 4, 5}};
  EXPECT_EQ(checked(one, surface).pieces.size(), 1u);
  PolygonMesh flat;
  flat.vertices = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
  flat.add_face(std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5});
  const ConvexDecomposition l = checked(flat, surface);
  EXPECT_EQ(l.pieces.size(), 2u);
  EXPECT_EQ(l.piece_volume, 0);
  EXPECT_LE(l.error, 0.01);
}

TEST(ApproximatePieces, HolesAreFilled) {
  // Without two opposite faces a cube is still a cube.
  PolygonMesh open = cube_mesh();
  open.corners.resize(16);
  open.face_begin.resize(5);
  const ConvexDecomposition d = checked(open, {.max_pieces = 4});
  EXPECT_TRUE(d.solid);
  EXPECT_EQ(d.patches.size(), 12u);
  EXPECT_NEAR(d.mesh_volume, 1, 1e-12);
  EXPECT_EQ(d.pieces.size(), 1u);
  EXPECT_FALSE(checked(open, {.max_pieces = 4, .fill_holes = false}).solid);
}

TEST(ApproximatePieces, AToleranceEndsIt) {
  const PolygonMesh torus = torus_mesh(24, 12);
  const double tolerance = 0.15 * diagonal_of(torus);
  const ConvexDecomposition coarse = checked(torus, {.max_pieces = 24, .tolerance = tolerance});
  EXPECT_LE(coarse.error, tolerance * (1 + 1e-9));
  EXPECT_LT(coarse.pieces.size(), 24u);
}

TEST(ApproximatePieces, AVertexLimit) {
  const ConvexDecomposition d = checked(torus_mesh(16, 8), {.max_pieces = 5, .vertex_limit = 16});
  for (const ConvexHull& hull : d.pieces) EXPECT_LE(hull.vertices.size(), 16u);
  EXPECT_GT(d.growth, 0);
}

// Faces thrown together: nothing is known of them, all are enclosed.
TEST(ApproximatePieces, Soups) {
  for_each_seed(fewer_when_sanitized(30), [](Source& source) {
    const PolygonMesh soup = soup_mesh(source);
    const auto n = static_cast<std::uint32_t>(1 + source.index(6));
    const bool fill = source.chance(2);
    if (triangulated(soup).face_count() == 0) return;
    (void)checked(soup, {.max_pieces = n, .fill_holes = fill});
  });
}

TEST(ApproximatePieces, RandomCells) {
  for_each_seed(fewer_when_sanitized(10), [](Source& source) {
    const PolygonMesh cells = random_cells_mesh(source);
    const bool turned = source.chance(2);
    const ConvexDecomposition d =
        checked(turned ? placed(cells, oblique(), 1, {0.3, 0.1, 0.7}) : cells, {.max_pieces = 27});
    EXPECT_LE(d.piece_volume, 1.3 * d.mesh_volume);
  });
}

TEST(ApproximatePieces, SameBitsTwice) {
  const PolygonMesh mesh = sphere_mesh(1, 0.3);
  const auto a = approximate_convex_pieces(mesh, {.max_pieces = 5}).value();
  const auto b = approximate_convex_pieces(mesh, {.max_pieces = 5}).value();
  ASSERT_EQ(a.pieces.size(), b.pieces.size());
  for (std::size_t i = 0; i < a.pieces.size(); ++i) {
    EXPECT_EQ(a.pieces[i].vertices, b.pieces[i].vertices);
  }
  EXPECT_EQ(a.error, b.error);
}

TEST(ApproximatePieces, WhatIsRefused) {
  const auto code = [](const PolygonMesh& mesh, const DecompositionOptions& options) {
    return approximate_convex_pieces(mesh, options).error().code;
  };
  EXPECT_EQ(code(PolygonMesh{}, {}), ErrorCode::too_few);
  EXPECT_EQ(code(cube_mesh(), {.max_pieces = 0}), ErrorCode::out_of_range);
  EXPECT_EQ(code(cube_mesh(), {.max_pieces = 1025}), ErrorCode::out_of_range);
  EXPECT_EQ(code(cube_mesh(), {.tolerance = -1}), ErrorCode::out_of_range);
  EXPECT_EQ(code(cube_mesh(), {.tolerance = NAN}), ErrorCode::out_of_range);
  EXPECT_EQ(code(cube_mesh(), {.vertex_limit = 3}), ErrorCode::out_of_range);
  PolygonMesh bad = cube_mesh();
  bad.vertices[3].y = NAN;
  EXPECT_EQ(code(bad, {}), ErrorCode::not_finite);
  bad = cube_mesh();
  bad.corners[0] = 77;
  EXPECT_EQ(code(bad, {}), ErrorCode::out_of_range);
}

TEST(ApproximatePieces, DataMeshes) {
  CAROM_DATA_OR_SKIP(folder);
  (void)folder;
  for (const char* name : {"suzanne", "rob"}) {
    SCOPED_TRACE(name);
    const PolygonMesh mesh = data_mesh(name).value();
    const auto d = approximate_convex_pieces(mesh, {.max_pieces = 8});
    ASSERT_TRUE(d) << d.error().message;
    EXPECT_TRUE(d->encloses);
    const PolygonMesh triangles = verify::with_patches(triangulated(mesh), *d);
    const verify::Verdict verdict =
        verify::check_surface_enclosed(triangles, d->pieces, proof_tolerance(mesh, *d));
    EXPECT_TRUE(verdict) << verdict.why;
    EXPECT_LE(d->error, 0.25 * diagonal_of(mesh));
  }
}

} // namespace
} // namespace carom::test
