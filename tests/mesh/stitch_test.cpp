#include "carom/mesh/stitch.h"

#include "carom/mesh/inspect.h"
#include "carom/mesh/mass_properties.h"
#include "carom/mesh/mesh_check.h"
#include "tests/support/procedural_meshes.h"
#include "tests/support/property.h"

namespace carom::test {
namespace {

/// The unit cube with each side an n by n grid of its own vertices: n[side].
PolygonMesh divided_cube(const std::array<std::uint32_t, 6>& n) {
  PolygonMesh mesh;
  const PolygonMesh cube = cube_mesh();
  for (std::size_t side = 0; side < 6; ++side) {
    const auto c = cube.face(side);
    const Vec3 origin = cube.vertices[c[0]];
    const Vec3 u = cube.vertices[c[1]] - origin;
    const Vec3 v = cube.vertices[c[3]] - origin;
    append(mesh,
           grid_mesh(n[side], n[side], [&](double s, double t) { return origin + u * s + v * t; }));
  }
  return mesh;
}

PROPERTY(Stitch, SidesDividedDifferentlyExactly) {
  std::array<std::uint32_t, 6> n{};
  for (std::uint32_t& k : n) k = std::uint32_t{1} << source.below(4); // coordinates are exact
  const PolygonMesh mesh = divided_cube(n);
  const StitchedMesh stitched = stitch(mesh, 0).value();
  const MeshReport report = inspect(stitched.mesh);
  note() << describe(report);
  REQUIRE(report.solid());
  REQUIRE(report.components.size() == 1 && report.components[0].genus() == 0);
  REQUIRE(stitched.open_edges == 0 && stitched.t_junctions == 0 && stitched.dropped_faces == 0);
  REQUIRE(stitched.open_edges_before == 4u * (n[0] + n[1] + n[2] + n[3] + n[4] + n[5]));
  REQUIRE(mass_properties(stitched.mesh.surface()).volume == 1);
  REQUIRE(stitched.mesh.face_count() == mesh.face_count());
  REQUIRE(stitched.mesh.corners.size() == mesh.corners.size() + stitched.inserted_corners);
}

PROPERTY(Stitch, CracksOfAnyDivisionWithinTheTolerance) {
  std::array<std::uint32_t, 6> n{};
  for (std::uint32_t& k : n) k = 1 + static_cast<std::uint32_t>(source.below(5));
  PolygonMesh mesh = divided_cube(n);
  // Divisions up to 5 are at least 1/20 apart: the tolerance keeps them so, and is twice and more what the vertices moved.
  const double tolerance = 1e-3;
  for (Vec3& v : mesh.vertices) {
    const double x = source.uniform(-1, 1);
    const double y = source.uniform(-1, 1);
    const double z = source.uniform(-1, 1);
    v += Vec3{x, y, z} * (0.2 * tolerance);
  }
  const StitchedMesh stitched = stitch(mesh, tolerance).value();
  const MeshReport report = inspect(stitched.mesh, {.tolerance = tolerance});
  note() << describe(report);
  REQUIRE(report.closed && report.components.size() == 1);
  REQUIRE(report.components[0].genus() == 0);
  REQUIRE(stitched.open_edges == 0 && stitched.t_junctions == 0);
  // The surface moved by no more than the tolerance and the shaking: the volume by that times its area, 6.
  REQUIRE(std::fabs(mass_properties(stitched.mesh.surface()).volume - 1) <= 6 * 1.5 * tolerance);
}

TEST(Stitch, HolesStayOpen) {
  PolygonMesh mesh = cube_mesh();
  mesh.corners.resize(20);
  mesh.face_begin.pop_back();
  const StitchedMesh stitched = stitch(mesh, 1e-3).value();
  EXPECT_EQ(stitched.mesh.corners, mesh.corners);
  EXPECT_EQ(stitched.open_edges, 4u);
  EXPECT_EQ(stitched.welded_vertices + stitched.inserted_corners, 0u);
}

TEST(Stitch, InsideIsNotTouched) {
  // Vertices that coincide inside the surface are another matter than a crack: a cone whose tip meets another's.
  PolygonMesh mesh = sphere_mesh(0);
  append(mesh, sphere_mesh(0), {2, 0, 0});
  const StitchedMesh stitched = stitch(mesh, 1e-3).value();
  EXPECT_EQ(stitched.mesh.corners, mesh.corners);
}

TEST(Stitch, IntoTheNearerOfTwoEdges) {
  // A needle, and a corner of another triangle within the tolerance of both its long sides, nearer to the upper.
  PolygonMesh mesh;
  mesh.vertices = {{0, 0, 0}, {10, 0, 0}, {10, 0.5, 0}, {5, 0.3, 0}, {4, 5, 0}, {6, 5, 0}};
  add_face(mesh, {0, 1, 2});
  add_face(mesh, {3, 5, 4});
  const StitchedMesh stitched = stitch(mesh, 0.4).value();
  EXPECT_EQ(stitched.inserted_corners, 1u);
  EXPECT_EQ(stitched.mesh.corners, (std::vector<std::uint32_t>{0, 1, 2, 3, 3, 5, 4}));
}

TEST(Stitch, KeepsMaterialsAndParts) {
  PolygonMesh mesh = divided_cube({1, 2, 4, 1, 1, 2});
  for (std::uint32_t f = 0; f < mesh.face_count(); ++f) mesh.materials.push_back(f % 3);
  mesh.parts = {{"a", 0}, {"b", 5}};
  const StitchedMesh stitched = stitch(mesh, 0).value();
  EXPECT_EQ(stitched.mesh.materials, mesh.materials);
  EXPECT_EQ(stitched.mesh.parts, mesh.parts);
}

PROPERTY(Stitch, AnySoup) {
  const PolygonMesh mesh = soup_mesh(source);
  const double tolerance = source.chance(2) ? 0 : std::ldexp(1.0, -source.index(30));
  const StitchedMesh stitched = stitch(mesh, tolerance).value();
  REQUIRE(check_usable(stitched.mesh).has_value());
  REQUIRE(stitched.mesh.face_count() + stitched.dropped_faces == mesh.face_count());
  REQUIRE(stitched.mesh.vertices.size() + stitched.welded_vertices == mesh.vertices.size());
  REQUIRE(stitched.face_of.size() == stitched.mesh.face_count());
  REQUIRE(inspect(stitched.mesh, {.tolerance = tolerance}).t_junctions.count ==
          stitched.t_junctions);
}

TEST(Stitch, Refuses) {
  PolygonMesh mesh = divided_cube({1, 1, 1, 1, 1, 2});
  EXPECT_FALSE(stitch(mesh, -1));
  EXPECT_FALSE(stitch(mesh, NAN));
  EXPECT_FALSE(stitch(mesh, 1e-18));
  mesh.vertices[0].x = NAN;
  EXPECT_FALSE(stitch(mesh, 0.1));
}

} // namespace
} // namespace carom::test
