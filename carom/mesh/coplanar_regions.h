// Neighbouring faces that lie in one plane, up to a thickness.
#pragma once

#include "carom/math/vec2.h"
#include "carom/mesh/mesh_edges.h"
#include "carom/mesh/polygon_mesh.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// A flat part of a surface as seen from its front along a coordinate axis: counter-clockwise stays counter-clockwise, exactly, since nothing is
/// rounded.
struct FlatView {
  int axis = 2;         ///< the axis that the normal is closest to
  bool positive = true; ///< the normal points to its positive end

  [[nodiscard]] Vec2 operator()(const Vec3& p) const {
    const double u = p[(axis + 1) % 3];
    const double v = p[(axis + 2) % 3];
    return positive ? Vec2{u, v} : Vec2{v, u};
  }
};

/// Regions of faces, each within a slab about the plane of one of its faces. The thickness is absolute: an angle between planes says nothing about how
/// far apart their corners are, since it does not grow with the faces.
struct CoplanarRegions {
  static constexpr std::uint32_t none = 0xffffffff;

  std::vector<std::uint32_t>
      of_face; ///< per face: its region; none where it is not flat itself, or has no area
  std::vector<FlatView> view; ///< per region

  [[nodiscard]] std::size_t count() const { return view.size(); }
};

struct RegionOptions {
  double thickness = 0; ///< a length, of the whole slab; >= 0
  const PolygonMesh* kin =
      nullptr; ///< where given: only faces of the same material and part of this mesh are put together
};

/// Grown from seeds, the largest face first (of equal ones the lowest). A region takes a face across an edge of exactly two faces, wound consistently, where
/// the face is in no region yet, appears counter-clockwise in the region's view, and each of its corners is in the plane of the seed, exactly or within half the
/// thickness. The surface is usable (check_usable).
[[nodiscard]] CoplanarRegions coplanar_regions(const PolygonSurface& surface,
                                               const MeshEdges& edges,
                                               const RegionOptions& options);

} // namespace carom
