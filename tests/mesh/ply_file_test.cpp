#include "carom/mesh/ply_file.h"

#include "carom/mesh/byte_order.h"
#include "carom/mesh/ply_header.h"
#include "tests/mesh/random_mesh.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using Indices = std::vector<std::uint32_t>;
using test::Source;

std::string error_of(std::string_view bytes) {
  const Result<PolygonMesh> mesh = read_ply(bytes);
  if (mesh) return "no error";
  EXPECT_EQ(mesh.error().code, ErrorCode::bad_file);
  return mesh.error().message;
}

PROPERTY(PlyFile, WrittenAndReadIsTheSame) {
  const PolygonMesh mesh = test::random_named_mesh(source);
  const auto encoding = static_cast<MeshEncoding>(source.index(3));
  const std::string bytes = write_ply(mesh, encoding).value();
  test::note() << bytes;
  MeshFileReport report;
  const Result<PolygonMesh> back = read_ply(bytes, &report);
  if (!back) test::note() << back.error().message;
  REQUIRE(back.has_value());
  REQUIRE(test::same_faces(mesh, *back));
  REQUIRE(mesh.materials == back->materials);
  REQUIRE(report.binary == (encoding != MeshEncoding::text));
  REQUIRE(report.trailing_bytes == 0 && report.unknown_lines == 0 && report.other_properties == 0);
}

/// A file of any property order and types, made here from the mesh, with things that are to be skipped.
class OddWriter {
public:
  OddWriter(Source& source, const PolygonMesh& mesh)
      : source_(source), mesh_(mesh), encoding_(source.index(3)) {}

