// Triangles between two frames: their vertices move along straight lines, and a tree over the boxes that each triangle sweeps.
//
// Built once for the triangles; refit for each new pair of frames, in linear time. The boxes are in doubles and exact: a triangle stays within the box around both its positions.
#pragma once

#include "carom/math/result.h"
#include "carom/motion/linear_answer.h"
#include "carom/tree/wide_tree.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {

/// Refers to the arrays and does not own them. Vertex i is at from[i] at time 0 and at to[i] at time 1.
struct MovingMesh {
  std::span<const std::array<std::uint32_t, 3>> triangles;
  std::span<const Vec3> from, to;

  [[nodiscard]] MovingPoint vertex(std::uint32_t i) const { return {from[i], to[i]}; }
};

/// What a triangle answers for: bit i, its corner i; bit 3 + i, its edge from corner i to the next. Each vertex and each edge of the mesh belongs to one triangle, the first that has it.
using FeatureMask = std::uint8_t;

class SweptTree {
public:
  SweptTree() = default;
  /// Fails where a triangle has a corner that is no vertex, the frames differ in size, or a coordinate is not finite or above 1e30.
  [[nodiscard]] static Result<SweptTree> build(const MovingMesh& mesh);
  /// For the same triangles between two other frames. Fails as above, or where the number of triangles is another; it is then as before.
  [[nodiscard]] Result<void> refit(const MovingMesh& mesh);

  [[nodiscard]] const WideTree& tree() const { return tree_; }
  /// Around the lane of a node: tree().nodes()[node].child[lane], at 8 * node + lane.
  [[nodiscard]] std::span<const Aabb> child_boxes() const { return child_boxes_; }
  [[nodiscard]] std::span<const Aabb> triangle_boxes() const { return triangle_boxes_; }
  [[nodiscard]] std::span<const FeatureMask> features() const { return features_; }

private:
  void fit(const MovingMesh& mesh);

  WideTree tree_;
  std::vector<Aabb> child_boxes_, triangle_boxes_;
  std::vector<FeatureMask> features_;
};

} // namespace carom
