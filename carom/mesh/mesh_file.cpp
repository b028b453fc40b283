#include "carom/mesh/mesh_file.h"

#include "carom/mesh/obj_file.h"
#include "carom/mesh/off_file.h"
#include "carom/mesh/ply_file.h"
#include "carom/mesh/stl_file.h"
#include "carom/mesh/text_cursor.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <memory>
#include <system_error>

namespace carom {
namespace {

struct FileCloser {
  void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

tl::unexpected<Error> bad_file(const std::string& path, const std::string& why) {
  return failure(ErrorCode::bad_file, path + ": " + why);
}
std::string system_message() { return std::generic_category().message(errno); }

/// The whole file, at once where it knows its size (one byte more shows its end), else in pieces that grow.
Result<std::string> bytes_of(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) return bad_file(path, "cannot be opened: " + system_message());
  std::string bytes;
  std::size_t size = 0;
  std::size_t piece = std::size_t{1} << 16;
  if (std::fseek(file.get(), 0, SEEK_END) == 0) {
    const long end = std::ftell(file.get());
    if (end > 0 && end < LONG_MAX) piece = static_cast<std::size_t>(end) + 1;
  }
  std::rewind(file.get());
  for (;; piece = size) {
    bytes.resize(size + piece);
    const std::size_t got = std::fread(bytes.data() + size, 1, piece, file.get());
    size += got;
    if (got < piece) break;
  }
  if (std::ferror(file.get()) != 0) return bad_file(path, "cannot be read: " + system_message());
  bytes.resize(size);
  return bytes;
}

} // namespace

std::string_view name_of(MeshFormat format) {
  switch (format) {
  case MeshFormat::obj:
    return "OBJ";
  case MeshFormat::stl:
    return "STL";
  case MeshFormat::ply:
    return "PLY";
  case MeshFormat::off:
    break;
  }
  return "OFF";
}

std::optional<MeshFormat> mesh_format_of_name(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view ending = path.substr(dot + 1);
  if (same_word(ending, "obj")) return MeshFormat::obj;
  if (same_word(ending, "stl")) return MeshFormat::stl;
  if (same_word(ending, "ply")) return MeshFormat::ply;
  if (same_word(ending, "off")) return MeshFormat::off;
  return std::nullopt;
}

std::optional<MeshFormat> mesh_format_of_content(std::string_view bytes) {
  if (is_ply(bytes)) return MeshFormat::ply;
  if (is_off(bytes)) return MeshFormat::off;
  if (is_stl(bytes)) return MeshFormat::stl;
  return std::nullopt;
}

Result<PolygonMesh> read_mesh(std::string_view bytes, MeshFormat format, MeshFileReport* report) {
  switch (format) {
  case MeshFormat::obj:
    return read_obj(bytes, report);
  case MeshFormat::stl:
    return read_stl(bytes, report);
  case MeshFormat::ply:
    return read_ply(bytes, report);
  case MeshFormat::off:
    break;
  }
  return read_off(bytes, report);
}

Result<PolygonMesh> load_mesh(const std::string& path, MeshFileReport* report) {
  const Result<std::string> bytes = bytes_of(path);
  if (!bytes) return tl::unexpected<Error>(bytes.error());
  if (bytes->empty()) return bad_file(path, "the file is empty");
  std::optional<MeshFormat> format = mesh_format_of_content(*bytes);
  if (!format) format = mesh_format_of_name(path);
  if (!format) {
    return bad_file(path, "neither its name (.obj, .stl, .ply, .off) nor its content says that it "
                          "is a mesh");
  }
  Result<PolygonMesh> mesh = read_mesh(*bytes, *format, report);
  if (!mesh) return bad_file(path, mesh.error().message);
  return mesh;
}

Result<std::string> write_mesh(const PolygonMesh& mesh, MeshFormat format, MeshEncoding encoding) {
  const bool binary = encoding != MeshEncoding::text;
  const bool possible = format == MeshFormat::ply || !binary ||
                        (format == MeshFormat::stl && encoding == MeshEncoding::little_endian);
  if (!possible) {
    return failure(ErrorCode::bad_file, std::string(name_of(format)) + " has no such encoding");
  }
  switch (format) {
  case MeshFormat::obj:
    return write_obj(mesh);
  case MeshFormat::stl:
    return write_stl(mesh, binary);
  case MeshFormat::ply:
    return write_ply(mesh, encoding);
  case MeshFormat::off:
    break;
  }
  return write_off(mesh);
}

Result<void> save_mesh(const std::string& path, const PolygonMesh& mesh, MeshEncoding encoding) {
  const std::optional<MeshFormat> format = mesh_format_of_name(path);
  if (!format) return bad_file(path, "the name should end with .obj, .stl, .ply or .off");
  const Result<std::string> bytes = write_mesh(mesh, *format, encoding);
  if (!bytes) return failure(bytes.error().code, path + ": " + bytes.error().message);
  File file(std::fopen(path.c_str(), "wb"));
  if (!file) return bad_file(path, "cannot be opened: " + system_message());
  const std::size_t written = std::fwrite(bytes->data(), 1, bytes->size(), file.get());
  // Closing writes what is left, and may find the disk full.
  if (std::fclose(file.release()) != 0 || written != bytes->size()) {
    return bad_file(path, "cannot be written: " + system_message());
  }
  return {};
}

} // namespace carom
