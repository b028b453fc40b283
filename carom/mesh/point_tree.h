// Points sorted into nested boxes, to find those near something without looking at all of them.
#pragma once

#include "carom/geometry/box.h"
#include "carom/math/vec3.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// A static tree over chosen points of an array that outlives it. Works for any distribution: a million points in one spot and one far away cost no
/// more than a grid would for an even spread. Points with coordinates that are not finite are left out.
class PointTree {
public:
  /// `chosen` are indices into points.
  PointTree(std::span<const Vec3> points, std::span<const std::uint32_t> chosen);

  /// body(index) for every point, except those in boxes for which reaches(box) is false. The order is always the same.
  template<class Reaches, class Body>
  void visit(Reaches&& reaches, Body&& body) const {
    if (nodes_.empty()) return;
    // Halving 2^32 points down to one gives 32 levels; each leaves one sibling waiting.
    std::array<std::uint32_t, 40> waiting{};
    std::size_t count = 0;
    waiting[count++] = 0;
    while (count > 0) {
      const std::uint32_t n = waiting[--count];
      const Node& node = nodes_[n];
      if (!reaches(node.box)) continue;
      if (node.second_child != 0) {
        waiting[count++] = node.second_child;
        waiting[count++] = n + 1;
        continue;
      }
      for (std::uint32_t i = node.begin; i < node.end; ++i) body(order_[i]);
    }
  }

private:
  /// The first child of a node follows it.
  struct Node {
    Aabb box;
    std::uint32_t begin = 0, end = 0;
    std::uint32_t second_child = 0; ///< 0: a leaf
  };
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> order_;
};

} // namespace carom
