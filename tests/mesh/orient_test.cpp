#include "carom/mesh/orient.h"

#include "carom/mesh/inspect.h"
#include "carom/mesh/mass_properties.h"
#include "tests/support/procedural_meshes.h"
#include "tests/support/property.h"

#include <algorithm>

namespace carom::test {
namespace {

PROPERTY(Orient, ClosedSurfacesOutward) {
  const PolygonMesh kinds[] = {cube_mesh(), torus_mesh(5, 4), sponge_mesh(1), sphere_mesh(1)};
  const PolygonMesh right = kinds[source.index(4)];
  PolygonMesh mesh = right;
  append(mesh, right, {10, 0, 0});
  const PolygonMesh expected = mesh;
  std::size_t turned = 0;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    if (!source.chance(2)) continue;
    turn_face(mesh, f);
    ++turned;
  }
  const OrientedMesh oriented = orient(mesh).value();
  REQUIRE(oriented.mesh.corners == expected.corners);
  REQUIRE(oriented.turned_faces == turned);
  REQUIRE(oriented.patches == 2 && oriented.closed_patches == 2 && oriented.flat_patches == 0);
  REQUIRE(oriented.not_orientable.empty() && oriented.conflicting_edges == 0);
}

TEST(Orient, MostFacesDecideWhereThereIsNoOutside) {
  PolygonMesh mesh = terrain_mesh(4);
  const PolygonMesh right = mesh;
  for (const std::size_t f : {0u, 3u, 7u}) turn_face(mesh, f);
  const OrientedMesh oriented = orient(mesh).value();
  EXPECT_EQ(oriented.mesh.corners, right.corners);
  EXPECT_EQ(oriented.turned_faces, 3u);
  EXPECT_EQ(oriented.closed_patches, 0u);
}

TEST(Orient, CavityIsKeptWhereAsked) {
  PolygonMesh mesh = cube_mesh(3);
  append(mesh, cube_mesh(), {1, 1, 1});
  for (std::size_t f = 6; f < 12; ++f) turn_over(mesh, f);
  const double hollow = mass_properties(mesh.surface()).volume;
  EXPECT_EQ(hollow, 26);
  turn_over(mesh, 8);
  EXPECT_EQ(mass_properties(orient(mesh, {.outward = false})->mesh.surface()).volume, 26);
  EXPECT_EQ(mass_properties(orient(mesh)->mesh.surface()).volume, 28);
}

TEST(Orient, MoebiusStripIsReported) {
  PolygonMesh mesh = terrain_mesh(2);
  append(mesh, moebius_mesh(7, 2), {5, 0, 0});
  append(mesh, klein_mesh(5, 6), {20, 0, 0});
  const OrientedMesh oriented = orient(mesh).value();
  EXPECT_EQ(oriented.patches, 3u);
  EXPECT_EQ(oriented.not_orientable, (std::vector<std::uint32_t>{4, 18}));
  EXPECT_GT(oriented.conflicting_edges, 0u);
  // The edges that are left disagreeing are all of them.
  EXPECT_EQ(inspect(oriented.mesh).inconsistent_edges.count, oriented.conflicting_edges);
}

TEST(Orient, CubesThatShareAnEdge) {
  PolygonMesh mesh = cube_mesh();
  append(mesh, cube_mesh(), {1, 1, 0});
  for (std::uint32_t& c : mesh.corners) c = c == 8 ? 3 : c == 12 ? 7 : c;
  const PolygonMesh right = mesh;
  for (std::size_t f = 6; f < 12; ++f) turn_over(mesh, f);
  turn_over(mesh, 1);
  const OrientedMesh oriented = orient(mesh).value();
  EXPECT_EQ(oriented.mesh.corners, right.corners);
  EXPECT_EQ(oriented.closed_patches, 2u);
}

TEST(Orient, FlatClosedSurfaceHasNoOutside) {
  PolygonMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  add_face(mesh, {0, 1, 2});
  add_face(mesh, {0, 2, 1});
  const OrientedMesh oriented = orient(mesh).value();
  EXPECT_EQ(oriented.closed_patches, 1u);
  EXPECT_EQ(oriented.flat_patches, 1u);
  EXPECT_EQ(oriented.turned_faces, 0u);
}

PROPERTY(Orient, AnySoup) {
  const PolygonMesh mesh = soup_mesh(source);
  const OrientedMesh oriented = orient(mesh).value();
  REQUIRE(oriented.mesh.face_begin == mesh.face_begin);
  std::size_t changed = 0;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    PolygonMesh turned = mesh;
    turn_face(turned, f);
    const bool kept = std::ranges::equal(oriented.mesh.face(f), mesh.face(f));
    REQUIRE(kept || std::ranges::equal(oriented.mesh.face(f), turned.face(f)));
    changed += kept ? 0 : 1;
  }
  REQUIRE(changed <= oriented.turned_faces); // some read the same both ways
  REQUIRE(inspect(oriented.mesh).inconsistent_edges.count == oriented.conflicting_edges);
  // Once more changes nothing.
  REQUIRE(orient(oriented.mesh)->turned_faces == 0);
}

TEST(Orient, Refuses) {
  PolygonMesh mesh = cube_mesh();
  mesh.vertices[0].x = INFINITY;
  EXPECT_EQ(orient(mesh).error().code, ErrorCode::not_finite);
  mesh = cube_mesh();
  mesh.corners[3] = 9;
  EXPECT_EQ(orient(mesh).error().code, ErrorCode::out_of_range);
}

} // namespace
} // namespace carom::test
