// Which triangles a tree keeps together: the shape of a binary tree, without its volumes.
//
// Any bounding volume can stand at the nodes of any such shape. So the ways to build are written once, over the boxes of the items
// (triangles, or small balls that cover them), and costs are counted in areas of boxes: the chance that a random line which meets the
// outer of two convex sets also meets the inner one is the ratio of their areas.
//
//   top down      divide all in two, then each part, and so on: an axis, and a place on it
//   bottom up     join two, then again two, until one is left: the pair whose common box is smallest
//   insertion     put one item after the other where it makes the tree grow least
#pragma once

#include "carom/geometry/box.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

enum class TreeMethod {
  top_down,
  nearest_pair, ///< bottom up: at each step the two of all that have the smallest common box
  clusters, ///< bottom up: neighbours in the order of a space-filling curve, all mutual nearest pairs at once. Quicker, nearly as good
  insertion, ///< each item beside the node where the sum of all areas grows least, found by branch and bound
  one_path, ///< the same along a single path from the root: always into the child that grows less (Goldsmith and Salmon)
};

/// Along which direction a top-down builder divides.
enum class SplitAxis {
  longest_side,     ///< of the box of the centres
  largest_variance, ///< the coordinate axis along which the centres spread most
  principal,        ///< the direction, any, along which the centres spread most
  farthest_points, ///< through two centres far apart: the farthest of those extreme along a coordinate axis
  best_of_three, ///< x, y and z are all tried: the one that serves the goal best
};

/// Where on the axis. An item goes by its centre, that of its box.
enum class SplitPoint {
  object_median,  ///< as many on each side: the most even tree
  object_mean,    ///< at the mean of the centres
  spatial_median, ///< in the middle of their range
  samples,        ///< at the best for the goal of evenly spaced places
  largest_gap,    ///< between the two neighbours that are farthest apart
  growth, ///< no place: both extreme items gather the others, each goes where the box grows less
};

/// What `samples` and `best_of_three` compare.
enum class SplitGoal {
  weighted_area, ///< least sum of area times number of items: the surface-area heuristic
  sum_of_areas,  ///< least sum of areas
  greatest_area, ///< least greater area
  common_area,   ///< least area of the box that both have in common; the more even of equals
  separation,    ///< widest gap between the two boxes along the axis, or least overlap
};

/// What the volume of an inner node is fitted to.
enum class NodeFit {
  triangles, ///< all triangles below: as tight as the kind allows
  children,  ///< the two volumes below: quick, and looser
};

struct VolumeTreeBuild {
  TreeMethod method = TreeMethod::top_down;
  SplitAxis axis = SplitAxis::longest_side;
  SplitPoint point = SplitPoint::samples;
  SplitGoal goal = SplitGoal::weighted_area;
  NodeFit fit = NodeFit::triangles;
  std::uint32_t leaf_size = 1; ///< at most this many items in a leaf; 0 counts as 1
  std::uint32_t samples = 16;  ///< bins along the axis, 2 to 256
  std::uint32_t cluster_window =
      12; ///< `clusters`: how many neighbours on each side are looked at, at least 1
  std::uint64_t seed =
      1; ///< `insertion` and `one_path`: items come in a random order, since a sorted one makes bad trees
};

/// A binary tree of items. Node 0 is the root; a child has a greater number than its parent. No nodes where there are no items.
struct VolumeTopology {
  struct Node {
    std::uint32_t first = 0; ///< the items below are order[first] .. order[first + count - 1]
    std::uint32_t count = 0;
    std::uint32_t child = 0; ///< the children are child and child + 1; 0 in a leaf

    [[nodiscard]] constexpr bool leaf() const { return child == 0; }
  };
  std::vector<Node> nodes;
  std::vector<std::uint32_t> order; ///< each item once
};

/// A tree over items with these boxes, which must not be empty and hold no NaN. The same bits in, the same tree out.
///
/// No node is deeper than 3 log2(n) + 18, whatever the input: where a method would go deeper, the rest is divided by object medians.
/// Items with one centre are divided by their number. Time is about n log n, for `insertion` somewhat more.
[[nodiscard]] VolumeTopology build_topology(std::span<const Aabb> items,
                                            const VolumeTreeBuild& how = {});

/// How many steps the deepest leaf is below the root; 0 where there are no nodes.
[[nodiscard]] std::size_t depth(const VolumeTopology& topology);

} // namespace carom
