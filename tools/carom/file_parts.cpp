#include "tools/carom/file_parts.h"

#include "tools/carom/text.h"

#include <algorithm>
#include <utility>

namespace carom::tool {
namespace {

/// What makes two runs of faces one part: the number of what they belong to, and the group in it.
using Key = std::pair<std::size_t, std::string>;

/// The number of the object that a face stands under, counted from 1; 0 before the first.
std::size_t object_at(const std::vector<MeshPart>& objects, std::uint32_t face) {
  const auto behind = std::upper_bound(
      objects.begin(), objects.end(), face,
      [](std::uint32_t f, const MeshPart& object) { return f < object.first_face; });
  return static_cast<std::size_t>(behind - objects.begin());
}

struct Run {
  Key key;
  std::string name;
};

Run run_of(const MeshInput& input, std::size_t part, Split split) {
  if (split == Split::none || input.mesh.parts.empty()) return {};
  const MeshPart& of = input.mesh.parts[part];
  if (!input.report || input.report->format != MeshFormat::obj) return {{part, ""}, of.name};
  const std::vector<MeshPart>& objects = input.report->objects;
  const std::size_t object = object_at(objects, of.first_face);
  if (split == Split::automatic && object > 0) return {{object, ""}, objects[object - 1].name};
  return {{object, of.name}, of.name};
}

} // namespace

std::vector<FilePart> file_parts(const MeshInput& input, Split split) {
  const PolygonMesh& mesh = input.mesh;
  std::vector<FilePart> parts;
  std::map<Key, std::size_t> known;
  UniqueNames names;
  for (std::size_t p = 0; p < std::max<std::size_t>(1, mesh.parts.size()); ++p) {
    const std::size_t begin = mesh.parts.empty() ? 0 : mesh.parts[p].first_face;
    const std::size_t end =
        p + 1 < mesh.parts.size() ? mesh.parts[p + 1].first_face : mesh.face_count();
    if (begin >= end) continue;
    const Run run = run_of(input, p, split);
    const auto [at, is_new] = known.emplace(run.key, parts.size());
    if (is_new) {
      parts.push_back({names.take(run.name.empty() ? "(no name)" : printable(run.name)), {}});
    }
    for (std::size_t f = begin; f < end; ++f) {
      parts[at->second].faces.push_back(static_cast<std::uint32_t>(f));
    }
  }
  return parts;
}

std::string UniqueNames::take(const std::string& name) {
  std::size_t& last = last_[name];
  last = std::max<std::size_t>(last, 1);
  std::string unique = name;
  while (!taken_.insert(unique).second) { // the file may have a "bolt (2)" of its own
    unique = name + " (" + std::to_string(++last) + ")";
  }
  return unique;
}

} // namespace carom::tool
