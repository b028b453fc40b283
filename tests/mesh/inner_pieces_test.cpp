// Pieces inside of closed meshes: each is proven to be, by verify's scan over all triangles. And that they are large.
#include "carom/mesh/inner_pieces.h"

#include "carom/mesh/inner_growth.h"
#include "carom/mesh/mass_properties.h"
#include "carom/mesh/triangulate.h"
#include "carom/mesh/weld.h"
#include "carom/verify/check_inner_pieces.h"
#include "tests/support/concave_meshes.h"
#include "tests/support/data_mesh.h"
#include "tests/support/property.h"

#include <gtest/gtest.h>

namespace carom {
namespace {

using test::Source;

/// A mesh in triangles, with its tree.
struct Solid {
  PolygonMesh mesh;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  TriangleTree tree;

  explicit Solid(const PolygonMesh& polygons) : mesh(triangulated(polygons)) {
    for (std::size_t f = 0; f < mesh.face_count(); ++f) {
      const auto c = mesh.face(f);
      triangles.push_back({c[0], c[1], c[2]});
    }
    tree = TriangleTree(surface());
  }
  [[nodiscard]] TriangleSurface surface() const { return {mesh.vertices, triangles}; }
  [[nodiscard]] double size() const {
    double most = 0;
    for (const Vec3& v : mesh.vertices) most = std::max(most, max_abs(v));
    return most;
  }
  [[nodiscard]] double volume() const { return mass_properties(mesh.surface()).volume; }
};

std::vector<ConvexHull> checked_pieces(const Solid& solid, const InnerPieceOptions& options = {}) {
  const auto pieces = inner_pieces(solid.tree, solid.surface(), options);
  // Clipping computes points to within a few roundings of the size.
  const auto verdict =
      verify::check_inner_pieces(solid.mesh.surface(), pieces, 1e-14 * solid.size());
  EXPECT_TRUE(verdict) << verdict.why;
  EXPECT_LE(pieces.size(), options.most);
  return pieces;
}

double volume(const ConvexHull& hull) { return mass_properties(hull).volume; }

PolygonMesh moved(PolygonMesh mesh, double scale, const Vec3& offset) {
  for (Vec3& v : mesh.vertices) v = v * scale + offset;
  return mesh;
}

TEST(InnerPieces, AConvexSolidIsOnePiece) {
  // What is left out is a few roundings at each face.
  for (const double scale : {1.0, 1e-3, 1e6}) {
    const Solid cube(moved(test::cube_mesh(), scale, {}));
    const auto pieces = checked_pieces(cube);
    ASSERT_EQ(pieces.size(), 1U);
    EXPECT_NEAR(volume(pieces[0]), cube.volume(), 1e-12 * cube.volume());
  }
}

TEST(InnerPieces, ARoundSolidIsNearlyOnePiece) {
  const Solid ball(test::sphere_mesh(4));
  const auto pieces = checked_pieces(ball, {.most = 1});
  ASSERT_EQ(pieces.size(), 1U);
  // 32 planes around a ball leave about a third out.
  EXPECT_GT(volume(pieces[0]), 0.6 * ball.volume());
}

TEST(InnerPieces, ConcaveSolidsAreFilledByAFew) {
  // Two bars cross in an L, three make a U: each bar is a piece.
  for (const auto& [mesh, cells] : {std::pair{test::l_mesh(), 2.0}, {test::u_mesh(), 3.0}}) {
    const auto pieces = checked_pieces(Solid(mesh));
    ASSERT_GE(pieces.size(), 2U);
    EXPECT_NEAR(volume(pieces[0]), cells, 1e-9);
    EXPECT_NEAR(volume(pieces[1]), cells, 1e-9);
  }
}

TEST(InnerPieces, AreInsideOfSolidsOfAllKinds) {
  const PolygonMesh meshes[] = {
      test::l_mesh(),           test::u_mesh(),          test::star_mesh(7),
      test::schoenhardt_mesh(), test::torus_mesh(24, 9), test::torus_mesh(24, 9, 0.1),
      test::gear_mesh(9),       test::sponge_mesh(1),    test::sphere_mesh(3, 0.3),
      test::cube_mesh(),
  };
  for (const PolygonMesh& mesh : meshes) {
    const Solid solid(mesh);
    const auto pieces = checked_pieces(solid, {.most = 12});
    ASSERT_FALSE(pieces.empty());
    EXPECT_GT(volume(pieces[0]), 0.02 * solid.volume());
  }
}

TEST(InnerPieces, AreInsideOfRandomCells) {
  test::for_each_seed(test::fewer_when_sanitized(60), [](Source& source) {
    PolygonMesh mesh = test::random_cells_mesh(source);
    const double scale = test::scale(source);
    const Vec3 offset = test::offset(source);
    mesh = moved(mesh, scale, offset * scale);
    const Solid solid(mesh);
    SCOPED_TRACE(testing::Message()
                 << "scale " << scale << " offset " << offset.x << " " << offset.y);
    const auto pieces = checked_pieces(solid, {.most = 6});
    ASSERT_FALSE(pieces.empty());
    // The largest holds a cell, but for what rounding of coordinates takes.
    const double rounding = 1e-12 * solid.size() / scale;
    if (rounding < 1e-3) {
      EXPECT_GT(volume(pieces[0]), (1 - 1e-3) * scale * scale * scale);
    }
  });
}

TEST(InnerPieces, FarFromTheOrigin) {
  for (const double far : {1e3, 1e6, 1e9}) {
    const Solid solid(moved(test::l_mesh(), 1, {far, -2 * far, far}));
    const auto pieces = checked_pieces(solid);
    ASSERT_GE(pieces.size(), 2U);
    EXPECT_NEAR(volume(pieces[0]), 2, 4e-13 * far);
  }
}

TEST(InnerPieces, ThereAreNoneWhereThereIsNoInside) {
  PolygonMesh inside_out = test::cube_mesh();
  for (std::size_t f = 0; f < inside_out.face_count(); ++f) test::turn_face(inside_out, f);
  PolygonMesh flat = test::cube_mesh();
  for (Vec3& v : flat.vertices) v.z = 0;
  for (const PolygonMesh& mesh : {inside_out, flat}) {
    const Solid solid(mesh);
    EXPECT_TRUE(inner_pieces(solid.tree, solid.surface()).empty());
  }
  EXPECT_TRUE(inner_pieces(TriangleTree(), {}).empty());
  const Solid cube(test::cube_mesh());
  EXPECT_TRUE(inner_pieces(cube.tree, cube.surface(), {.most = 0}).empty());
}

TEST(InnerPieces, OpenSurfacesDoNoHarm) {
  test::for_each_seed(test::fewer_when_sanitized(100), [](Source& source) {
    PolygonMesh soup = test::soup_mesh(source);
    if (triangulated(soup).face_count() == 0) return;
    const Solid solid(soup);
    const auto pieces = inner_pieces(solid.tree, solid.surface(), {.most = 2});
    EXPECT_LE(pieces.size(), 2U);
  });
}

TEST(InnerGrowth, AroundAPoint) {
  const Solid solid(test::u_mesh());
  const InnerSpace space(solid.tree, solid.surface());
  EXPECT_TRUE(grow_inside(space, {0.5, 1.5, 0.5}));
  EXPECT_FALSE(grow_inside(space, {1.5, 1.5, 0.5})); // between the arms
  EXPECT_FALSE(grow_inside(space, {9, 9, 9}));
  EXPECT_FALSE(grow_inside(space, {0, 0, 0})); // a corner
  EXPECT_FALSE(grow_inside(space, {NAN, 0, 0}));
}

TEST(InnerPieces, OfDataMeshes) {
  for (const char* name : {"cow", "fandisk", "homer", "rocker-arm", "spot"}) {
    const auto mesh = test::data_mesh(name);
    if (!mesh) GTEST_SKIP() << "no data: set CAROM_DATA";
    const Solid solid(*mesh);
    const auto pieces = checked_pieces(
        solid, {.most = 4 + static_cast<std::uint32_t>(test::fewer_when_sanitized(4))});
    ASSERT_FALSE(pieces.empty()) << name;
    EXPECT_GT(volume(pieces[0]), 0.05 * solid.volume()) << name;
  }
}

} // namespace
} // namespace carom
