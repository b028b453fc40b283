// A node of the tree of moving boxes: eight boxes in floats, side by side, so that one comparison asks all of them.
//
// Doubles become floats by subtracting the tree's origin and rounding outward. Both steps keep the order of numbers: a <= b gives down(a) <= up(b). So boxes that touch
// in doubles touch in floats, whatever their size and wherever they are, and no slack is needed.
#pragma once

#include "carom/tree/wide_node.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace [[gnu::visibility("default")]] carom {

/// A float that is not above x: less than two steps of a float below it. Zero stays zero. Numbers too small for a whole float (under 2^-120) become zero or -2^-120, since
/// machines are slow with them.
[[nodiscard]] inline float float_below(double x) {
  constexpr double most = std::numeric_limits<float>::max();
  constexpr double least = 0x1p-120;
  const double size = std::fabs(x);
  if (size < least) return x < 0 ? -0x1p-120F : 0.0F;
  if (size > 0.5 * most) return x > 0 ? 0x1p126F : -INFINITY;
  // Rounding to the nearest float adds at most size * 2^-24, which is taken away first: no branch that depends on the last bits.
  return static_cast<float>(x - size * 0x1p-24);
}
/// A float that is not below x, likewise.
[[nodiscard]] inline float float_above(double x) { return -float_below(-x); }

/// Around the box, relative to the origin.
[[nodiscard]] inline FloatBox outward_box(const Aabb& box, const Vec3& origin) {
  const Vec3 low = box.min - origin, high = box.max - origin;
  return {{float_below(low.x), float_below(low.y), float_below(low.z)},
          {float_above(high.x), float_above(high.y), float_above(high.z)}};
}

/// Whether `outer` contains `inner`.
[[nodiscard]] constexpr bool contains(const FloatBox& outer, const FloatBox& inner) {
  bool all = true;
  for (std::size_t i = 0; i < 3; ++i)
    all = all && outer.min[i] <= inner.min[i] && inner.max[i] <= outer.max[i];
  return all;
}

/// Where a child stands: a lane of a node.
struct NodeLane {
  std::uint32_t bits = none_bits;

  static constexpr std::uint32_t none_bits = 0xffffffffU;
  [[nodiscard]] static constexpr NodeLane of(std::uint32_t node, int lane) {
    return {node * 8 + static_cast<std::uint32_t>(lane)};
  }
  [[nodiscard]] constexpr bool none() const { return bits == none_bits; }
  [[nodiscard]] constexpr std::uint32_t node() const { return bits / 8; }
  [[nodiscard]] constexpr int lane() const { return static_cast<int>(bits % 8); }
};

/// A child and its box, on their way to a lane.
struct NodeEntry {
  FloatBox box;
  ChildRef child;
};

/// Lanes from `count` on hold the empty box. A node's level is 0 where its children are boxes of the user, and else one more than that of its children.
struct alignas(64) DynamicNode {
  /// All nodes but the root have that many.
  static constexpr int min_children = 3;

  float lower[3][8];
  float upper[3][8];
  ChildRef child[8]; ///< nodes, or leaves: then their number is the slot of a proxy
  NodeLane parent;   ///< none: the root, or a node not in use
  std::uint8_t count;
  std::uint8_t level;

  [[nodiscard]] FloatBox box(int lane) const {
    return {{lower[0][lane], lower[1][lane], lower[2][lane]},
            {upper[0][lane], upper[1][lane], upper[2][lane]}};
  }
  void set_box(int lane, const FloatBox& box) {
    for (std::size_t i = 0; i < 3; ++i) {
      lower[i][lane] = box.min[i];
      upper[i][lane] = box.max[i];
    }
  }
  [[nodiscard]] NodeEntry entry(int lane) const { return {box(lane), child[lane]}; }
  void set(int lane, const NodeEntry& entry) {
    set_box(lane, entry.box);
    child[lane] = entry.child;
  }
  /// After the others; there must be room. Its lane.
  int add(const NodeEntry& entry) {
    set(count, entry);
    return count++;
  }
  /// Takes the lane away; the last one takes its place.
  void take(int lane) {
    --count;
    set(lane, entry(count));
    set_box(count, {});
  }
  /// No children, at this level.
  void reset(int new_level);
  /// Around all of them.
  [[nodiscard]] FloatBox box() const;
  /// The lane in use whose surface grows least by a new box; of equal ones the smallest, then the first. The scale makes all edges of the tree 1 or less.
  [[nodiscard]] int least_growth(const FloatBox& box, float scale) const;
  /// Bit i: lane i is in use.
  [[nodiscard]] unsigned lanes() const { return (1U << count) - 1; }
};
static_assert(sizeof(DynamicNode) == 256);

/// The sum of its edges. Unlike a surface it tells flat boxes and lines apart, and is in range for all that a tree holds.
[[nodiscard]] constexpr float edge_sum(const FloatBox& box) {
  return (box.max[0] - box.min[0]) + (box.max[1] - box.min[1]) + (box.max[2] - box.min[2]);
}

/// Shares the eight children of a full node and one more between it and an empty node of the same level: at least min_children each.
void split_node(DynamicNode& full, const NodeEntry& extra, DynamicNode& empty);

} // namespace carom
