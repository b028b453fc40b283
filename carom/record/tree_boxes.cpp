#include "carom/record/tree_boxes.h"

#include "carom/math/tolerance.h"

namespace carom {
namespace {

void add(const FloatBox& box, const Vec3& origin, int level, std::vector<TreeBox>& boxes) {
  // What is without end ends at coordinate_max in a tree (broad_phase.cpp), rounded outward.
  constexpr auto most = static_cast<float>(tolerance::coordinate_max / 2);
  for (std::size_t i = 0; i < 3; ++i)
    if (!(box.min[i] > -most && box.max[i] < most)) return;
  boxes.push_back({{origin + Vec3{box.min[0], box.min[1], box.min[2]},
                    origin + Vec3{box.max[0], box.max[1], box.max[2]}},
                   level});
}

void add(const DynamicTree& tree, std::vector<TreeBox>& boxes) {
  if (tree.empty()) return;
  std::vector<std::uint32_t> waiting{tree.root()};
  while (!waiting.empty()) {
    const DynamicNode& node = tree.nodes()[waiting.back()];
    waiting.pop_back();
    add(node.box(), tree.origin(), node.level + 1, boxes);
    for (int lane = 0; lane < node.count; ++lane) {
      const ChildRef child = node.child[lane];
      if (child.is_leaf())
        add(node.box(lane), tree.origin(), 0, boxes);
      else
        waiting.push_back(child.number());
    }
  }
}

} // namespace

void tree_boxes(const World& world, std::vector<TreeBox>& boxes) {
  boxes.clear();
  for (const bool moving : {true, false}) add(world.boxes().tree(moving), boxes);
}

} // namespace carom
