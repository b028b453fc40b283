#include "carom/mesh/off_file.h"

#include "tests/mesh/random_mesh.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using Indices = std::vector<std::uint32_t>;

std::string error_of(std::string_view text) {
  const Result<PolygonMesh> mesh = read_off(text);
  if (mesh) return "no error";
  EXPECT_EQ(mesh.error().code, ErrorCode::bad_file);
  return mesh.error().message;
}

PROPERTY(OffFile, WrittenAndReadIsTheSame) {
  const PolygonMesh mesh = test::random_mesh(source);
  const std::string text = write_off(mesh).value();
  test::note() << text;
  const Result<PolygonMesh> back = read_off(text);
  if (!back) test::note() << back.error().message;
  REQUIRE(back.has_value());
  REQUIRE(test::same_faces(mesh, *back));
}

TEST(OffFile, FirstLineInAllForms) {
  const std::string data = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n";
  for (const char* start :
       {"OFF\n4 2 5\n", "OFF 4 2 5\n", "OFF4 2 5\n", "4 2 5\n", "OFF\n4 2\n", "COFF\n4 2 5\n",
        "# a comment\nOFF # another\n\n# and more\n4 2 5 # still\n\n", "STOFF\n4 2 5\n",
        "NOFF\n4 2 5\n", "STCNOFF\n4 2 5\n", "\xef\xbb\xbfOFF\r\n4 2 5\r\n", "OFF\t\n 4\t2 5\n"}) {
    const Result<PolygonMesh> mesh = read_off(start + data);
    ASSERT_TRUE(mesh) << start << mesh.error().message;
    EXPECT_EQ(mesh->vertices.size(), 4u) << start;
    EXPECT_EQ(mesh->corners, (Indices{0, 1, 2, 0, 2, 3})) << start;
  }
  EXPECT_EQ(read_off("OFF 0 0 0").value().face_count(), 0u);
  EXPECT_EQ(read_off("OFF 1 1 0\r1 2 3\r1 0").value().face_count(), 1u);
}

TEST(OffFile, WhatIsNotUsedIsCounted) {
  MeshFileReport report;
  EXPECT_TRUE(read_off("COFF\n3 1 0\n0 0 0 255 0 0 255\n1 0 0 0 0 0 1\n1 1 0 # none\n"
                       "3 0 1 2 0.5 0.5 0.5\nand more\n",
                       &report));
  EXPECT_EQ(report.format, MeshFormat::off);
  EXPECT_EQ(report.colors, 3u);
  EXPECT_EQ(report.unknown_lines, 1u);
  EXPECT_EQ(report.first_unknown_line, 7u);
  EXPECT_TRUE(read_off("STNOFF\n1 0 0\n0 0 0 0 0 1 0.5 0.5\n", &report));
  EXPECT_EQ(report.normals, 1u);
  EXPECT_EQ(report.texture_coordinates, 1u);
  EXPECT_EQ(report.colors, 0u);
}

TEST(OffFile, ErrorsSayWhere) {
  EXPECT_EQ(error_of(""), "the file is empty");
  EXPECT_EQ(error_of("# nothing\n"), "line 2: the file has no data");
  EXPECT_EQ(error_of("OFF\n"), "line 2: the file ends where the counts should be");
  EXPECT_EQ(error_of("OFF BINARY\n"), "line 1: binary OFF is not read");
  EXPECT_EQ(error_of("4OFF\n1 1 1\n"), "line 1: OFF of other than 3 dimensions is not read");
  EXPECT_EQ(error_of("COFFEE\n1 1 1\n"),
            "line 1: 'COFFEE' is not an integer: it should be the number of vertices");
  EXPECT_EQ(error_of("OFF\n-1 0 0\n"), "line 2: the number of vertices is negative");
  EXPECT_EQ(error_of("OFF\n1000000000 0 0\n0 0 0\n"),
            "line 2: 1000000000 vertices and 0 faces do not fit in the file's 9 bytes: it is cut "
            "off, or the counts are wrong");
  EXPECT_EQ(error_of("OFF\n2 0 0\n0 0 0          \n"),
            "line 4: the file ends after 1 of 2 vertices");
  EXPECT_EQ(error_of("OFF\n1 2 0\n0 0 0\n1 0  \n"), "line 5: the file ends after 1 of 2 faces");
  EXPECT_EQ(error_of("OFF\n1 1 0\n0 0 0\n1 1\n"),
            "line 4: vertex 1 does not exist: there are 1, counted from 0");
  EXPECT_EQ(error_of("OFF\n1 1 0\n0 0 0\n1 -1\n"),
            "line 4: vertex -1 does not exist: there are 1, counted from 0");
  EXPECT_EQ(error_of("OFF\n1 1 0\n0 0 0\n2 0\n"), "line 4: the line ends where a corner should be");
  EXPECT_EQ(error_of("OFF\n1 1 0\n0 zero 0\n2 0\n"),
            "line 3: 'zero' is not a number: it should be the y coordinate");
}

} // namespace
} // namespace carom
