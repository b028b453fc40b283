// Wavefront OBJ files, as text: polygons of any number of corners, objects, groups and materials.
//
// Read: `v` (x y z; more numbers are counted as colours), `f` in all forms (1, 1/2, 1//3, 1/2/3, negative from the last vertex so far;
// vertices may come after the faces that use them), `o`, `g`, `usemtl`, lines continued with '\', comments, any line ends.
// Counted: `vt`, `vn`, `l`, `p`, other statements of the format, and lines that are none.
//
// A part of the mesh begins with the first face after an `o` or `g`, and has the object's name, the group's, or both with '/' between. Objects and
// groups without faces leave nothing. Materials are numbered by their first use; faces before the first `usemtl` have one without a name.
#pragma once

#include "carom/mesh/mesh_file.h"

namespace [[gnu::visibility("default")]] carom {

/// As read_mesh() does.
[[nodiscard]] Result<PolygonMesh> read_obj(std::string_view bytes,
                                           MeshFileReport* report = nullptr);

/// As write_mesh() does. In names, control characters are written as '_'.
[[nodiscard]] Result<std::string> write_obj(const PolygonMesh& mesh);

} // namespace carom
