// OFF files, as text: counts, vertices, faces.
//
// Read: the first word in all its forms (OFF, and C, N, ST before it, which say what follows the coordinates), on a line of its own,
// before the counts, run together with them ('OFF8 6 12'), or left out; the number of edges is not used, and may be left out too.
// Comments from '#' on anywhere. A vertex or face is a line. Behind the coordinates or the corners, to the end of the line, there may be normals, colours and texture
// coordinates: they are counted. Refused: four and n dimensions, and binary.
#pragma once

#include "carom/mesh/mesh_file.h"

namespace [[gnu::visibility("default")]] carom {

/// Whether the bytes begin with the first word of an OFF file.
[[nodiscard]] bool is_off(std::string_view bytes);

/// As read_mesh() does.
[[nodiscard]] Result<PolygonMesh> read_off(std::string_view bytes,
                                           MeshFileReport* report = nullptr);

/// As write_mesh() does.
[[nodiscard]] Result<std::string> write_off(const PolygonMesh& mesh);

} // namespace carom
