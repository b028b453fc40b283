// The parts of a body that a motion may concern, in the frame that it is worked out in. Internal to exact polyhedral motion.
#pragma once

#include "carom/motion/polyhedral_body.h"
#include "carom/motion/polyhedral_zone.h"

#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Some polygons of a body with their edges and vertices, each once. Keeps its memory from one motion to the next.
class PlacedParts {
public:
  struct Edge {
    std::uint32_t from = 0, to = 0; ///< vertices here
    std::uint32_t id = 0;           ///< the body's number
    bool collides = false;
    double length = 0;
  };
  struct Polygon {
    Plane plane;
    std::uint32_t first = 0, count = 0; ///< of its corners and sides here
    std::uint32_t id = 0;               ///< the body's number
  };

  /// Begins anew: no parts yet.
  void start(const Polyhedron& body, const Frame& frame, bool both_sides, bool skip_internal);
  /// Each polygon once; its number here is that of the call.
  void add_polygon(std::uint32_t id);
  void add_loose_vertex(std::uint32_t id) { (void)vertex(id); }
  void add_loose_edge(std::uint32_t id) { (void)edge(id); }
  /// All of the body, instead: numbers here are those of the body.
  void add_everything();

  [[nodiscard]] const Polyhedron& body() const { return *body_; }
  [[nodiscard]] std::span<const Vec3> vertices() const { return vertices_; }
  [[nodiscard]] std::uint32_t vertex_id(std::size_t v) const { return vertex_ids_[v]; }
  [[nodiscard]] bool vertex_collides(std::size_t v) const { return vertex_collides_[v] != 0; }
  [[nodiscard]] std::span<const Edge> edges() const { return edges_; }
  [[nodiscard]] std::span<const Polygon> polygons() const { return polygons_; }
  /// As Polyhedron::sides, with the numbers of edges here.
  [[nodiscard]] std::span<const std::uint32_t> sides(const Polygon& p) const {
    return std::span(sides_).subspan(p.first, p.count);
  }
  [[nodiscard]] PolygonView view(const Polygon& p) const {
    return {p.plane, std::span(corners_).subspan(p.first, p.count)};
  }
  [[nodiscard]] EdgeView view(const Edge& e) const {
    const PolyhedralEdge& own = body_->edges()[e.id];
    return {vertices_[e.from],
            vertices_[e.to],
            {frame_.direction_to_world(own.inward[0]), frame_.direction_to_world(own.inward[1])}};
  }
  [[nodiscard]] const Frame& frame() const { return frame_; }

private:
  void place_plane(Polygon& p) const;
  std::uint32_t vertex(std::uint32_t id);
  std::uint32_t edge(std::uint32_t id);

  /// The number of a part here, where the stamp is that of this motion.
  struct Slot {
    std::uint64_t stamp = 0;
    std::uint32_t number = 0;
  };
  const Polyhedron* body_ = nullptr;
  Frame frame_;
  bool both_sides_ = false, skip_internal_ = true;
  std::uint64_t stamp_ = 0;
  std::vector<Slot> vertex_slots_, edge_slots_, polygon_slots_;
  std::vector<Vec3> vertices_, corners_;
  std::vector<std::uint32_t> vertex_ids_, sides_;
  std::vector<std::uint8_t> vertex_collides_;
  std::vector<Edge> edges_;
  std::vector<Polygon> polygons_;
};

} // namespace carom
