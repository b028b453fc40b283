// A convex shape as the narrow phase reads it: few vertices, faces and edges in arrays that are gone through from end to end. Internal to the world.
//
// Balls, capsules, boxes and small hulls, rounded or not: a core of 1, 2 or up to 32 points and a radius around it. Everything is in the shape's own frame. Made once for each shape.
//
// All arrays of a form are one piece of memory, what every search reads first: where each body has a shape of its own, most of the time went by waiting for that memory.
#pragma once

#include "carom/dynamics/edge_lanes.h"
#include "carom/dynamics/vector_lanes.h"
#include "carom/geometry/box.h"
#include "carom/shape/shape.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

class ConvexForm {
public:
  static constexpr std::size_t most_vertices = 32;

  struct Plane {
    Vec3 normal; ///< outward
    double offset = 0;
  };
  /// Small: all edges are gone through in each search.
  struct Edge {
    std::uint8_t from = 0, to = 0;    ///< vertices
    std::uint8_t left = 0, right = 0; ///< faces
    float inverse_length = 1;
    /// 1 / cosine of half the angle between the normals of its faces: no normal of the edge is farther along any direction than the farther of them times this.
    float spread = 1;
  };

  /// Null for shapes of other kinds: round solids, flat or large hulls, and what is not convex.
  [[nodiscard]] static std::shared_ptr<const ConvexForm> of(const Shape& shape);
  /// The same for one that is only searched for nearest points (core_search.h): brushes are hulls, too, and those may have 255 points.
  [[nodiscard]] static std::shared_ptr<const ConvexForm> to_search(const Shape& shape);

  /// 0: a point, 1: a segment, 3: a solid.
  [[nodiscard]] int dimension() const { return dimension_; }
  [[nodiscard]] double radius() const { return radius_; }
  [[nodiscard]] double size() const { return size_; }
  [[nodiscard]] bool is_box() const { return box_.has_value(); }
  [[nodiscard]] std::span<const Vec3> vertices() const { return vertices_; }
  [[nodiscard]] std::span<const Plane> planes() const { return planes_; }
  [[nodiscard]] std::span<const Edge> edges() const { return edges_; }
  /// An edge about the middle of inner(), in floats.
  [[nodiscard]] FloatEdge float_edge(std::size_t i) const;
  /// Numbers of vertices, counter-clockwise seen from outside.
  [[nodiscard]] std::span<const std::uint8_t> corners(std::size_t face) const {
    return corners_.subspan(face_begin_[face], face_begin_[face + 1] - face_begin_[face]);
  }
  /// A ball in the core.
  [[nodiscard]] const Sphere& inner() const { return inner_; }
  /// How far the shape reaches from the middle of that ball.
  [[nodiscard]] double reach() const { return reach_; }
  /// Along three axes at right angles, columns of a matrix: around the shape, in their frame.
  [[nodiscard]] Aabb bounds(const Mat3& axes) const;

  [[nodiscard]] std::uint32_t farthest(const Vec3& d) const {
    return vertices_.size() == 1 ? 0 : vertex_lanes_.farthest(d);
  }
  [[nodiscard]] const Vec3& support(const Vec3& d) const { return vertices_[farthest(d)]; }
  /// Of a solid: the face whose normal is nearest to d.
  [[nodiscard]] std::uint32_t face_along(const Vec3& d) const { return normal_lanes_.farthest(d); }

  /// Of a solid: the face that the point is farthest above, in floats.
  [[nodiscard]] std::uint32_t face_above(const Vec3& p) const;

  static constexpr std::size_t most_faces = 2 * most_vertices; ///< in whole lanes
  /// For each face, how far its normal points along d; to within the rounding of floats.
  void faces_along(const Vec3& d, std::array<float, most_faces>& to) const {
    normal_lanes_.along(d, to.data());
  }

  /// Of a solid: how far the points are beyond the face that they are farthest beyond, all of them; to within the rounding of floats. Not more than their hull's distance from the core.
  [[nodiscard]] double beyond_faces(const std::array<Vec3, 3>& points) const;

  /// Equal shapes have equal forms: all that is read is the same.
  [[nodiscard]] bool operator==(const ConvexForm& other) const;
  [[nodiscard]] std::uint64_t hash() const;

private:
  struct alignas(64) Line {
    unsigned char bytes[64];
  };
  /// While it is in the making.
  struct Parts;
  static std::shared_ptr<const ConvexForm> build(const Shape& shape, const Polytope* hull,
                                                 std::size_t most_points);
  void pack(const Parts& parts);

  int dimension_ = 0;
  double radius_ = 0, size_ = 0;
  Sphere inner_{};
  double reach_ = 0;
  VectorLanes vertex_lanes_; ///< about the middle of inner_
  VectorLanes normal_lanes_;
  std::span<const Edge> edges_;
  std::span<const Vec3> vertices_;
  std::span<const std::uint16_t> face_begin_;
  std::span<const std::uint8_t> corners_;
  std::span<const Plane> planes_;
  std::span<const float> offset_lanes_; ///< of the planes, beside their normals
  std::unique_ptr<Line[]> memory_;      ///< of all these
  std::size_t lines_ = 0;               ///< of it
  std::optional<Obb> box_;              ///< where the core is one
};

} // namespace carom
