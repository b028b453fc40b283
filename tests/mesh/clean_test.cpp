#include "carom/mesh/clean.h"

#include "carom/mesh/inspect.h"
#include "carom/mesh/mesh_check.h"
#include "tests/support/procedural_meshes.h"
#include "tests/support/property.h"

namespace carom::test {
namespace {

PROPERTY(Clean, RemovesWhatInspectCounts) {
  PolygonMesh mesh = soup_mesh(source);
  for (std::uint32_t f = 0; f < mesh.face_count(); ++f) mesh.materials.push_back(f);
  const PolygonMesh old = mesh;
  const auto kept_as_they_were = [&] {
    for (std::size_t f = 0; f < mesh.face_count(); ++f) {
      REQUIRE(std::ranges::equal(mesh.face(f), old.face(mesh.materials[f])));
    }
  };

  MeshReport report = inspect(mesh);
  REQUIRE(remove_duplicate_faces(mesh).value() == report.duplicate_faces.count);
  kept_as_they_were();
  report = inspect(mesh);
  REQUIRE(report.duplicate_faces.count == 0);

  REQUIRE(remove_degenerate_faces(mesh).value() ==
          report.few_corners.count + report.on_a_line.count);
  kept_as_they_were();
  report = inspect(mesh);
  REQUIRE(report.few_corners.count == 0 && report.on_a_line.count == 0);

  const bool closed = report.closed;
  REQUIRE(remove_opposite_faces(mesh).value() == 2 * report.opposite_faces.count);
  kept_as_they_were();
  report = inspect(mesh);
  REQUIRE(report.opposite_faces.count == 0);
  REQUIRE(!closed || report.closed || mesh.face_count() == 0);

  REQUIRE(remove_unreferenced_vertices(mesh).value() == report.unreferenced_vertices.count);
  report = inspect(mesh);
  REQUIRE(report.unreferenced_vertices.count == 0);
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    for (std::size_t i = 0; i < mesh.face(f).size(); ++i) {
      REQUIRE(mesh.vertices[mesh.face(f)[i]] == old.vertices[old.face(mesh.materials[f])[i]]);
    }
  }
}

/// Arrays that need not fit together.
PolygonMesh broken_mesh(Source& source) {
  PolygonMesh mesh = soup_mesh(source);
  const int breaks = source.index(6);
  for (int i = 0; i < breaks; ++i) {
    const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(source.below(n)); };
    const auto number = static_cast<std::uint32_t>(source.below(40));
    switch (source.index(7)) {
    case 0:
      if (!mesh.corners.empty()) mesh.corners[pick(mesh.corners.size())] = number;
      break;
    case 1:
      if (!mesh.face_begin.empty()) mesh.face_begin[pick(mesh.face_begin.size())] = number;
      break;
    case 2:
      mesh.vertices[pick(mesh.vertices.size())].y = NAN;
      break;
    case 3:
      mesh.vertices[pick(mesh.vertices.size())].z = 1e-200;
      break;
    case 4:
      mesh.materials.resize(number);
      break;
    case 5:
      mesh.parts.push_back({"part", number});
      break;
    default:
      mesh.face_begin.resize(number % (mesh.face_begin.size() + 1));
    }
  }
  return mesh;
}

PROPERTY(Clean, AnyMeshBecomesUsable) {
  const PolygonMesh mesh = broken_mesh(source);
  const UsableMesh usable = make_usable(mesh).value();
  REQUIRE(check_usable(usable.mesh).has_value());
  REQUIRE(usable.mesh.face_count() + usable.dropped_faces == mesh.face_count());
  REQUIRE(usable.mesh.vertices.size() + usable.dropped_vertices == mesh.vertices.size());
  REQUIRE(usable.mesh.parts.size() + usable.dropped_parts == mesh.parts.size());
  const MeshReport report = inspect(mesh);
  REQUIRE(usable.dropped_vertices == report.not_finite.count + report.out_of_range.count);
  if (check_usable(mesh)) {
    REQUIRE(usable.mesh.corners == mesh.corners && usable.mesh.materials == mesh.materials);
    REQUIRE(usable.mesh.parts == mesh.parts && usable.mesh.vertices == mesh.vertices);
  }
}

TEST(Clean, OppositeFacesGoInPairs) {
  PolygonMesh mesh = cube_mesh();
  for (int i = 0; i < 2; ++i)
    mesh.add_face(std::vector<std::uint32_t>{2, 6, 4, 0}); // face 0, backwards
  for (int i = 0; i < 4; ++i) mesh.add_face(std::vector<std::uint32_t>{0, 4, 6, 2}); // face 0 again
  EXPECT_EQ(remove_opposite_faces(mesh).value(), 4u);
  EXPECT_EQ(inspect(mesh).duplicate_faces.count, 2u);
  EXPECT_EQ(inspect(mesh).opposite_faces.count, 0u);
}

TEST(Clean, RefusesArraysThatDoNotFit) {
  PolygonMesh mesh = cube_mesh();
  mesh.corners[0] = 100;
  EXPECT_FALSE(remove_degenerate_faces(mesh));
  EXPECT_FALSE(remove_duplicate_faces(mesh));
  EXPECT_FALSE(remove_opposite_faces(mesh));
  EXPECT_FALSE(remove_unreferenced_vertices(mesh));
  EXPECT_EQ(mesh.face_count(), 6u);
}

} // namespace
} // namespace carom::test
