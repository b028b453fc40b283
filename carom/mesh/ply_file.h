// PLY files, text and binary in either byte order.
//
// Read: element `vertex` with x, y, z; element `face` with the list vertex_indices (or vertex_index) and perhaps material_index; properties
// of any type, in any order; lists with counts and numbers of any type. A file without faces is a mesh of vertices alone. Other
// properties and elements are skipped and counted. Corners are counted from 0.
#pragma once

#include "carom/mesh/mesh_file.h"

namespace [[gnu::visibility("default")]] carom {

/// Whether the bytes begin with the first line of a PLY file.
[[nodiscard]] bool is_ply(std::string_view bytes);

/// As read_mesh() does.
[[nodiscard]] Result<PolygonMesh> read_ply(std::string_view bytes,
                                           MeshFileReport* report = nullptr);

/// As write_mesh() does. Coordinates are doubles.
[[nodiscard]] Result<std::string> write_ply(const PolygonMesh& mesh,
                                            MeshEncoding encoding = MeshEncoding::text);

} // namespace carom
