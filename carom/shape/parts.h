// A shape as a tree over its parts: what one walk needs to go through any shape, and any two. Internal.
//
// The parts of a mesh or height field are its triangles, of a cloud its points, of a compound its parts; a convex shape is its own one part.
#pragma once

#include "carom/geometry/box.h"
#include "carom/shape/composite.h"
#include "carom/shape/part_id.h"

#include <array>
#include <optional>

namespace [[gnu::visibility("default")]] carom {

/// Some parts of a shape, or one: a place in its tree.
struct PartGroup {
  Aabb box; ///< in the shape's frame, its rounding included, to within a few roundings of its size
  std::uint64_t place = 0;
  bool single = false; ///< one part: `place` is its number
};

class PartTree {
public:
  static constexpr std::size_t most_children = 16;
  /// However the parts lie, no group is nested deeper.
  static constexpr std::size_t max_depth = WideTree::max_depth + 2;
  using Children = std::array<PartGroup, most_children>;

  /// Refers to the shape. Where not `opened`, the shape counts as one part.
  explicit PartTree(const Shape& shape, bool opened = true);

  [[nodiscard]] const PartGroup& whole() const { return whole_; }
  /// What a group that is not single is made of. Returns how many.
  std::size_t open(const PartGroup& group, Children& children) const;

private:
  const Shape& shape_;
  PartGroup whole_;
};

/// Parts have numbers below this. Each number is that of a part, but for the triangles in the holes of a height field.
[[nodiscard]] std::uint64_t part_numbers(const Shape& shape);
[[nodiscard]] bool is_part(const Shape& shape, std::uint64_t number);
/// The number of a part, whichever.
[[nodiscard]] std::uint64_t some_part(const Shape& shape);

/// One part of a placed shape after another, as a shape of its own. Triangles and points are put into one shape that is made once.
class PartShape {
public:
  /// Refers to the shape. `opened` as for the tree.
  PartShape(const Shape& whole, const Pose& pose, bool opened = true);

  /// The next part.
  void take(std::uint64_t number);
  [[nodiscard]] const Shape& shape() const { return *current_; }
  [[nodiscard]] const Pose& pose() const { return pose_; }
  /// Of the part: what an answer about it says, within the whole.
  [[nodiscard]] PartId id(const PartId& within_part = {}) const;

private:
  const Shape& whole_;
  const Pose whole_pose_;
  const bool opened_;
  std::optional<Shape> scratch_; ///< for triangles and points: made for the first
  const Shape* current_;
  Pose pose_;
  std::uint32_t number_ = 0;
};

} // namespace carom
