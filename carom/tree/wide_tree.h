// The one fast tree: eight children a node, up to eight things a leaf.
//
// It knows only boxes. What the things are, its users know: they keep what they need of the things of leaf l, in that order, in arrays of their own (triangle_blocks.h),
// and give the traversals a function for leaves. Built once and not changed by queries; any number of threads may ask.
#pragma once

#include "carom/tree/tree_frame.h"
#include "carom/tree/wide_node.h"

#include <cstddef>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// How a tree is built.
struct TreeBuild {
  enum class Quality : std::uint8_t {
    fast, ///< split at the middle of the space: for development, and things that are rebuilt all the time
    good, ///< by the surface-area heuristic
  };
  Quality quality = Quality::good;
  /// How many may work at it, for `good`. The tree is the same for any number.
  int threads = 1;
};

class WideTree {
public:
  static constexpr std::uint32_t no_item = 0xffffffffU;
  static constexpr std::size_t leaf_size = 8;
  /// However the things lie, no leaf is deeper than this.
  static constexpr int max_depth = 40;
  /// So many children may wait while a traversal looks at others.
  static constexpr int max_waiting = 7 * max_depth + 1;

  WideTree() = default;
  /// The boxes must be finite and not empty. At most 2^30 of them.
  explicit WideTree(std::span<const Aabb> boxes, const TreeBuild& options = {});
  /// The same for boxes in the tree's frame, which are rounded outward already.
  WideTree(const TreeFrame& frame, std::span<const FloatBox> boxes, const TreeBuild& options = {});

  [[nodiscard]] const TreeFrame& frame() const { return frame_; }
  /// The root is node 0, a node comes before its children. Empty where there are no things; a single leaf has a node around it, too.
  [[nodiscard]] std::span<const WideNode> nodes() const { return nodes_; }
  [[nodiscard]] std::size_t leaf_count() const { return items_.size() / 8; }
  /// The things of a leaf: eight places, no_item where there is none; those in use come first.
  [[nodiscard]] std::span<const std::uint32_t, 8> leaf(std::uint32_t number) const {
    return std::span<const std::uint32_t, 8>(items_.data() + 8 * std::size_t{number}, 8);
  }
  [[nodiscard]] bool empty() const { return nodes_.empty(); }

  /// Fits all boxes to things that have moved: each leaf's box anew, in a frame for the new bounds. The tree keeps its structure.
  void refit(const TreeFrame& frame, std::span<const FloatBox> leaf_boxes);
  /// What a ray through the bounds is expected to cost: the nodes and leaves it meets, by their surface over that of the whole. After refitting,
  /// building anew is worth it where this has grown: from a factor of 1.5 or so.
  [[nodiscard]] double expected_cost() const;

  [[nodiscard]] std::size_t bytes() const {
    return nodes_.size() * sizeof(WideNode) + items_.size() * sizeof(std::uint32_t);
  }

private:
  TreeFrame frame_;
  std::vector<WideNode> nodes_;
  std::vector<std::uint32_t> items_;
};

/// The box in the tree's frame, rounded outward.
[[nodiscard]] FloatBox float_box(const TreeFrame& frame, const Aabb& box);

} // namespace carom
