#include "carom/mesh/obj_file.h"

#include "tests/mesh/random_mesh.h"
#include "tests/support/property.h"

namespace carom {
namespace {

std::string error_of(std::string_view text) {
  const Result<PolygonMesh> mesh = read_obj(text);
  if (mesh) return "no error";
  EXPECT_EQ(mesh.error().code, ErrorCode::bad_file);
  return mesh.error().message;
}

using Indices = std::vector<std::uint32_t>;

PROPERTY(ObjFile, WrittenAndReadIsTheSame) {
  const PolygonMesh mesh = test::random_named_mesh(source);
  const std::string text = write_obj(mesh).value();
  test::note() << text;
  const Result<PolygonMesh> back = read_obj(text);
  if (!back) test::note() << back.error().message;
  REQUIRE(back.has_value());
  REQUIRE(test::same_faces(mesh, *back));
  REQUIRE(mesh.parts == back->parts);
  REQUIRE(mesh.materials == back->materials);
  REQUIRE(mesh.material_names == back->material_names);
}

TEST(ObjFile, CornersInAllForms) {
  const PolygonMesh mesh =
      read_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
               "f 1 2 3 4\nf 1/1 2/2 3/3\nf 1//1 2//2 3//3\nf 1/1/1 2/2/2 3/3/3\n"
               "f -4 -3 -2\nf -1/-1/-1 +1/1 2/\n")
          .value();
  EXPECT_EQ(mesh.face_begin, (Indices{0, 4, 7, 10, 13, 16, 19}));
  EXPECT_EQ(mesh.corners, (Indices{0, 1, 2, 3, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 0, 1}));
  EXPECT_TRUE(mesh.parts.empty());
  EXPECT_TRUE(mesh.materials.empty());
}

TEST(ObjFile, NegativeIndicesCountFromTheLastVertexSoFar) {
  const PolygonMesh mesh =
      read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 5 5\nf -3 -2 -1\n").value();
  EXPECT_EQ(mesh.corners, (Indices{0, 1, 2, 1, 2, 3}));
}

TEST(ObjFile, VerticesMayComeAfterTheirFaces) {
  const PolygonMesh mesh = read_obj("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n").value();
  EXPECT_EQ(mesh.corners, (Indices{0, 1, 2}));
}

TEST(ObjFile, SpacesLineEndsAndMarks) {
  const PolygonMesh wanted = read_obj("v 0 0 0.5\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").value();
  for (const char* text : {
           "v 0 0 0.5\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",
           "v 0 0 0.5\rv 1 0 0\rv 0 1 0\rf 1 2 3",
           "\xef\xbb\xbfv 0 0 0.5\nv 1 0 0\nv 0 1 0\nf 1 2 3",
           "\tv\t0  0\t.5 \n\n  v 1. 0e5 0 # a comment\nv 0 +1 -0 \t\n# f 1 2 1\nf 1 2 3 #\n",
           "v 0 0 \\\n0.5\nv 1 0 0\nv \\\r\n0 1 \\\n0\nf 1\\\n 2\\\n 3\\\n",
       }) {
    const Result<PolygonMesh> mesh = read_obj(text);
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(mesh->vertices, wanted.vertices);
    EXPECT_EQ(mesh->corners, wanted.corners);
  }
}

TEST(ObjFile, ContinuedLinesKeepLineNumbers) {
  EXPECT_EQ(error_of("v 1 \\\n2 \\\n3\nv 1 2\n"),
            "line 4: the line ends where the z coordinate should be");
  EXPECT_EQ(error_of("v 1 2 3\nf 1 \\\n x\n"),
            "line 2: 'x' is not an integer: it should be a corner");
  // A comment does not continue: paths end with '\' there.
  EXPECT_EQ(read_obj("# C:\\meshes\\\nv 1 2 3\n").value().vertices.size(), 1u);
}

TEST(ObjFile, ObjectsAndGroupsAreParts) {
  const PolygonMesh mesh = read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no empty\no car\ng wheel\n"
                                    "f 1 2 3\nf 1 2 3\ng door left\nf 1 2 3\no house\nf 1 2 3\n"
                                    "g\nf 1 2 3\no last\n")
                               .value();
  const std::vector<MeshPart> wanted = {
      {"", 0}, {"car/wheel", 1}, {"car/door left", 3}, {"house", 4}, {"house", 5}};
  EXPECT_EQ(mesh.parts, wanted);
}

TEST(ObjFile, MaterialsAreNumberedByFirstUse) {
  const PolygonMesh mesh = read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nusemtl red\nf 1 2 3\n"
                                    "usemtl dark blue\nf 1 2 3\nusemtl red\nf 1 2 3\n")
                               .value();
  EXPECT_EQ(mesh.materials, (Indices{0, 1, 2, 1}));
  EXPECT_EQ(mesh.material_names, (std::vector<std::string>{"", "red", "dark blue"}));
}

