// Meshes for us and for the peers, and the cases that compare them: rays, building, nearest points, pairs. The benches `meshes` and `growth` are made of these.
#pragma once

#include "bench/compare.h"
#include "carom/geometry/line.h"
#include "carom/mesh/polygon_mesh.h"
#include "carom/shape/shape.h"
#include "carom/tree/triangle_surface.h"

#include <memory>
#include <string>
#include <vector>

namespace carom::bench {

using Corners = std::array<std::uint32_t, 3>;

struct Mesh {
  std::vector<Vec3> vertices;
  std::vector<Corners> triangles;
  Aabb box;

  [[nodiscard]] TriangleSurface surface() const { return {vertices, triangles}; }
};

using MeshRef = std::shared_ptr<const Mesh>;
/// Faces of more than three corners are cut into fans.
[[nodiscard]] MeshRef make_mesh(const PolygonMesh& polygons);

/// From random points around the mesh to random points of its box: no two rays go the same way.
[[nodiscard]] std::vector<Ray> incoherent_rays(const Mesh& mesh);
/// A picture of 316 x 316 pixels.
[[nodiscard]] std::vector<Ray> camera_rays(const Mesh& mesh);

/// Against Embree, one ray a call, robust: `ray NAME closest` and `ray NAME any`.
void add_rays(const std::string& name, const MeshRef& mesh, std::vector<Ray> rays);
/// `build NAME`, for one triangle: against Embree, medium quality, one thread.
void add_build(const std::string& name, const MeshRef& mesh);
/// `closest NAME`: points within a tenth of the size around the box, against CGAL's AABB tree.
void add_closest(const std::string& name, const MeshRef& mesh);

/// A mesh for us and for FCL (OBBRSS).
struct MeshForBoth;
using BothRef = std::shared_ptr<const MeshForBoth>;
[[nodiscard]] BothRef for_both(const MeshRef& mesh);

/// Turned at random, each coordinate within `reach` of `center`.
[[nodiscard]] std::vector<Pose> random_poses(std::size_t count, double reach, const Vec3& center);

/// `NAME overlap`, `NAME contacts` (all pairs of triangles) and `NAME distance`, for B at each of the poses.
void add_overlap(const std::string& name, const BothRef& a, const BothRef& b,
                 const std::vector<Pose>& poses);
void add_contacts(const std::string& name, const BothRef& a, const BothRef& b,
                  const std::vector<Pose>& poses);
void add_distance(const std::string& name, const BothRef& a, const BothRef& b,
                  const std::vector<Pose>& poses);

} // namespace carom::bench
