// Halved at the median of the widest axis. The median is by (coordinate, index): which points go to which half, and so every box, does not
// depend on how the library's nth_element works inside.
#include "carom/mesh/point_tree.h"

#include <algorithm>

namespace carom {
namespace {

constexpr std::uint32_t leaf_size = 8;

Aabb box_of(std::span<const Vec3> points, std::span<const std::uint32_t> chosen) {
  Aabb box{points[chosen[0]], points[chosen[0]]};
  for (const std::uint32_t i : chosen) {
    box.min = min(box.min, points[i]);
    box.max = max(box.max, points[i]);
  }
  return box;
}

} // namespace

PointTree::PointTree(std::span<const Vec3> points, std::span<const std::uint32_t> chosen) {
  for (const std::uint32_t i : chosen) {
    if (is_finite(points[i])) order_.push_back(i);
  }
  if (order_.empty()) return;
  struct Task {
    std::uint32_t begin, end, parent;
  };
  constexpr std::uint32_t no_parent = 0xffffffff;
  std::vector<Task> tasks = {{0, static_cast<std::uint32_t>(order_.size()), no_parent}};
  while (!tasks.empty()) {
    const Task task = tasks.back();
    tasks.pop_back();
    const auto number = static_cast<std::uint32_t>(nodes_.size());
    // A task with a parent is that parent's second child.
    if (task.parent != no_parent) nodes_[task.parent].second_child = number;
    const auto range = std::span(order_).subspan(task.begin, task.end - task.begin);
    const Aabb box = box_of(points, range);
    nodes_.push_back({box, task.begin, task.end, 0});
    if (range.size() <= leaf_size) {
      std::sort(range.begin(), range.end());
      continue;
    }
    const int axis = largest_axis(box.max - box.min);
    const std::uint32_t middle = task.begin + (task.end - task.begin) / 2;
    std::nth_element(range.begin(), range.begin() + static_cast<std::ptrdiff_t>(range.size() / 2),
                     range.end(), [&](std::uint32_t i, std::uint32_t j) {
                       const double a = points[i][axis];
                       const double b = points[j][axis];
                       return a != b ? a < b : i < j;
                     });
    tasks.push_back({middle, task.end, number});
    tasks.push_back({task.begin, middle, no_parent});
  }
}

} // namespace carom
