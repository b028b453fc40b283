// How repair makes one mesh from another: faces kept, changed or left out, with their materials and parts.
#pragma once

#include "carom/mesh/polygon_mesh.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Takes faces one after the other, each with the face of the old mesh that it comes from, ascending. The result has the old mesh's vertices, the
/// materials of the faces' origins, and the old parts with what is left of their faces; a part may be empty. The old mesh outlives it
/// and passes check_indices.
class MeshRebuild {
public:
  explicit MeshRebuild(const PolygonMesh& old) : old_(&old) {}

  void add(std::span<const std::uint32_t> corners, std::uint32_t origin) {
    mesh_.add_face(corners);
    origins_.push_back(origin);
  }
  /// Per face so far: the face it comes from.
  [[nodiscard]] const std::vector<std::uint32_t>& origins() const { return origins_; }

  [[nodiscard]] PolygonMesh finish() &&;

private:
  const PolygonMesh* old_;
  PolygonMesh mesh_;
  std::vector<std::uint32_t> origins_;
};

/// Leaves out the vertices that are corner of no face; the others keep their order. Returns how many went.
std::size_t drop_unreferenced(PolygonMesh& mesh);

} // namespace carom
