// From the top down: the boxes are cut into as many parts as a node has children, all of about the same count, since all leaves are to be equally deep. A cut halves the parts
// to come, by the middles of the boxes along the axis that leaves the two boxes smallest. Which boxes go to which side is fixed by their middles and slots, so the
// tree does not depend on how the standard library partitions.
#include "carom/tree/dynamic_build.h"

#include <algorithm>

namespace carom {
namespace {

/// Children that a node is given: some lanes stay free for boxes that come later.
constexpr std::size_t children_wanted = 6;

class Builder {
public:
  Builder(std::span<NodeEntry> leaves, std::vector<DynamicNode>& nodes)
      : leaves_(leaves), nodes_(nodes) {}

  void build() {
    int level = 0;
    std::size_t fits = children_wanted;
    for (; fits < leaves_.size(); fits *= children_wanted) ++level;
    add_node(0, leaves_.size(), level, fits / children_wanted, {});
  }

private:
  std::uint32_t add_node(std::size_t begin, std::size_t end, int level, std::size_t child_fits,
                         NodeLane parent) {
    const auto number = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back().reset(level);
    nodes_[number].parent = parent;
    if (level == 0) {
      const auto at = [this](std::size_t i) {
        return leaves_.begin() + static_cast<std::ptrdiff_t>(i);
      };
      std::sort(at(begin), at(end), [](const NodeEntry& a, const NodeEntry& b) {
        return a.child.number() < b.child.number();
      });
      for (std::size_t i = begin; i < end; ++i) nodes_[number].add(leaves_[i]);
    } else {
      const std::size_t count = end - begin;
      add_children(number, begin, end, std::max<std::size_t>(2, (count - 1) / child_fits + 1),
                   child_fits);
    }
    return number;
  }

  /// These leaves as so many children of the node.
  void add_children(std::uint32_t node, std::size_t begin, std::size_t end, std::size_t children,
                    std::size_t child_fits) {
    if (children == 1) {
      const NodeLane place = NodeLane::of(node, nodes_[node].count);
      const int level = nodes_[node].level - 1;
      // The lane is taken before the child's own children come.
      nodes_[node].add({{}, ChildRef::node(static_cast<std::uint32_t>(nodes_.size()))});
      const std::uint32_t child = add_node(begin, end, level, child_fits / children_wanted, place);
      nodes_[node].set_box(place.lane(), nodes_[child].box());
      return;
    }
    const std::size_t first = children / 2;
    const std::size_t middle = begin + (end - begin) * first / children;
    cut(begin, middle, end);
    add_children(node, begin, middle, first, child_fits);
    add_children(node, middle, end, children - first, child_fits);
  }

  void cut(std::size_t begin, std::size_t middle, std::size_t end) {
    float least = INFINITY;
    std::size_t best = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      part(begin, middle, end, axis);
      const float cost = edge_sum(around(begin, middle)) + edge_sum(around(middle, end));
      if (cost < least) {
        least = cost;
        best = axis;
      }
    }
    if (best != 2) part(begin, middle, end, best);
  }

  void part(std::size_t begin, std::size_t middle, std::size_t end, std::size_t axis) {
    const auto at = [this](std::size_t i) {
      return leaves_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    std::nth_element(
        at(begin), at(middle), at(end), [axis](const NodeEntry& a, const NodeEntry& b) {
          const float x = a.box.min[axis] + a.box.max[axis], y = b.box.min[axis] + b.box.max[axis];
          return x != y ? x < y : a.child.number() < b.child.number();
        });
  }

  [[nodiscard]] FloatBox around(std::size_t begin, std::size_t end) const {
    FloatBox box;
    for (std::size_t i = begin; i < end; ++i) box.add(leaves_[i].box);
    return box;
  }

  std::span<NodeEntry> leaves_;
  std::vector<DynamicNode>& nodes_;
};

} // namespace

void build_dynamic_nodes(std::span<NodeEntry> leaves, std::vector<DynamicNode>& nodes) {
  Builder(leaves, nodes).build();
}

} // namespace carom
