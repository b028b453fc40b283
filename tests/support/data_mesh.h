// A mesh of the external data.
#pragma once

#include "carom/mesh/mesh_file.h"
#include "tests/support/data.h"

#include <string>

namespace carom::test {

/// meshes/NAME.obj; nothing where there is no data. A file that is there and cannot be read throws, which fails the test.
inline std::optional<PolygonMesh> data_mesh(const std::string& name) {
  const auto folder = data_folder();
  if (!folder) return std::nullopt;
  return load_mesh((*folder / "meshes" / (name + ".obj")).string()).value();
}

} // namespace carom::test
