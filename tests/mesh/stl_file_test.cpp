#include "carom/mesh/stl_file.h"

#include "carom/mesh/byte_order.h"
#include "tests/mesh/random_mesh.h"
#include "tests/support/property.h"

#include <limits>

namespace carom {
namespace {

using Indices = std::vector<std::uint32_t>;

std::string error_of(std::string_view bytes) {
  const Result<PolygonMesh> mesh = read_stl(bytes);
  if (mesh) return "no error";
  EXPECT_EQ(mesh.error().code, ErrorCode::bad_file);
  return mesh.error().message;
}

/// The corners' coordinates in order: what STL keeps. Equal as numbers, since equal points share a vertex.
std::vector<Vec3> corner_points(const PolygonMesh& mesh) {
  std::vector<Vec3> points;
  for (const std::uint32_t c : mesh.corners) points.push_back(mesh.vertices[c]);
  return points;
}

bool all_different(const std::vector<Vec3>& points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (points[i] == points[j]) return false;
    }
  }
  return true;
}

PROPERTY(StlFile, TextWrittenAndReadIsTheSame) {
  const PolygonMesh mesh = test::random_named_mesh(source, {.triangles = true});
  const std::string text = write_stl(mesh).value();
  test::note() << text;
  const Result<PolygonMesh> back = read_stl(text);
  REQUIRE(back.has_value());
  REQUIRE(corner_points(mesh) == corner_points(*back));
  REQUIRE(mesh.face_begin == back->face_begin);
  REQUIRE(mesh.parts == back->parts);
  REQUIRE(all_different(back->vertices));
}

PROPERTY(StlFile, BinaryWrittenAndReadIsTheSameForFloats) {
  const PolygonMesh mesh = test::random_mesh(source, {.triangles = true, .floats = true});
  const std::string bytes = write_stl(mesh, true).value();
  REQUIRE(bytes.size() == 84 + 50 * mesh.face_count());
  MeshFileReport report;
  const Result<PolygonMesh> back = read_stl(bytes, &report);
  REQUIRE(back.has_value());
  REQUIRE(report.binary && report.normals == mesh.face_count());
  REQUIRE(corner_points(mesh) == corner_points(*back));
  REQUIRE(mesh.face_begin == back->face_begin);
  REQUIRE(all_different(back->vertices));
}

constexpr const char* two_solids =
    "solid first one\n"
    "  facet normal 0 0 1\n    outer loop\n      vertex 0 0 0\n"
    "      vertex 1 0 0\n      vertex 0 1 0\n    endloop\n  endfacet\n"
    "endsolid first one\n"
    "SOLID\nFACET NORMAL nan nan nan OUTER LOOP VERTEX 1 0 0\n"
    "VERTEX 1 1 0\nVERTEX -0 1 0\nENDLOOP ENDFACET\nENDSOLID\n";

TEST(StlFile, SolidsAreParts) {
  MeshFileReport report;
  const PolygonMesh mesh = read_stl(two_solids, &report).value();
  EXPECT_FALSE(report.binary);
  EXPECT_EQ(report.normals, 2u);
  EXPECT_EQ(report.unknown_lines, 0u);
  EXPECT_EQ(mesh.corners, (Indices{0, 1, 2, 1, 3, 2})); // -0 is 0
  EXPECT_EQ(mesh.parts, (std::vector<MeshPart>{{"first one", 0}, {"", 1}}));
}

TEST(StlFile, EqualMeansExactlyEqual) {
  const PolygonMesh mesh = read_stl("solid\nfacet normal 0 0 1\nouter loop\nvertex 0.1 0 0\n"
                                    "vertex 0.10000000000000002 0 0\nvertex 1e-1 0 0\nendloop\n"
                                    "endfacet\nendsolid\n")
                               .value();
  EXPECT_EQ(mesh.corners, (Indices{0, 1, 0}));
}

