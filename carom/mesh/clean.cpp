#include "carom/mesh/clean.h"

#include "carom/mesh/degenerate_faces.h"
#include "carom/mesh/mesh_check.h"
#include "carom/mesh/mesh_duplicates.h"
#include "carom/mesh/mesh_rebuild.h"

#include <algorithm>
#include <utility>

namespace carom {
namespace {

/// Leaves out the faces for which gone(face) holds; returns how many.
template<class Gone>
std::size_t remove_faces(PolygonMesh& mesh, Gone&& gone) {
  MeshRebuild rebuild(mesh);
  for (std::uint32_t f = 0; f < mesh.face_count(); ++f) {
    if (!gone(f)) rebuild.add(mesh.face(f), f);
  }
  const std::size_t removed = mesh.face_count() - rebuild.origins().size();
  if (removed > 0) mesh = std::move(rebuild).finish();
  return removed;
}

/// Materials and parts that fit the faces, from any.
void mend_lists(const PolygonMesh& mesh, UsableMesh& usable) {
  usable.mesh.materials = mesh.materials;
  if (!mesh.materials.empty() && mesh.materials.size() != mesh.face_count()) {
    usable.materials_mended = true;
    usable.mesh.materials.resize(mesh.face_count());
  }
  std::uint32_t least = 0;
  for (const MeshPart& part : mesh.parts) {
    if (part.first_face < least || part.first_face > mesh.face_count()) {
      ++usable.dropped_parts;
      continue;
    }
    least = part.first_face;
    usable.mesh.parts.push_back(part);
  }
}

/// Leaves out vertices that no face can have, and renumbers the rest.
void drop_bad_vertices(PolygonMesh& mesh) {
  std::vector<std::uint32_t> number(mesh.vertices.size());
  std::uint32_t kept = 0;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    number[v] = kept;
    if (in_range(mesh.vertices[v])) mesh.vertices[kept++] = mesh.vertices[v];
  }
  mesh.vertices.resize(kept);
  for (std::uint32_t& c : mesh.corners) c = number[c];
}

} // namespace

Result<UsableMesh> make_usable(const PolygonMesh& mesh) {
  // A face without corners keeps its place meanwhile, so that the lists still fit.
  UsableMesh usable;
  usable.mesh.vertices = mesh.vertices;
  usable.mesh.material_names = mesh.material_names;
  mend_lists(mesh, usable);
  const PolygonSurface surface = mesh.surface();
  const auto all_in_range = [&](std::span<const std::uint32_t> corners) {
    return std::all_of(corners.begin(), corners.end(),
                       [&](std::uint32_t c) { return in_range(mesh.vertices[c]); });
  };
  std::vector<bool> gone(mesh.face_count());
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    gone[f] = !face_is_usable(surface, f) || !all_in_range(mesh.face(f));
    // Ranges that overlap could make more corners than memory holds: what no face is left for goes, too.
    if (!gone[f] && usable.mesh.corners.size() + mesh.face(f).size() > mesh.corners.size()) {
      gone[f] = true;
    }
    usable.mesh.add_face(gone[f] ? std::span<const std::uint32_t>() : mesh.face(f));
  }
  if (const Result<void> fit = check_indices(usable.mesh); !fit) {
    return tl::unexpected(fit.error());
  }
  usable.dropped_faces =
      remove_faces(usable.mesh, [&](std::uint32_t f) { return static_cast<bool>(gone[f]); });
  drop_bad_vertices(usable.mesh);
  usable.dropped_vertices = mesh.vertices.size() - usable.mesh.vertices.size();
  return usable;
}

Result<std::size_t> remove_degenerate_faces(PolygonMesh& mesh) {
  if (const Result<void> fit = check_indices(mesh); !fit) return tl::unexpected(fit.error());
  return remove_faces(mesh,
                      [&](std::uint32_t f) { return face_faults(mesh.surface(), f).degenerate(); });
}

Result<std::size_t> remove_duplicate_faces(PolygonMesh& mesh) {
  if (const Result<void> fit = check_indices(mesh); !fit) return tl::unexpected(fit.error());
  const auto equal = first_equal_faces(mesh.surface());
  return remove_faces(mesh, [&](std::uint32_t f) { return equal[f].repeated; });
}

Result<std::size_t> remove_opposite_faces(PolygonMesh& mesh) {
  if (const Result<void> fit = check_indices(mesh); !fit) return tl::unexpected(fit.error());
  const auto equal = first_equal_faces(mesh.surface());
  std::vector<std::vector<std::uint32_t>> alone(
      mesh.face_count()); // per lowest face: not yet paired, all wound one way
  std::vector<bool> gone(mesh.face_count());
  for (std::uint32_t f = 0; f < mesh.face_count(); ++f) {
    auto& waiting = alone[equal[f].first];
    if (!waiting.empty() && equal[waiting.back()].opposite != equal[f].opposite) {
      gone[f] = gone[waiting.back()] = true;
      waiting.pop_back();
    } else {
      waiting.push_back(f);
    }
  }
  return remove_faces(mesh, [&](std::uint32_t f) { return static_cast<bool>(gone[f]); });
}

Result<std::size_t> remove_unreferenced_vertices(PolygonMesh& mesh) {
  if (const Result<void> fit = check_indices(mesh); !fit) return tl::unexpected(fit.error());
  return drop_unreferenced(mesh);
}

} // namespace carom
