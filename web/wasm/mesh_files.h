// Mesh files, by name and bytes: what JavaScript has of a file.
#pragma once

#include "carom/math/result.h"
#include "carom/mesh/polygon_mesh.h"

#include <string_view>

namespace carom::web {

/// A name and what is in the file, which stand in the text one after the other.
struct NamedFile {
  std::string_view name, bytes;
};
NamedFile file_in_text(int name_bytes, int bytes);

/// Its format is told by its content, then by its name. Errors name no file.
Result<PolygonMesh> read_mesh_file(const NamedFile& file);

} // namespace carom::web
