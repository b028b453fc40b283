#include "carom/mesh/self_intersections.h"

#include "carom/mesh/inspect.h"
#include "tests/support/data_mesh.h"
#include "tests/support/procedural_meshes.h"

#include <gtest/gtest.h>

namespace carom {
namespace {

std::size_t count(const PolygonMesh& mesh) {
  return self_intersections(mesh.surface()).pairs.size();
}

} // namespace

TEST(SelfIntersections, WellMadeMeshesHaveNone) {
  EXPECT_EQ(count(test::cube_mesh()), 0u);
  EXPECT_EQ(count(test::torus_mesh(20, 10)), 0u);
  EXPECT_EQ(count(test::sponge_mesh(1)), 0u);
  EXPECT_EQ(count(test::sphere_mesh(4)), 0u);
  EXPECT_EQ(count(PolygonMesh{}), 0u);
}

TEST(SelfIntersections, ASurfaceWithoutInsideMustCrossItself) {
  EXPECT_GT(count(test::klein_mesh(24, 24)), 0u); // in space a Klein bottle cannot do without
}

TEST(SelfIntersections, TwoCubes) {
  PolygonMesh mesh = test::cube_mesh();
  test::append(mesh, test::cube_mesh(), {0.25, 0.25, 0.25});
  // Three faces of each, around a corner, are each cut by two of the other.
  const SelfIntersections found = self_intersections(mesh.surface());
  EXPECT_EQ(found.pairs.size(), 6u);
  EXPECT_TRUE(found.complete);
  for (const FacePair& pair : found.pairs) {
    EXPECT_LT(pair.a, 6u);
    EXPECT_GE(pair.b, 6u);
  }
  const MeshReport report = inspect(mesh);
  EXPECT_EQ(report.self_intersections.count, 6u);
  EXPECT_FALSE(report.solid());
  EXPECT_NE(describe(report).find("6 pairs of faces cut into each other: "), std::string::npos);
}

TEST(SelfIntersections, SoupsTouchWhereCornersCoincide) {
  // The same cube, each face with vertices of its own: nothing cuts.
  const PolygonMesh cube = test::fanned(test::cube_mesh());
  PolygonMesh soup;
  for (std::size_t f = 0; f < cube.face_count(); ++f) {
    std::vector<std::uint32_t> corners;
    for (const std::uint32_t c : cube.face(f)) {
      corners.push_back(static_cast<std::uint32_t>(soup.vertices.size()));
      soup.vertices.push_back(cube.vertices[c]);
    }
    soup.add_face(corners);
  }
  EXPECT_EQ(count(soup), 0u);
  // One face twice.
  soup.add_face(std::vector<std::uint32_t>{0, 1, 2});
  const SelfIntersections found = self_intersections(soup.surface());
  ASSERT_EQ(found.pairs.size(), 1u);
  EXPECT_EQ(found.pairs[0], (FacePair{0, 12}));
}

TEST(SelfIntersections, EndsAtTheLimit) {
  PolygonMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  for (int i = 0; i < 100; ++i) test::add_face(mesh, {0, 1, 2});
  EXPECT_EQ(count(mesh), 100u * 99 / 2);
  const SelfIntersections some = self_intersections(mesh.surface(), 10);
  EXPECT_EQ(some.pairs.size(), 10u);
  EXPECT_FALSE(some.complete);
}

/// A polygon that crosses itself very often must not hide that other faces do.
TEST(SelfIntersections, AWildFaceHidesNothing) {
  PolygonMesh mesh;
  std::vector<std::uint32_t> corners;
  for (std::uint32_t i = 0; i < 301; ++i) {
    const double angle = 2 * 3.14159265358979 * 31 * i / 301, radius = i % 2 == 0 ? 3 : 3.5;
    mesh.vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), 10});
    corners.push_back(i);
  }
  mesh.add_face(corners);
  const Vec3 crossing[6] = {{0, -1, -1}, {0, 1, -1},  {0, 0, 1},
                            {-1, 0, 0},  {1, 0.1, 0}, {1, -0.1, 0.1}};
  mesh.vertices.insert(mesh.vertices.end(), crossing, crossing + 6);
  test::add_face(mesh, {301, 302, 303});
  test::add_face(mesh, {304, 305, 306});
  const SelfIntersections found = self_intersections(mesh.surface(), 1);
  ASSERT_EQ(found.pairs.size(), 1u);
  EXPECT_EQ(found.pairs[0], (FacePair{1, 2}));
}

TEST(SelfIntersections, BadFacesTakeNoPart) {
  PolygonMesh mesh = test::cube_mesh();
  mesh.vertices.push_back({INFINITY, 0, 0});
  test::add_face(mesh, {0, 1, 8});  // a corner that is not a number
  test::add_face(mesh, {0, 1, 99}); // one that is not there
  test::add_face(mesh, {0, 1});
  EXPECT_EQ(count(mesh), 0u);
}

} // namespace carom
