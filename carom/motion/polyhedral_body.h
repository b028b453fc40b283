// A body for exact polyhedral motion (polyhedral_motion.h): a mesh taken apart once into vertices, edges and convex polygons.
//
//   Polyhedron level = Polyhedron::build(load_mesh("level.obj").value()).value();
//
// Any mesh will do: not convex, open, of several pieces, one polygon, an edge, a point. Vertices in the same place become one, coplanar neighbours are merged into
// convex polygons, what is not flat or not convex is cut into triangles. Each edge is there once, whichever polygons it bounds: so which side of it something
// passes is one number, and two polygons that share it cannot disagree about it.
//
// Not every edge can be touched. Where two polygons meet in a valley, or run on flat, whatever comes from the front touches the polygons first. Such edges, and vertices
// that have no others, are internal: found here, skipped as things that collide, used as bounds of their polygons all the same.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/plane.h"
#include "carom/math/result.h"
#include "carom/mesh/polygon_mesh.h"
#include "carom/motion/polyhedral_bsp.h"
#include "carom/tree/wide_tree.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// What the polygons at an edge make of it.
enum class PolyhedralEdgeKind : std::uint8_t {
  convex,   ///< a ridge of two polygons, however sharp
  concave,  ///< a valley: internal from the front, a ridge from behind
  flat,     ///< two polygons of one plane: internal from both sides
  dangling, ///< of one polygon: the surface ends there
  other     ///< of three polygons and more, of two wound against each other, or of none
};

struct PolyhedralEdge {
  std::uint32_t from = 0, to = 0; ///< vertices
  PolyhedralEdgeKind kind = PolyhedralEdgeKind::other;
  /// Unit vectors at right angles to the edge, into its polygons, in their planes; zero where there is none. Where all of a ridge is to be below a plane through it,
  /// they must point below. Both zero for `other`: nothing can be said.
  std::array<Vec3, 2> inward{};
  /// Of a ridge or valley: its polygons.
  std::array<std::uint32_t, 2> polygons{0xffffffffU, 0xffffffffU};
  double length = 0;
};

struct PolyhedralPolygon {
  Plane plane; ///< unit normal, out of the front: corners are counter-clockwise seen from there
  std::uint32_t first = 0; ///< where its corners and sides begin
  std::uint32_t count = 0; ///< of corners; 3 or more
  std::uint32_t face = 0;  ///< the (lowest) face of the mesh that it comes from
  Aabb box;                ///< around its corners
};

struct PolyhedronOptions {
  /// Moves every face inward by this length: half the expel zone makes two models rest with no gap, since each of them gives way by half of it. Vertices move so that the planes of all
  /// their polygons do, where three of them say how; where more do, as nearly as possible; never by more than four times as much (sharp corners). 0: as it is.
  double shrink = 0;
  /// Merge coplanar neighbours. Without, every face stays for itself: for comparison.
  bool merge = true;
};

/// The parts of a body, in its own frame. Immutable once built; any number of threads may use it.
class Polyhedron {
public:
  static constexpr std::uint32_t none = 0xffffffffU;

  Polyhedron() = default;
  /// Where the mesh has no faces, its vertices are points to be moved. Faces of one or two corners, and those without area, are points and segments.
  /// Errors: those of check_usable (mesh/mesh_check.h); too_few where there is no vertex; out_of_range where `shrink` is negative or not a number.
  [[nodiscard]] static Result<Polyhedron> build(const PolygonMesh& mesh,
                                                const PolyhedronOptions& options = {});

  [[nodiscard]] std::span<const Vec3> vertices() const { return vertices_; }
  [[nodiscard]] std::span<const PolyhedralEdge> edges() const { return edges_; }
  [[nodiscard]] std::span<const PolyhedralPolygon> polygons() const { return polygons_; }
  /// The corners of a polygon, numbers of vertices.
  [[nodiscard]] std::span<const std::uint32_t> corners(const PolyhedralPolygon& p) const {
    return std::span(corners_).subspan(p.first, p.count);
  }
  /// The sides of a polygon: side i leads from corner i to the next. Twice the number of an edge, plus 1 where the edge runs the other way.
  [[nodiscard]] std::span<const std::uint32_t> sides(const PolyhedralPolygon& p) const {
    return std::span(sides_).subspan(p.first, p.count);
  }
  /// The mesh's number of a vertex: the first of those in its place.
  [[nodiscard]] std::uint32_t mesh_vertex(std::uint32_t vertex) const {
    return mesh_vertices_[vertex];
  }
  /// Vertices and edges of no polygon, which the trees do not know: points and wires.
  [[nodiscard]] std::span<const std::uint32_t> loose_vertices() const { return loose_vertices_; }
  [[nodiscard]] std::span<const std::uint32_t> loose_edges() const { return loose_edges_; }

  /// Whether a vertex can be touched: from the front, or from either side.
  [[nodiscard]] bool collides(std::uint32_t vertex, bool both_sides) const {
    return (touchable_[vertex] & (both_sides ? 2 : 1)) != 0;
  }
  [[nodiscard]] static constexpr bool collides(PolyhedralEdgeKind kind, bool both_sides) {
    return kind != PolyhedralEdgeKind::flat && (both_sides || kind != PolyhedralEdgeKind::concave);
  }

  [[nodiscard]] const Aabb& bounds() const { return bounds_; }
  [[nodiscard]] double size() const { return size_; } ///< the greatest |coordinate|
  /// Over the polygons' boxes, by number.
  [[nodiscard]] const WideTree& tree() const { return tree_; }
  [[nodiscard]] const AxialBsp& bsp() const { return bsp_; }

private:
  friend struct PolyhedronBuild;
  std::vector<Vec3> vertices_;
  std::vector<PolyhedralEdge> edges_;
  std::vector<PolyhedralPolygon> polygons_;
  std::vector<std::uint32_t> corners_, sides_, loose_vertices_, loose_edges_, mesh_vertices_;
  std::vector<std::uint8_t> touchable_; ///< bit 0: from the front; bit 1: from either side
  Aabb bounds_;
  double size_ = 0;
  WideTree tree_;
  AxialBsp bsp_;
};

} // namespace carom