  std::string write() {
    static constexpr const char* formats[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    text_ =
        std::string("ply\ncomment odd\nformat ") + formats[encoding_] + " 1.0\nobj_info made up\n";
    const bool faces_first = source_.index(2) == 1;
    std::string data;
    for (int i = 0; i < 2; ++i) {
      if (source_.index(2)) junk(data, "junk" + std::to_string(i));
      if ((i == 0) == faces_first) {
        faces(data);
      } else {
        vertices(data);
      }
    }
    return text_ + "end_header\n" + data;
  }
  std::size_t junk_items = 0, extra_properties = 0;

private:
  void number(std::string& data, PlyType type, double x) {
    const ByteOrder order = encoding_ == 2 ? ByteOrder::big : ByteOrder::little;
    if (encoding_ == 0) {
      char text[64];
      std::snprintf(text, sizeof text, "%.17g%s", x, source_.chance(5) ? "\n" : " ");
      data += text;
      return;
    }
    switch (type) {
    case PlyType::int8:
      return append_bytes(data, static_cast<std::int8_t>(x), order);
    case PlyType::uint8:
      return append_bytes(data, static_cast<std::uint8_t>(x), order);
    case PlyType::int16:
      return append_bytes(data, static_cast<std::int16_t>(x), order);
    case PlyType::uint16:
      return append_bytes(data, static_cast<std::uint16_t>(x), order);
    case PlyType::int32:
      return append_bytes(data, static_cast<std::int32_t>(x), order);
    case PlyType::uint32:
      return append_bytes(data, static_cast<std::uint32_t>(x), order);
    case PlyType::int64:
      return append_bytes(data, static_cast<std::int64_t>(x), order);
    case PlyType::uint64:
      return append_bytes(data, static_cast<std::uint64_t>(x), order);
    case PlyType::float32:
      return append_bytes(data, static_cast<float>(x), order);
    case PlyType::float64:
      return append_bytes(data, x, order);
    }
  }
  PlyType any_type() { return static_cast<PlyType>(source_.index(10)); }
  static std::string name(PlyType type, bool other) {
    static constexpr const char* names[] = {"char", "uchar", "short",  "ushort", "int",
                                            "uint", "int64", "uint64", "float",  "double"};
    static constexpr const char* others[] = {"int8",   "uint8", "int16",  "uint16",  "int32",
                                             "uint32", "int64", "uint64", "float32", "float64"};
    return (other ? others : names)[static_cast<std::size_t>(type)];
  }
  std::string any_name(PlyType type) { return name(type, source_.index(2) == 1); }

  struct Column {
    std::string name;
    PlyType type;
    bool list;
    PlyType count_type;
  };
  Column extra(const std::string& label) {
    const PlyType type = any_type(), count_type = any_type();
    const bool list = source_.index(2) == 1;
    ++extra_properties;
    return {label, type, list, count_type};
  }
  void declare(const Column& c) {
    text_ += "property ";
    if (c.list) text_ += "list " + any_name(c.count_type) + ' ';
    text_ += any_name(c.type) + ' ' + c.name + '\n';
  }
  void skipped(std::string& data, const Column& c) {
    const int count = c.list ? source_.index(4) : 1;
    if (c.list) number(data, c.count_type, count);
    for (int i = 0; i < count; ++i) number(data, c.type, source_.index(100));
  }
  std::vector<Column> shuffled(std::vector<Column> columns) {
    for (std::size_t i = columns.size(); i > 1; --i) {
      std::swap(columns[i - 1], columns[source_.below(i)]);
    }
    return columns;
  }

  void junk(std::string& data, const std::string& label) {
    const int count = source_.index(4);
    text_ += "element " + label + ' ' + std::to_string(count) + '\n';
    const Column column = extra("anything");
    --extra_properties;
    declare(column);
    for (int i = 0; i < count; ++i) skipped(data, column);
    junk_items += static_cast<std::size_t>(count);
  }
  void vertices(std::string& data) {
    text_ += "element vertex " + std::to_string(mesh_.vertices.size()) + '\n';
    std::vector<Column> columns;
    for (const char* axis : {"x", "y", "z"}) columns.push_back({axis, PlyType::float64, false, {}});
    if (source_.index(2)) columns.push_back(extra("quality"));
    columns = shuffled(columns);
    for (const Column& c : columns) declare(c);
    for (const Vec3& p : mesh_.vertices) {
      for (const Column& c : columns) {
        if (c.name == "quality") {
          skipped(data, c);
        } else {
          number(data, c.type, p[c.name[0] - 'x']);
        }
      }
    }
  }
  void faces(std::string& data) {
    text_ += "element face " + std::to_string(mesh_.face_count()) + '\n';
    static constexpr PlyType counts[] = {PlyType::uint16, PlyType::int16,   PlyType::uint32,
                                         PlyType::int64,  PlyType::float32, PlyType::float64};
    std::vector<Column> columns;
    const PlyType type = any_type(), count_type = counts[source_.index(6)];
    columns.push_back(
        {source_.index(2) ? "vertex_indices" : "vertex_index", type, true, count_type});
    if (source_.index(2)) columns.push_back(extra("flags"));
    columns = shuffled(columns);
    for (const Column& c : columns) declare(c);
    for (std::size_t f = 0; f < mesh_.face_count(); ++f) {
      for (const Column& c : columns) {
        if (c.name == "flags") {
          skipped(data, c);
          continue;
        }
        number(data, c.count_type, static_cast<double>(mesh_.face(f).size()));
        for (const std::uint32_t corner : mesh_.face(f)) number(data, c.type, corner);
      }
    }
  }

  Source& source_;
  const PolygonMesh& mesh_;
  int encoding_;
  std::string text_;
};

PROPERTY(PlyFile, AnyOrderAndTypes) {
  const PolygonMesh mesh = test::random_mesh(source);
  OddWriter writer(source, mesh);
  const std::string bytes = writer.write();
  test::note() << bytes;
  MeshFileReport report;
  const Result<PolygonMesh> back = read_ply(bytes, &report);
  if (!back) test::note() << back.error().message;
  REQUIRE(back.has_value());
  REQUIRE(test::same_faces(mesh, *back));
  REQUIRE(report.other_elements == writer.junk_items);
  REQUIRE(report.other_properties == writer.extra_properties);
  REQUIRE(report.trailing_bytes == 0 && report.unknown_lines == 0);
}

TEST(PlyFile, WhatIsNotUsedIsCounted) {
  MeshFileReport report;
  const PolygonMesh mesh =
      read_ply("ply\r\nformat ascii 1.0\r\nelement vertex 2\r\nproperty float nx\r\n"
               "property float x\r\nproperty float y\r\nproperty float z\r\nproperty uchar red\r\n"
               "property float s\r\nelement face 1\r\nproperty list uchar int vertex_indices\r\n"
               "property list uchar float texcoord\r\nelement edge 1\r\nproperty int a\r\n"
               "element nothing 4000000000000\r\nend_header\r\n"
               "9 1 2 3 255 0.5\r\n9 4 5 6 255 0.5\r\n3 0 1 0 2 0.5 0.5\r\n7\r\nmore\r\n",
               &report)
          .value();
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(mesh.corners, (Indices{0, 1, 0}));
  EXPECT_EQ(report.normals, 2u);
  EXPECT_EQ(report.colors, 2u);
  EXPECT_EQ(report.texture_coordinates, 3u);
  EXPECT_EQ(report.lines, 1u);
  EXPECT_EQ(report.other_elements, 4000000000000u);
  EXPECT_EQ(report.other_properties, 0u);
  EXPECT_EQ(report.unknown_lines, 1u);
  EXPECT_EQ(report.first_unknown_line, 21u);
}

TEST(PlyFile, VerticesAlone) {
  EXPECT_EQ(read_ply("ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int y\n"
                     "property int z\nend_header\n1 2 3")
                .value()
                .vertices.size(),
            1u);
  EXPECT_EQ(read_ply("ply\nformat ascii 1.0\nend_header\n").value().face_count(), 0u);
  EXPECT_EQ(read_ply("ply\rformat ascii 1.0\rend_header\r").value().face_count(), 0u);
}

const std::string head =
    "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
    "property float z\nelement face 1\nproperty list uchar int vertex_index\n"
    "end_header\n";

TEST(PlyFile, ErrorsSayWhere) {
  EXPECT_EQ(error_of(""), "the file is empty");
  EXPECT_EQ(error_of("plain text\n"), "line 1: a PLY file begins with 'ply'");
  EXPECT_EQ(error_of("ply\nelement vertex 1\n"),
            "line 3: the file ends in its head: 'end_header' is missing");
  EXPECT_EQ(error_of("ply\nend_header\n"), "line 3: the head has no line 'format'");
  EXPECT_EQ(error_of("ply\nformat latin 1.0\n"), "line 2: 'latin' is not a format of PLY");
  EXPECT_EQ(error_of("ply\nformat ascii 1.0\nproperty int x\n"),
            "line 3: a property comes before the first element");
  EXPECT_EQ(error_of("ply\nformat ascii 1.0\nelement vertex many\n"),
            "line 3: 'many' is not an integer: it should be the element's count");
  EXPECT_EQ(error_of("ply\nelement vertex 1\nproperty real x\n"),
            "line 3: 'real' is not a type of PLY");
  EXPECT_EQ(error_of("ply\nelement vertex 1\nproperty int x\nproperty int x\n"),
            "line 4: element 'vertex' has two properties 'x'");
  EXPECT_EQ(error_of("ply\nelement vertex 1\nelement vertex 1\n"),
            "line 3: there are two elements 'vertex'");
  EXPECT_EQ(error_of("ply\nwhat\n"), "line 2: 'what' is not known in the head of a PLY file");
  EXPECT_EQ(error_of(head + "0 0 zero\n1 0\n"),
            "line 10: 'zero' is not a number: it should be the z coordinate");
  EXPECT_EQ(error_of(head + "0 0 0\n3 0 0 1\n"),
            "line 11: vertex 1 does not exist: there are 1, counted from 0");
  EXPECT_EQ(error_of(head + "0 0 0\n3 0 0 -1\n"), "line 11: -1 cannot be a corner");
  EXPECT_EQ(error_of(head + "0 0 0\n1.5 0 0\n"), "line 11: 1.5 cannot be the number of corners");
  EXPECT_EQ(error_of(head + "0 0 0\n3 0 0\n"), "line 12: the file ends where a corner should be");
  EXPECT_EQ(
      error_of("ply\nformat ascii 1.0\nelement vertex 5000000000\nproperty float x\nproperty float "
               "y\nproperty float z\nend_header\n0 0 0\n"),
      "line 8: 5000000000 of element 'vertex' do not fit in the rest of the file: it is cut off, "
      "or the count is wrong");
  EXPECT_EQ(error_of("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n"),
            "line 6: element 'vertex' has no property x, y or z");
  EXPECT_EQ(error_of("ply\nformat ascii 1.0\nelement face 1\nproperty int x\nend_header\n0\n"),
            "line 6: element 'face' has no list 'vertex_indices'");
}

TEST(PlyFile, BinaryErrorsSayWhichByte) {
  std::string bytes = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\n"
                      "property float y\nproperty float z\nelement face 1\n"
                      "property list uchar int vertex_index\nend_header\n";
  const std::size_t start = bytes.size();
  const auto at = [&](std::size_t offset) {
    return "byte " + std::to_string(start + offset) + ": ";
  };
  for (int i = 0; i < 3; ++i) append_bytes(bytes, 1.0f, ByteOrder::little);
  bytes += '\1';
  append_bytes(bytes, std::int32_t{0}, ByteOrder::little);
  EXPECT_EQ(error_of(bytes), "no error");
  EXPECT_EQ(error_of(bytes.substr(0, bytes.size() - 1)),
            at(13) + "the file ends where a corner should be");
  EXPECT_EQ(error_of(bytes.substr(0, start + 5)),
            at(0) +
                "1 of element 'vertex' do not fit in the rest of the file: it is cut off, or the "
                "count is wrong");
  std::string bad = bytes;
  bad[start + 13] = 2;
  EXPECT_EQ(error_of(bad), at(17) + "vertex 2 does not exist: there are 1, counted from 0");
  bad = bytes;
  const auto nan = std::bit_cast<std::array<char, 4>>(NAN);
  std::copy(nan.begin(), nan.end(), bad.begin() + static_cast<std::ptrdiff_t>(start + 4));
  EXPECT_EQ(error_of(bad), at(4) + "the y coordinate is not finite");
  MeshFileReport report;
  EXPECT_TRUE(read_ply(bytes + "xyz", &report));
  EXPECT_EQ(report.trailing_bytes, 3u);
  std::string mac = bytes;
  std::replace(mac.begin(), mac.end(), '\n', '\r');
  EXPECT_EQ(error_of(mac), "line 1: binary PLY needs line ends of '\\n' in its head");
}

} // namespace
} // namespace carom
