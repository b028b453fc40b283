// A node of the fast tree: eight boxes in 96 bytes.
//
// The boxes of the children stand on a grid of the node's own: corner q is origin + q * step, q from 0 to 255, on each axis. The step is a power of two of at least
// 2^-24 units, and the origin a multiple of it within half a unit of zero. So every corner is a float without rounding, and where a box is rounded
// outward to the grid once, when it is built, that is all the inexactness there is.
#pragma once

#include "carom/geometry/box.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// What a child is: a node of its own, or a leaf. Both are numbers into arrays.
struct ChildRef {
  std::uint32_t bits;

  static constexpr std::uint32_t leaf_bit = 0x80000000U;
  [[nodiscard]] static constexpr ChildRef node(std::uint32_t number) { return {number}; }
  [[nodiscard]] static constexpr ChildRef leaf(std::uint32_t number) { return {number | leaf_bit}; }
  [[nodiscard]] constexpr bool is_leaf() const { return (bits & leaf_bit) != 0; }
  [[nodiscard]] constexpr std::uint32_t number() const { return bits & ~leaf_bit; }
  bool operator==(const ChildRef&) const = default;
};

/// A box in the tree's frame (tree_frame.h), in floats.
struct FloatBox {
  std::array<float, 3> min{INFINITY, INFINITY, INFINITY};
  std::array<float, 3> max{-INFINITY, -INFINITY, -INFINITY};

  constexpr void add(const FloatBox& other) {
    for (std::size_t i = 0; i < 3; ++i) {
      min[i] = other.min[i] < min[i] ? other.min[i] : min[i];
      max[i] = other.max[i] > max[i] ? other.max[i] : max[i];
    }
  }
  /// Half of its surface. Of an empty box: not a number to rely on.
  [[nodiscard]] constexpr float half_area() const {
    const float x = max[0] - min[0], y = max[1] - min[1], z = max[2] - min[2];
    return x * y + y * z + z * x;
  }
};

/// A grid along one axis: origin + q * step.
struct GridAxis {
  float origin;
  std::uint8_t exponent; ///< of the step, as a float stores it

  [[nodiscard]] float step() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(exponent) << 23);
  }
  /// The finest on which the interval takes at most `cells` steps. Its ends are within half a unit of zero.
  [[nodiscard]] static GridAxis around(float min, float max, int cells);
};

struct alignas(32) WideNode {
  float origin[3];
  std::uint8_t exponent[3];
  std::uint8_t count; ///< children, the first lanes: 1 to 8
  std::uint8_t lower[3][8], upper[3][8];
  ChildRef child[8];

  /// From the start of a node's bytes to the first row of an axis; the upper row is `to_upper` farther on.
  static constexpr std::ptrdiff_t to_lower = 16, to_upper = 24;
  [[nodiscard]] const std::uint8_t* rows() const {
    return reinterpret_cast<const std::uint8_t*>(this) + to_lower;
  }

  /// Of these boxes, all not empty.
  void set_boxes(const FloatBox* boxes, int box_count);
  [[nodiscard]] FloatBox box(int lane) const;
  /// Around all of them.
  [[nodiscard]] FloatBox box() const;
  [[nodiscard]] GridAxis grid(int axis) const { return {origin[axis], exponent[axis]}; }
  /// Bit i: lane i is in use.
  [[nodiscard]] unsigned lanes() const { return (1U << count) - 1; }
};
static_assert(sizeof(WideNode) == 96);
static_assert(offsetof(WideNode, lower) == WideNode::to_lower);
static_assert(offsetof(WideNode, upper) == WideNode::to_lower + WideNode::to_upper);

} // namespace carom
