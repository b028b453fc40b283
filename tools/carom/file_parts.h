// The parts of a mesh file: its objects, solids, nodes or groups. A part is known by its place in the file; names may repeat.
#pragma once

#include "tools/carom/mesh_input.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace carom::tool {

/// How a file is taken apart.
enum class Split {
  automatic, ///< by objects where an OBJ file has some, else by groups; by solids (STL) and nodes (glTF and others)
  groups,    ///< by objects and groups
  none,      ///< the file is one part
};

struct FilePart {
  std::string name; ///< printable; no two are the same; "(no name)" where the file gives none
  std::vector<std::uint32_t> faces;
};

/// All faces of the file, each in one part, in the order of the file. Every node, every solid and every `o` statement is a part of its own, also where the name has been there before: two
/// bolts are two. A `g` statement of OBJ names a set of faces: it goes on where the same object has had that group before.
[[nodiscard]] std::vector<FilePart> file_parts(const MeshInput& input, Split split);

/// Names to tell things apart: the second "bolt" becomes "bolt (2)".
class UniqueNames {
public:
  [[nodiscard]] std::string take(const std::string& name);

private:
  std::set<std::string> taken_;
  std::map<std::string, std::size_t> last_; ///< the number last given to a name
};

} // namespace carom::tool
