#include "carom/mesh/triangulate.h"

#include "carom/mesh/mesh_file.h"
#include "tests/mesh/polygon_cases.h"
#include "tests/mesh/random_mesh.h"
#include "tests/support/data.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::fewer_when_sanitized;
using test::for_each_seed;
using test::Loops;
using test::Source;
using Indices = std::vector<std::uint32_t>;

/// Twice the area vector, exactly.
std::array<mpq_class, 3> doubled_area(std::span<const Vec3> loop) {
  std::array<mpq_class, 3> sum;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec3 &a = loop[i], &b = loop[(i + 1) % loop.size()];
    for (int k = 0; k < 3; ++k) {
      const int y = (k + 1) % 3, z = (k + 2) % 3;
      sum[static_cast<std::size_t>(k)] +=
          mpq_class(a[y]) * mpq_class(b[z]) - mpq_class(a[z]) * mpq_class(b[y]);
    }
  }
  return sum;
}

void expect_same_area(std::span<const Vec3> polygon, const PolygonTriangles& cut) {
  std::array<mpq_class, 3> area = doubled_area(polygon);
  for (const IndexTriple& t : cut.triangles) {
    const Vec3 corners[] = {polygon[t[0]], polygon[t[1]], polygon[t[2]]};
    const auto part = doubled_area(corners);
    for (std::size_t k = 0; k < 3; ++k) area[k] -= part[k];
  }
  for (const mpq_class& a : area) EXPECT_EQ(a, 0);
}

// A simple polygon of the plane put into space by an affine map, rounded: nearly flat, any direction, thin ones too.
TEST(Triangulate, PolygonsInSpace) {
  for_each_seed(fewer_when_sanitized(600), [](Source& source) {
    const std::vector<Vec2> p = test::random_simple(source, 3 + source.index(10), 0);
    if (p.empty()) return;
    const Vec3 u = test::direction(source);
    const Vec3 v = cross(u, perpendicular(u)) * std::ldexp(1.0, -source.index(12));
    const Vec3 origin = test::offset(source);
    std::vector<Vec3> polygon;
    for (const Vec2& q : p) polygon.push_back(origin + u * q.x + v * q.y);
    const PolygonTriangles cut = triangulate(polygon);
    EXPECT_EQ(cut.triangles.size(), p.size() - 2);
    expect_same_area(polygon, cut);
    // Far from the origin, what is thin may be crossed by its rounding.
    if (max_abs(origin) > 10) return;
    EXPECT_EQ(cut.forced, 0u);
    Vec3 normal;
    for (const IndexTriple& t : cut.triangles) {
      normal += cross(polygon[t[1]] - polygon[t[0]], polygon[t[2]] - polygon[t[0]]);
    }
    // Each triangle faces as the polygon does, unless it is so thin that rounding turns it: 16 epsilon of the size of its edges' product.
    for (const IndexTriple& t : cut.triangles) {
      const Vec3 n = cross(polygon[t[1]] - polygon[t[0]], polygon[t[2]] - polygon[t[0]]);
      EXPECT_GE(dot(n, normalized(normal)), -16 * 0x1p-52 * 4 * (1 + max_abs(origin)));
    }
  });
}

TEST(Triangulate, ShorterDiagonalOfQuads) {
  const std::vector<Vec3> wide = {{0, 0, 0}, {4, 1, 0}, {8, 0, 0}, {4, -1, 0}};
  const PolygonTriangles cut = triangulate(wide);
  ASSERT_EQ(cut.triangles.size(), 2u);
  for (const IndexTriple& t : cut.triangles) {
    EXPECT_TRUE(std::count(t.begin(), t.end(), 1u) == 1 && std::count(t.begin(), t.end(), 3u) == 1);
  }
  // A dart has one diagonal inside.
  const std::vector<Vec3> dart = {{0, 0, 0}, {5, -1, 0}, {1, 0, 0}, {5, 1, 0}};
  for (const IndexTriple& t : triangulate(dart).triangles) {
    EXPECT_TRUE(std::count(t.begin(), t.end(), 0u) == 1 && std::count(t.begin(), t.end(), 2u) == 1);
  }
}

TEST(Triangulate, MeshKeepsPartsAndMaterials) {
  PolygonMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 2, 0.25}};
  mesh.add_face(Indices{0, 1, 2});
  mesh.add_face(Indices{0, 1});
  mesh.add_face(Indices{0, 1, 2, 3});
  mesh.add_face(Indices{0, 1, 9, 3});
  mesh.add_face(Indices{0, 1, 2, 4, 3});
  mesh.materials = {3, 4, 5, 6, 7};
  mesh.parts = {{"a", 0}, {"b", 2}, {"none", 4}, {"c", 4}, {"end", 5}};
  TriangulationReport report;
  const PolygonMesh result = triangulated(mesh, &report);
  EXPECT_EQ(result.face_count(), 6u);
  EXPECT_EQ(result.materials, (Indices{3, 5, 5, 7, 7, 7}));
  EXPECT_EQ(result.parts,
            (std::vector<MeshPart>{{"a", 0}, {"b", 1}, {"none", 3}, {"c", 3}, {"end", 6}}));
  EXPECT_EQ(report.cut_faces, 2u);
  EXPECT_EQ(report.small_faces, 1u);
  EXPECT_EQ(report.bad_faces, 1u);
  EXPECT_EQ(report.forced_faces, 0u);
  EXPECT_GT(report.greatest_height, 0.01);
  EXPECT_EQ(report.highest_face, 4u);
  EXPECT_TRUE(write_mesh(result, MeshFormat::stl));
}

PROPERTY(Triangulate, AnyMesh) {
  const PolygonMesh mesh = test::random_named_mesh(source);
  std::size_t expected = 0;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    expected += mesh.face(f).size() < 3 ? 0 : mesh.face(f).size() - 2;
  }
  const PolygonMesh result = triangulated(mesh);
  REQUIRE(result.face_count() == expected);
  REQUIRE(result.corners.size() == 3 * expected);
  REQUIRE(result.materials.size() == (mesh.materials.empty() ? 0 : expected));
}

// Euler's count holds where it held: cutting a face adds as many edges as faces.
TEST(Triangulate, ExternalQuads) {
  CAROM_DATA_OR_SKIP(folder);
  const PolygonMesh suzanne = load_mesh((folder / "meshes" / "suzanne.obj").string()).value();
  TriangulationReport report;
  const PolygonMesh result = triangulated(suzanne, &report);
  EXPECT_EQ(result.face_count(), suzanne.corners.size() - 2 * suzanne.face_count());
  EXPECT_EQ(report.forced_faces, 0u);
  EXPECT_EQ(report.small_faces + report.bad_faces, 0u);
}

} // namespace
} // namespace carom
