// The triangles that a tree of volumes is built over, and those of one node, ready to be fitted with a volume.
#pragma once

#include "carom/geometry/covariance.h"
#include "carom/tree/triangle_surface.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Whether the corners of triangle i exist and are finite. Trees of volumes pass over the others; apart from that any soup is
/// legal: duplicates, slivers, segments, points.
[[nodiscard]] inline bool is_usable(const TriangleSurface& mesh, std::size_t i) {
  if (i >= mesh.triangles.size()) return false;
  for (const std::uint32_t v : mesh.triangles[i]) {
    if (v >= mesh.vertices.size() || !is_finite(mesh.vertices[v])) return false;
  }
  return true;
}

/// What a volume is fitted to: points, each once, and the triangles over them. The volume has to contain the triangles, which
/// matters where it is not convex.
struct VolumeInput {
  std::span<const Vec3> points;
  std::span<const IndexTriple> triangles;
};

/// Gathers the triangles of one node after the other from a mesh, without allocating anew.
class VolumeGatherer {
public:
  explicit VolumeGatherer(const TriangleSurface& mesh)
      : mesh_(mesh), seen_(mesh.vertices.size()), place_(mesh.vertices.size()) {}

  /// Good until the next call. All must be usable.
  [[nodiscard]] VolumeInput gather(std::span<const std::uint32_t> triangles) {
    ++round_;
    points_.clear();
    triples_.clear();
    for (const std::uint32_t t : triangles) {
      IndexTriple local{};
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t v = mesh_.triangles[t][k];
        if (seen_[v] != round_) {
          seen_[v] = round_;
          place_[v] = static_cast<std::uint32_t>(points_.size());
          points_.push_back(mesh_.vertices[v]);
        }
        local[k] = place_[v];
      }
      triples_.push_back(local);
    }
    return {points_, triples_};
  }

private:
  TriangleSurface mesh_;
  std::vector<std::uint64_t> seen_;  // the last round in which a vertex was met
  std::vector<std::uint32_t> place_; // and its place among the points of that round
  std::uint64_t round_ = 0;
  std::vector<Vec3> points_;
  std::vector<IndexTriple> triples_;
};

} // namespace carom
