// The parts of an assembly (file_parts.h), as shapes.
#pragma once

#include "carom/shape/shape.h"
#include "tools/carom/file_parts.h"

#include <string>
#include <vector>

namespace carom::tool {

struct Part {
  std::string name; ///< the file's, and the object's where there are several: "car.obj: wheel"
  Shape shape;
  std::size_t triangles = 0;
  bool solid = false; ///< closed: it has an inside
};

/// Names that repeat are numbered. Fails where a file, or a part, is no mesh.
[[nodiscard]] std::vector<Part> load_parts(const std::vector<std::string>& files, Split split,
                                           unsigned threads);

/// A solid whose surface has moved inward: at each vertex by at most `most`, and where faces do not meet too sharply every face by at least half of that. So what overlaps the solid and does
/// not meet this is nowhere deeper in it than `most`. Open surfaces stay as they are.
[[nodiscard]] Shape shrunk(const Shape& solid, double most);

} // namespace carom::tool
