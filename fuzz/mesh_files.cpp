// Readers of mesh files, on bytes as they come and on whole files with damage; what is read is whole, and written again and read is the same.
// Its faces are cut into triangles. And numbers as text, against the C library.
#include "carom/math/decimal.h"
#include "carom/mesh/mesh_file.h"
#include "carom/mesh/triangulate.h"
#include "tests/mesh/random_mesh.h"

#include <bit>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace carom;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::abort();
}

struct Kind {
  MeshFormat format;
  MeshEncoding encoding;
};
constexpr Kind kinds[] = {
    {MeshFormat::obj, MeshEncoding::text},      {MeshFormat::off, MeshEncoding::text},
    {MeshFormat::stl, MeshEncoding::text},      {MeshFormat::stl, MeshEncoding::little_endian},
    {MeshFormat::ply, MeshEncoding::text},      {MeshFormat::ply, MeshEncoding::little_endian},
    {MeshFormat::ply, MeshEncoding::big_endian}};

void read(std::string_view bytes, MeshFormat format) {
  const Result<PolygonMesh> mesh = read_mesh(bytes, format);
  if (!mesh) {
    require(mesh.error().code == ErrorCode::bad_file && !mesh.error().message.empty(), "an error");
    return;
  }
  require(mesh->face_begin.front() == 0 && mesh->face_begin.back() == mesh->corners.size(),
          "faces");
  require(mesh->corners.size() + mesh->vertices.size() <= bytes.size(),
          "no more than the bytes hold");
  for (const std::uint32_t c : mesh->corners) require(c < mesh->vertices.size(), "a corner");
  for (const Vec3& p : mesh->vertices) require(is_finite(p), "a coordinate");
  const Result<std::string> again = write_mesh(*mesh, MeshFormat::obj);
  require(again.has_value(), "what is read can be written");
  const Result<PolygonMesh> back = read_mesh(*again, MeshFormat::obj);
  require(back && test::same_faces(*mesh, *back), "and read again");
  std::size_t expected = 0;
  for (std::size_t f = 0; f < mesh->face_count(); ++f) {
    const std::size_t corners = mesh->face(f).size();
    expected += corners < 3 ? 0 : corners - 2;
  }
  require(triangulated(*mesh).face_count() == expected, "as many triangles as promised");
}

void damaged(test::Source& source) {
  const Kind kind = kinds[source.index(7)];
  const PolygonMesh mesh = test::random_named_mesh(source, {.triangles = true, .floats = true});
  std::string bytes = write_mesh(mesh, kind.format, kind.encoding).value();
  for (int changes = source.index(4); changes > 0; --changes) {
    const std::size_t at = source.below(bytes.size());
    const auto byte = static_cast<char>(source.below(256));
    switch (source.index(3)) {
    case 0:
      bytes[at] = byte;
      break;
    case 1:
      bytes.insert(at, 1, byte);
      break;
    default:
      bytes.erase(at, 1 + source.below(8));
      break;
    }
    if (bytes.empty()) return;
  }
  read(bytes, kind.format);
}

void numbers(std::string text) {
  static constexpr char characters[] = "0123456789.e-+0000";
  for (char& c : text) c = characters[static_cast<unsigned char>(c) % (sizeof characters - 1)];
  const ParsedDouble parsed = parse_double(text);
  char* end = nullptr;
  const double wanted = std::strtod(text.c_str(), &end);
  require(end == text.c_str() + parsed.length, "the number's length");
  require(std::bit_cast<std::uint64_t>(wanted) == std::bit_cast<std::uint64_t>(parsed.value),
          "its value");
  const DecimalText written = format_double(wanted);
  require(!std::isfinite(wanted) || parse_double(written.view()).value == wanted, "its text");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const int kind = data[0] % 6;
  if (kind < 4) {
    read(bytes, static_cast<MeshFormat>(kind));
  } else if (kind == 4) {
    numbers(bytes);
  } else {
    test::BytesSource source(data + 1, size - 1);
    damaged(source);
  }
  return 0;
}
