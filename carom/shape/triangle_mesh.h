// A mesh as a shape has it: triangles, the tree over them, and whether they bound a solid.
//
//   Shape rock = Shape::mesh(load_mesh("rock.obj").value()).value();
//
// A *surface* is the triangles, nothing more. A *solid* is all that they are wound around at least once (mesh/winding_number.h), too: what is inside of it touches it.
#pragma once

#include "carom/math/result.h"
#include "carom/mesh/polygon_mesh.h"
#include "carom/shape/shape.h"
#include "carom/tree/triangle_pairs.h"

#include <memory>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct MeshOptions {
  enum class Body : std::uint8_t {
    automatic, ///< a solid, where the triangles are closed, wound consistently, and enclose a positive volume; else a surface
    surface,   ///< world geometry: what is below the ground is not in it
    solid,     ///< an error where it cannot be one
  };
  Body body = Body::automatic;
  TreeBuild tree{};
  /// Of a solid: at most so many convex pieces are found inside it (mesh/inner_pieces.h), which make `penetration` quicker and its bounds closer. Each costs some milliseconds here. 0: none.
  std::uint32_t inner_pieces = 4;
};

class TriangleMesh {
public:
  /// Polygons are cut into triangles (mesh/triangulate.h), which keep their face's material; faces of fewer than three corners are left out. Vertices stay as they are. Vertices in exactly the same
  /// place count as one where it is asked whether the surface is closed, so a soup of triangles may be a solid.
  /// Errors: those of check_usable; too_few where there is no triangle; degenerate where a solid is asked for and the surface is not closed, or encloses no volume,
  /// or a negative one (orient() turns it).
  [[nodiscard]] static Result<TriangleMesh> build(const PolygonMesh& mesh,
                                                  const MeshOptions& options = {});

  [[nodiscard]] bool solid() const { return topology_->solid; }
  [[nodiscard]] std::span<const Vec3> vertices() const { return vertices_; }
  [[nodiscard]] TriangleSurface surface() const { return {vertices_, topology_->triangles}; }
  [[nodiscard]] Triangle triangle(std::uint32_t i) const { return surface()[i]; }
  [[nodiscard]] const TriangleTree& tree() const { return tree_; }
  [[nodiscard]] TriangleSet set() const { return {tree_, surface()}; }
  [[nodiscard]] std::uint32_t material(std::uint32_t triangle) const {
    return topology_->materials.empty() ? 0 : topology_->materials[triangle];
  }
  /// A vertex of each piece of the surface: of those triangles that hang together, by vertices in the same place as built, by common ones once deformed.
  [[nodiscard]] std::span<const std::uint32_t> anchors() const { return pieces().vertices; }
  /// The triangles whose first corners they are.
  [[nodiscard]] std::span<const std::uint32_t> anchor_triangles() const {
    return pieces().triangles;
  }
  [[nodiscard]] const Aabb& bounds() const { return bounds_; }
  /// Hulls, all inside of the solid. None of a surface, nor once it has been deformed.
  [[nodiscard]] std::span<const Shape> inner_pieces() const { return inner_pieces_; }

  /// The same triangles with their vertices elsewhere: as many as before. The tree is fitted to them, not built anew: expected_cost of tree().tree() says what that is worth. A solid
  /// stays one, whatever it encloses now. Errors: too_few, not_finite, out_of_range.
  [[nodiscard]] Result<TriangleMesh> deformed(std::span<const Vec3> vertices) const;
  /// The same, in place.
  [[nodiscard]] Result<void> deform(std::span<const Vec3> vertices);
  [[nodiscard]] bool same_topology(const TriangleMesh& other) const {
    return topology_ == other.topology_;
  }
  /// Each coordinate multiplied by its factor, none of them 0; turned around where that makes a mirror image.
  [[nodiscard]] Result<TriangleMesh> scaled(const Vec3& factors) const;

  /// All there is beside vertices and triangles.
  [[nodiscard]] std::size_t bytes() const;

private:
  void find_inner_pieces(std::size_t most);

  struct Anchors {
    std::vector<std::uint32_t> vertices, triangles;
  };
  /// What deforming does not change.
  struct Topology {
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::vector<std::uint32_t> materials; ///< one for each triangle, or none
    Anchors joined;                       ///< vertices in the same place count as one
    Anchors apart;                        ///< only vertices of the same number do
    bool solid = false;
  };

  [[nodiscard]] const Anchors& pieces() const {
    return deformed_ ? topology_->apart : topology_->joined;
  }

  std::shared_ptr<const Topology> topology_;
  std::vector<Vec3> vertices_;
  Aabb bounds_;
  bool deformed_ = false;
  TriangleTree tree_;
  std::vector<Shape> inner_pieces_;
};

} // namespace carom
