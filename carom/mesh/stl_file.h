// STL files, text and binary: triangles, each with its own three points.
//
// Corners with exactly equal coordinates become one vertex (vertex_pool.h); points that are only near stay apart, until the mesh is welded.
//
// Binary is told by its size, not by its first word: 84 bytes and 50 a triangle (some binary files begin with 'solid'). Where the size
// does not fit, it is text if it begins with 'solid' and has no zero byte near its start. A binary count that is greater than the file has
// room for is an error, as is a count of 0 with triangles behind it; bytes behind the last triangle are reported.
//
// Text: words in capitals or not, several solids (each a part of the mesh), facets of more than three vertices too. A file that
// ends inside of a solid is an error. Normals are counted, not used: the corners' order says which side is out.
#pragma once

#include "carom/mesh/mesh_file.h"

namespace [[gnu::visibility("default")]] carom {

/// Whether the bytes are an STL file beyond doubt.
[[nodiscard]] bool is_stl(std::string_view bytes);

/// As read_mesh() does.
[[nodiscard]] Result<PolygonMesh> read_stl(std::string_view bytes,
                                           MeshFileReport* report = nullptr);

/// As write_mesh() does; `binary` rounds coordinates to float, and refuses those too great for it.
[[nodiscard]] Result<std::string> write_stl(const PolygonMesh& mesh, bool binary = false);

} // namespace carom