TEST(StlFile, TextQuirks) {
  MeshFileReport report;
  const std::string text(two_solids);
  std::string crlf;
  for (const char c : text) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(read_stl(crlf).value().corners.size(), 6u);
  EXPECT_EQ(read_stl("\xef\xbb\xbf\n\n" + text).value().corners.size(), 6u);
  EXPECT_EQ(read_stl(text.substr(0, text.size() - 1)).value().corners.size(), 6u);
  EXPECT_EQ(read_stl("solid a\ncolor 1 0 0\nendsolid a\n", &report).value().corners.size(), 0u);
  EXPECT_EQ(report.unknown_lines, 1u);
  EXPECT_EQ(report.first_unknown_line, 2u);
}

std::string binary_triangles(std::uint32_t claimed, int triangles, const char* head = "") {
  std::string bytes(head);
  bytes.resize(80, ' ');
  append_bytes(bytes, claimed, ByteOrder::little);
  for (int t = 0; t < triangles; ++t) {
    for (int i = 0; i < 12; ++i) append_bytes(bytes, static_cast<float>(i * t), ByteOrder::little);
    append_bytes(bytes, std::uint16_t{1}, ByteOrder::little);
  }
  return bytes;
}

TEST(StlFile, BinaryMayBeginWithSolid) {
  MeshFileReport report;
  const std::string bytes = binary_triangles(2, 2, "solid made by a careless program");
  EXPECT_TRUE(is_stl(bytes));
  EXPECT_EQ(read_stl(bytes, &report).value().face_count(), 2u);
  EXPECT_TRUE(report.binary);
  EXPECT_EQ(report.colors, 2u);
  // Even where its size is wrong.
  EXPECT_EQ(error_of(bytes.substr(0, 150)), "byte 80: it says 2 triangles, but has bytes for 1: "
                                            "it is cut off, or not STL");
}

TEST(StlFile, WrongCounts) {
  MeshFileReport report;
  EXPECT_EQ(read_stl(binary_triangles(1, 2) + "x", &report).value().face_count(), 1u);
  EXPECT_EQ(report.trailing_bytes, 51u);
  EXPECT_EQ(error_of(binary_triangles(0, 2)), "byte 80: it says 0 triangles, but has bytes for 2: "
                                              "it is cut off, or not STL");
  EXPECT_EQ(
      error_of(binary_triangles(0xffffffff, 2)),
      "byte 80: it says 4294967295 triangles, but has bytes for 2: it is cut off, or not STL");
  EXPECT_EQ(error_of("some text"),
            "byte 9: the file ends in its header: it is cut off, or not STL");
}

TEST(StlFile, ErrorsSayWhere) {
  EXPECT_EQ(error_of(""), "the file is empty");
  EXPECT_EQ(error_of("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 x 0\n"),
            "line 4: 'x' is not a number: it should be the y coordinate");
  EXPECT_EQ(
      error_of("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nendloop\n"),
      "line 6: a facet needs three vertices or more");
  EXPECT_EQ(error_of("solid\nfacet normal 0 0 1\nvertex 0 0 0\n"),
            "line 3: 'vertex' stands where 'outer loop' should be");
  EXPECT_EQ(error_of("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"),
            "line 5: the file ends where 'vertex' or 'endloop' should be");
  EXPECT_EQ(error_of("solid a\n"),
            "line 2: the file ends inside of a solid: 'endsolid' is missing");
  std::string bytes = binary_triangles(2, 2);
  const float bad = std::numeric_limits<float>::infinity();
  std::memcpy(bytes.data() + 84 + 50 + 12 + 12 + 4, &bad, 4);
  EXPECT_EQ(error_of(bytes), "byte 158: triangle 1 has a coordinate that is not finite");
}

TEST(StlFile, WritesTrianglesOnly) {
  PolygonMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1e39, 0}};
  mesh.add_face(Indices{0, 1, 2});
  const std::string text = write_stl(mesh).value();
  EXPECT_EQ(text,
            "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\n"
            "endloop\nendfacet\nendsolid\n");
  mesh.add_face(Indices{0, 1, 3});
  EXPECT_TRUE(write_stl(mesh));
  EXPECT_EQ(write_stl(mesh, true).error().code, ErrorCode::out_of_range);
  mesh.add_face(Indices{0, 1, 2, 3});
  EXPECT_EQ(write_stl(mesh).error().message,
            "face 2 of the mesh has 4 corners; STL has triangles only: use triangulated()");
}

} // namespace
} // namespace carom
