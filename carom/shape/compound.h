// Several shapes that move as one.
//
//   Shape hammer = Shape::compound({{{handle, {}}, {head, Pose::at({0, 0, 0.3}), steel}}}).value();
#pragma once

#include "carom/shape/shape.h"
#include "carom/tree/wide_tree.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// A shape, where it is in the frame of the compound, and what the answers call its material (that of a mesh's triangles is in the mesh).
struct CompoundPart {
  Shape shape;
  Pose pose{};
  std::uint32_t material = 0;
};

/// Where a part is: whole * part (pose.h), rounded as that product is. Rotations of any length, also very small and large ones, count as what they turn by; a coordinate that comes out below the least (tolerance.h) is 0.
[[nodiscard]] Pose part_pose(const Pose& whole, const Pose& part);

/// The parts may overlap, and be of any kind: a compound among them is taken apart, its parts standing in its place. Each is placed by part_pose.
class Compound {
public:
  static constexpr std::size_t most_parts = std::size_t{1} << 24;

  /// Errors: too_few where there is no part; unbounded for half-spaces; out_of_range where a pose is, or where the parts, taken apart, are more than most_parts.
  [[nodiscard]] static Result<Compound> build(std::span<const CompoundPart> parts);

  [[nodiscard]] std::span<const CompoundPart> parts() const { return parts_; }
  /// Over the boxes of the parts.
  [[nodiscard]] const WideTree& tree() const { return tree_; }
  [[nodiscard]] std::span<const Aabb> boxes() const { return boxes_; }
  [[nodiscard]] const Aabb& bounds() const { return bounds_; }
  /// At least the greatest |coordinate|, also of the parts in their own frames and of their positions: what roundings are relative to.
  [[nodiscard]] double size() const { return size_; }

private:
  std::vector<CompoundPart> parts_;
  std::vector<Aabb> boxes_;
  WideTree tree_;
  Aabb bounds_;
  double size_ = 0;
};

} // namespace carom
