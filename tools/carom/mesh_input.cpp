#include "tools/carom/mesh_input.h"

#include "carom/mesh/triangulate.h"
#include "tools/carom/session.h"
#include "tools/carom/text.h"

#include <filesystem>

namespace carom::tool {
namespace {

void check_readable(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) fail(path, "there is no such file");
  if (std::filesystem::is_directory(path, error)) fail(path, "it is a folder, not a file");
  if (std::filesystem::is_regular_file(path, error) &&
      std::filesystem::file_size(path, error) == 0) {
    fail(path, "the file is empty");
  }
}

std::string why_empty(const MeshInput& input) {
  std::string why = "it holds no mesh";
  if (input.report && input.report->unknown_lines > 0) {
    why += ": " + counted(input.report->unknown_lines, "line") + " that " +
           std::string(name_of(input.report->format)) + " does not know, the first is line " +
           std::to_string(input.report->first_unknown_line);
  }
  return why;
}

} // namespace

MeshInput read_mesh_file(const std::string& path) {
  check_readable(path);
  MeshInput input{.path = path, .mesh = {}, .report = {}};
  if (is_foreign(path)) {
    input.mesh = read_foreign_mesh(path);
  } else {
    MeshFileReport report;
    Result<PolygonMesh> mesh = load_mesh(path, &report);
    if (!mesh) throw Failure(printable(mesh.error().message));
    input.mesh = std::move(*mesh);
    input.report = report;
  }
  if (input.mesh.vertices.empty()) fail(path, why_empty(input));
  return input;
}

void check_mesh_name(const std::string& path) {
  if (!mesh_format_of_name(path)) fail(path, "the name should end with .obj, .stl, .ply or .off");
}

std::string mesh_bytes(const std::string& path, const PolygonMesh& mesh) {
  check_mesh_name(path);
  const MeshFormat format = *mesh_format_of_name(path);
  Result<std::string> bytes =
      format == MeshFormat::stl ? write_mesh(triangulated(mesh), format) : write_mesh(mesh, format);
  if (!bytes) fail(path, bytes.error().message);
  return std::move(*bytes);
}

} // namespace carom::tool