TEST(ObjFile, WhatIsNotUsedIsCounted) {
  MeshFileReport report;
  const PolygonMesh mesh =
      read_obj("6540 2180\nmtllib a.mtl\nv 0 0 0\nv 1 0 0 1 0 0\nv 0 1 0 1\nvt 0 0\nvt 1 1\n"
               "vn 0 0 1\ns off\nf 1 2 3\nl 1 2\nl 2 3\np 1\nhello world\ncurv 0 1 1 2\nvp 1 2\n",
               &report)
          .value();
  EXPECT_EQ(mesh.vertices.size(), 3u);
  EXPECT_EQ(report.format, MeshFormat::obj);
  EXPECT_EQ(report.colors, 2u);
  EXPECT_EQ(report.texture_coordinates, 2u);
  EXPECT_EQ(report.normals, 1u);
  EXPECT_EQ(report.lines, 2u);
  EXPECT_EQ(report.points, 1u);
  EXPECT_EQ(report.other_statements, 4u);
  EXPECT_EQ(report.unknown_lines, 2u);
  EXPECT_EQ(report.first_unknown_line, 1u);
}

TEST(ObjFile, ObjectsAreToldByTheirPlaceAlsoWhereNamesRepeat) {
  MeshFileReport report;
  const auto mesh = read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
                             "o bolt\nf 1 2 3\ng head\nf 1 2 3\n"
                             "o empty\no bolt\nf 1 2 3\n",
                             &report);
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->parts,
            (std::vector<MeshPart>{{"", 0}, {"bolt", 1}, {"bolt/head", 2}, {"bolt", 3}}));
  EXPECT_EQ(report.objects, (std::vector<MeshPart>{{"bolt", 1}, {"bolt", 3}}));
}

TEST(ObjFile, ErrorsSayWhere) {
  EXPECT_EQ(error_of(""), "the file is empty");
  EXPECT_EQ(error_of("<!DOCTYPE html>\n<html>\n"), "line 1: not OBJ: nothing in this file is");
  EXPECT_EQ(error_of("v 0 0 0\nv 1 abc 0\n"),
            "line 2: 'abc' is not a number: it should be the y coordinate");
  EXPECT_EQ(error_of("v 1,5 0 0\n"),
            "line 1: '1,5' is not a number: it should be the x coordinate");
  EXPECT_EQ(error_of("v nan 0 0\n"),
            "line 1: 'nan' is not a number: it should be the x coordinate");
  EXPECT_EQ(error_of("v 0 0 1e999\n"),
            "line 1: '1e999' is too great for a double: it should be the z coordinate");
  EXPECT_EQ(error_of("v 0 0"), "line 1: the file ends where the z coordinate should be");
  EXPECT_EQ(error_of("\n\nv 0 0 0\nf 0 1 1\n"),
            "line 4: vertex 0 does not exist: they are counted from 1");
  EXPECT_EQ(error_of("v 0 0 0\nf 1 1 1\nf 1 1 3\nf 1 9 1\nv 1 1 1\n"),
            "line 3: vertex 3 does not exist: there are 2");
  EXPECT_EQ(error_of("v 0 0 0\nf -1 -1 -2\nv 1 1 1\n"),
            "line 2: vertex -2 does not exist: there are 1 so far");
  EXPECT_EQ(error_of("v 0 0 0\nf 1 1 4294967297\n"),
            "line 2: vertex 4294967297 does not exist: there are 1");
  EXPECT_EQ(error_of("v 0 0 0\nf 1 1 99999999999999999999\n"),
            "line 2: '99999999999999999999' is not an integer: it should be a corner");
  EXPECT_EQ(error_of("v 0 0 0\nf 1/a 1 1\n"),
            "line 2: a corner is written as 1, 1/2, 1//3 or 1/2/3");
  EXPECT_EQ(error_of("v 0 0 0\nf 1.5 1 1\n"),
            "line 2: '1.5' is not an integer: it should be a corner");
}

TEST(ObjFile, RefusesToWriteWhatCannotBeRead) {
  PolygonMesh mesh;
  mesh.vertices = {{0, 0, 0}, {0, NAN, 0}};
  EXPECT_EQ(write_obj(mesh).error().code, ErrorCode::not_finite);
  mesh.vertices = {{0, 0, 0}};
  mesh.add_face(std::vector<std::uint32_t>{0, 0, 1});
  EXPECT_EQ(write_obj(mesh).error().code, ErrorCode::out_of_range);
  mesh.vertices.push_back({1, 1, 1});
  EXPECT_TRUE(write_obj(mesh));
  mesh.materials = {0, 0};
  EXPECT_EQ(write_obj(mesh).error().code, ErrorCode::out_of_range);
  mesh.materials.clear();
  mesh.face_begin = {0, 4};
  EXPECT_EQ(write_obj(mesh).error().code, ErrorCode::out_of_range);
}

TEST(ObjFile, OddNamesDoNotBreakTheFile) {
  PolygonMesh mesh;
  mesh.vertices = {{0, 0, 0}};
  mesh.add_face(std::vector<std::uint32_t>{0, 0, 0});
  mesh.parts = {{"two\nlines \\", 0}};
  mesh.materials = {7};
  const PolygonMesh back = read_obj(write_obj(mesh).value()).value();
  EXPECT_EQ(back.parts, (std::vector<MeshPart>{{"two_lines _", 0}}));
  EXPECT_EQ(back.material_names, (std::vector<std::string>{"material7"}));
}

} // namespace
} // namespace carom
