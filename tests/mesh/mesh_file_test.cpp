// What all formats have in common: telling them apart, files on disk, cut-off and damaged files, the meshes of the external data.
#include "carom/mesh/mesh_file.h"

#include "tests/mesh/random_mesh.h"
#include "tests/support/data.h"
#include "tests/support/property.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>

namespace carom {
namespace {

using Indices = std::vector<std::uint32_t>;
using test::fewer_when_sanitized;
using test::for_each_seed;
using test::Source;

struct Kind {
  MeshFormat format;
  MeshEncoding encoding;
};
constexpr std::array<Kind, 7> kinds = {{{MeshFormat::obj, MeshEncoding::text},
                                        {MeshFormat::off, MeshEncoding::text},
                                        {MeshFormat::stl, MeshEncoding::text},
                                        {MeshFormat::stl, MeshEncoding::little_endian},
                                        {MeshFormat::ply, MeshEncoding::text},
                                        {MeshFormat::ply, MeshEncoding::little_endian},
                                        {MeshFormat::ply, MeshEncoding::big_endian}}};

PolygonMesh tetrahedron() {
  PolygonMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const Indices& f : {Indices{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}) mesh.add_face(f);
  return mesh;
}

/// A folder of this test's own; gone with it.
class Folder {
public:
  Folder() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            ("carom_" + std::string(test->name()) + '_' +
             std::to_string(reinterpret_cast<std::uintptr_t>(this) ^
                            static_cast<std::uintptr_t>(
                                ::testing::UnitTest::GetInstance()->start_timestamp())));
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

private:
  std::filesystem::path path_;
};

TEST(MeshFile, EveryWriterAndReaderOnDisk) {
  const Folder folder;
  const PolygonMesh mesh = tetrahedron();
  for (const Kind& kind : kinds) {
    const std::string ending(name_of(kind.format));
    const std::string path = folder.file("mesh." + ending); // in capitals
    ASSERT_TRUE(save_mesh(path, mesh, kind.encoding));
    MeshFileReport report;
    const Result<PolygonMesh> back = load_mesh(path, &report);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(report.format, kind.format);
    EXPECT_EQ(report.binary, kind.encoding != MeshEncoding::text);
    EXPECT_EQ(back->vertices.size(), 4u);
    EXPECT_EQ(back->face_count(), 4u);
    if (kind.format != MeshFormat::stl) { // which numbers its vertices anew
      EXPECT_TRUE(test::same_faces(mesh, *back));
    }
  }
}

TEST(MeshFile, ContentIsStrongerThanTheName) {
  const Folder folder;
  for (const Kind& kind : kinds) {
    const std::string bytes = write_mesh(tetrahedron(), kind.format, kind.encoding).value();
    const bool marked = kind.format != MeshFormat::obj;
    EXPECT_EQ(mesh_format_of_content(bytes), marked ? std::optional(kind.format) : std::nullopt);
    if (!marked) continue;
    const std::string path = folder.file("wrong.obj");
    std::ofstream(path, std::ios::binary) << bytes;
    MeshFileReport report;
    ASSERT_TRUE(load_mesh(path, &report));
    EXPECT_EQ(report.format, kind.format);
  }
  EXPECT_EQ(mesh_format_of_name("/a.obj/b"), std::nullopt);
  EXPECT_EQ(mesh_format_of_name("a.b.Ply"), MeshFormat::ply);
}

TEST(MeshFile, ErrorsNameTheFile) {
  const Folder folder;
  const auto error_of = [](const std::string& path) {
    const Result<PolygonMesh> mesh = load_mesh(path);
    EXPECT_EQ(mesh.error().code, ErrorCode::bad_file);
    return mesh.error().message;
  };
  const std::string missing = folder.file("missing.obj");
  EXPECT_EQ(error_of(missing), missing + ": cannot be opened: No such file or directory");
  EXPECT_EQ(error_of(folder.file("")), folder.file("") + ": cannot be read: Is a directory");
  const std::string bad = folder.file("bad.obj");
  std::ofstream(bad) << "v 0 0 0\nf 1 2 3\n";
  EXPECT_EQ(error_of(bad), bad + ": line 2: vertex 2 does not exist: there are 1");
  const std::string empty = folder.file("empty.stl");
  std::ofstream{empty};
  EXPECT_EQ(error_of(empty), empty + ": the file is empty");
  const std::string other = folder.file("letter.txt");
  std::ofstream(other) << "Dear sir";
  EXPECT_EQ(error_of(other), other + ": neither its name (.obj, .stl, .ply, .off) nor its content "
                                     "says that it is a mesh");
  EXPECT_FALSE(save_mesh(other, tetrahedron()));
  EXPECT_FALSE(save_mesh(folder.file("no/such/folder.obj"), tetrahedron()));
  EXPECT_FALSE(save_mesh(bad, tetrahedron(), MeshEncoding::little_endian));
  EXPECT_FALSE(write_mesh(tetrahedron(), MeshFormat::stl, MeshEncoding::big_endian));
}

// A file cut off at any byte is read or refused; never a vertex more than it has, or a face with a corner that is not there.
TEST(MeshFile, CutOffAnywhere) {
  for (const Kind& kind : kinds) {
    PolygonMesh mesh = tetrahedron();
    if (kind.format == MeshFormat::obj) mesh.parts = {{"one", 0}, {"two", 2}};
    const std::string whole = write_mesh(mesh, kind.format, kind.encoding).value();
    for (std::size_t size = 0; size < whole.size(); ++size) {
      // A copy of its own, so that the sanitizer sees a read behind its end.
      const std::vector<char> part(whole.begin(),
                                   whole.begin() + static_cast<std::ptrdiff_t>(size));
      const Result<PolygonMesh> read = read_mesh({part.data(), size}, kind.format);
      if (read) {
        EXPECT_LE(read->vertices.size(), 4u);
        for (const std::uint32_t c : read->corners) EXPECT_LT(c, read->vertices.size());
        // Counts, or a mark at the end, tell that something is missing; the last line end may be.
        const bool tells = kind.format != MeshFormat::obj;
        EXPECT_TRUE(!tells || size + 12 >= whole.size()) << name_of(kind.format) << ' ' << size;
      } else {
        EXPECT_EQ(read.error().code, ErrorCode::bad_file);
      }
    }
  }
}

// Bytes changed at random: read or refused, and what is read is whole.
TEST(MeshFile, DamagedAnywhere) {
  for_each_seed(fewer_when_sanitized(20'000), [](Source& source) {
    const PolygonMesh mesh = test::random_named_mesh(source, {.triangles = true, .floats = true});
    const Kind kind = kinds[source.below(kinds.size())];
    std::string bytes = write_mesh(mesh, kind.format, kind.encoding).value();
    for (int changes = 1 + source.index(3); changes > 0; --changes) {
      const std::size_t at = source.below(bytes.size());
      bytes[at] = static_cast<char>(source.below(256));
    }
    const Result<PolygonMesh> read = read_mesh(bytes, kind.format);
    if (!read) return;
    EXPECT_EQ(read->face_begin.front(), 0u);
    EXPECT_EQ(read->face_begin.back(), read->corners.size());
    for (const std::uint32_t c : read->corners) EXPECT_LT(c, read->vertices.size());
    for (const Vec3& p : read->vertices) EXPECT_TRUE(is_finite(p));
    EXPECT_TRUE(read->materials.empty() || read->materials.size() == read->face_count());
    EXPECT_TRUE(write_mesh(*read, MeshFormat::obj));
  });
}

TEST(MeshFile, ExternalMeshes) {
  CAROM_DATA_OR_SKIP(folder);
  struct Known {
    const char* name;
    std::size_t vertices, triangles, unknown_lines;
  };
  constexpr Known known[] = {{"env", 6540, 2180, 1},
                             {"rob", 648, 216, 1},
                             {"stanford-bunny", 35947, 69451, 0},
                             {"ogre", 62194, 124008, 0},
                             {"rocker-arm", 10044, 20088, 0},
                             {"fandisk", 6475, 12946, 0},
                             {"homer", 6002, 12000, 0},
                             {"cow", 2903, 5804, 0},
                             {"spot", 2930, 5856, 0},
                             {"teapot", 3644, 6320, 0}};
  for (const Known& k : known) {
    MeshFileReport report;
    const Result<PolygonMesh> mesh =
        load_mesh((folder / "meshes" / (std::string(k.name) + ".obj")).string(), &report);
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(mesh->vertices.size(), k.vertices) << k.name;
    EXPECT_EQ(mesh->face_count(), k.triangles) << k.name;
    EXPECT_EQ(mesh->corners.size(), 3 * k.triangles) << k.name;
    EXPECT_EQ(report.unknown_lines, k.unknown_lines) << k.name;
    EXPECT_EQ(report.first_unknown_line, k.unknown_lines) << k.name;
    for (const Kind& kind : kinds) {
      if (kind.format == MeshFormat::stl) continue;
      const std::string bytes = write_mesh(*mesh, kind.format, kind.encoding).value();
      EXPECT_TRUE(test::same_faces(*mesh, read_mesh(bytes, kind.format).value())) << k.name;
    }
  }
  const PolygonMesh suzanne = load_mesh((folder / "meshes" / "suzanne.obj").string()).value();
  EXPECT_EQ(suzanne.vertices.size(), 507u);
  EXPECT_EQ(suzanne.face_count(), 500u);
  EXPECT_GT(suzanne.corners.size(), 3 * suzanne.face_count()); // quads among them
}

/// A program that a test runs elsewhere finds it, too.
TEST(DataFolder, IsAnAbsolutePath) {
  const char* named = std::getenv("CAROM_DATA");
  const std::optional<std::string> before =
      named ? std::optional<std::string>(named) : std::nullopt;
  setenv("CAROM_DATA", ".", 1);
  const auto here = test::data_folder();
  if (before)
    setenv("CAROM_DATA", before->c_str(), 1);
  else
    unsetenv("CAROM_DATA");
  ASSERT_TRUE(here);
  EXPECT_TRUE(here->is_absolute());
  EXPECT_TRUE(std::filesystem::equivalent(*here, std::filesystem::current_path()));
}

} // namespace
} // namespace carom
