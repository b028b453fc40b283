// The least convex union of faces that contains given ones: what merge_coplanar is made of.
#pragma once

#include "carom/mesh/coplanar_regions.h"
#include "carom/mesh/mesh_edges.h"
#include "carom/mesh/union_find.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// The faces of regions, put together to polygons step by step. Polygon = a set of faces, named by its lowest; at first each face is one.
class ConvexUnions {
public:
  /// All outlive it.
  ConvexUnions(std::span<const Vec3> vertices, const MeshEdges& edges,
               const CoplanarRegions& regions);

  /// Replaces the polygons by their least convex union, and whatever else of the region that takes in; false, and no change, where there is none. The
  /// polygons are connected and of one region.
  bool unite(std::span<const std::uint32_t> polygons);

  /// The polygon that a face belongs to.
  [[nodiscard]] std::uint32_t polygon_of(std::uint32_t face) { return sets_.root(face); }
  /// The half-edges around a polygon, in order; the corners are where they begin.
  [[nodiscard]] std::span<const std::uint32_t> border(std::uint32_t polygon) const {
    return border_[polygon];
  }
  /// The other half-edge of an edge inside a region, or none.
  [[nodiscard]] std::uint32_t twin(std::uint32_t half_edge) const { return twin_[half_edge]; }
  [[nodiscard]] bool is_convex(std::uint32_t polygon) const;

private:
  [[nodiscard]] bool taken(std::uint32_t corner) {
    return stamp_[polygon_of(edges_.face_of[corner])] == now_;
  }
  /// The next corner of the region around the same vertex, counter-clockwise or clockwise; none at a border.
  [[nodiscard]] std::uint32_t turn_left(std::uint32_t corner) const {
    return twin_[edges_.previous(corner)];
  }
  [[nodiscard]] std::uint32_t turn_right(std::uint32_t corner) const {
    const std::uint32_t t = twin_[corner];
    return t == MeshEdges::none ? t : edges_.next(t);
  }
  void take(std::uint32_t polygon);
  [[nodiscard]] bool close_at(std::uint32_t corner);
  [[nodiscard]] bool take_all_around(std::uint32_t corner);
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> outline();
  [[nodiscard]] bool goes_around_once(std::span<const std::uint32_t> outline,
                                      const FlatView& view) const;

  std::span<const Vec3> vertices_;
  const MeshEdges& edges_;
  const CoplanarRegions& regions_;
  std::vector<std::uint32_t> twin_;
  UnionFind sets_;
  std::vector<std::vector<std::uint32_t>> border_; ///< per polygon
  // Of the closure under way.
  std::vector<std::uint32_t> stamp_; ///< per polygon: `now_` where taken
  std::uint32_t now_ = 0;
  std::vector<std::uint32_t> members_;
  std::vector<std::uint32_t> waiting_; ///< corners whose vertices are to be looked at
  std::vector<std::uint32_t> leaving_; ///< per vertex: the half-edge of the outline that leaves it
};

} // namespace carom
