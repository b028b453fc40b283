// An axial BSP tree over boxes: the alternative to the wide tree for finding the polygons near a motion.
//
// Every inner node is a plane at right angles to an axis, taken from the sides of the boxes. Boxes wholly below it go to one child, wholly above to the other; those that
// it cuts go to both, so that a leaf knows all boxes that reach into its cell. A query box walks down to the cells it reaches, and meets a box once for each cell they
// share: the caller's marks make it once.
#pragma once

#include "carom/geometry/box.h"
#include "carom/tree/function_ref.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

class AxialBsp {
public:
  AxialBsp() = default;
  /// The boxes must be finite and not empty.
  explicit AxialBsp(std::span<const Aabb> boxes);

  /// Calls found(number) for every box that has a point in common with `box`; and for some that are near it; one box may come several times. Touching counts.
  void overlapping(const Aabb& box, FunctionRef<void(std::uint32_t)> found) const;

  [[nodiscard]] std::size_t bytes() const {
    return nodes_.size() * sizeof(Node) + items_.size() * sizeof(std::uint32_t);
  }

private:
  static constexpr int max_depth = 48;
  struct Node {
    double at = 0; ///< inner: where the plane is on the axis
    std::uint32_t first =
        0; ///< inner: the child below, the one above follows; leaf: its items begin here
    std::uint32_t count = 0; ///< of a leaf
    int axis = -1;           ///< of an inner node; -1: a leaf
  };
  friend struct AxialBspBuild;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> items_;
};

} // namespace carom
