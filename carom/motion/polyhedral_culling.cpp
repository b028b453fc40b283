#include "carom/motion/polyhedral_culling.h"

#include <algorithm>
#include <array>

namespace carom {
namespace {

bool meet(const Aabb& a, const Aabb& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
         a.min.z <= b.max.z && b.min.z <= a.max.z;
}

/// Bit i: child i's box meets the query's. The corners of the children are exact floats, the query is rounded outward.
unsigned lanes_near(const WideNode& node, const FloatBox& query) {
  unsigned near = node.lanes();
  for (int k = 0; k < 3; ++k) {
    const float step = node.grid(k).step(), origin = node.origin[k];
    const float low = query.min[static_cast<std::size_t>(k)],
                high = query.max[static_cast<std::size_t>(k)];
    unsigned on_axis = 0;
    for (unsigned i = 0; i < 8; ++i) {
      const float from = origin + static_cast<float>(node.lower[k][i]) * step;
      const float to = origin + static_cast<float>(node.upper[k][i]) * step;
      on_axis |= (from <= high && low <= to ? 1U : 0U) << i;
    }
    near &= on_axis;
  }
  return near;
}

template<class Found>
void walk(const WideTree& tree, const Aabb& box, Found&& found) {
  if (tree.empty()) return;
  const FloatBox query = float_box(tree.frame(), box);
  std::array<std::uint32_t, WideTree::max_waiting> waiting{};
  std::size_t count = 0;
  waiting[count++] = 0;
  while (count != 0) {
    const WideNode& node = tree.nodes()[waiting[--count]];
    for (unsigned near = lanes_near(node, query); near != 0; near &= near - 1) {
      const ChildRef child = node.child[std::countr_zero(near)];
      if (!child.is_leaf()) {
        waiting[count++] = child.number();
        continue;
      }
      for (const std::uint32_t item : tree.leaf(child.number()))
        if (item != WideTree::no_item) found(item);
    }
  }
}

} // namespace

void find_polygons(const Polyhedron& body, const Aabb& box, PolyhedralOptions::Culling culling,
                   std::vector<std::uint32_t>& found) {
  found.clear();
  const auto near = [&](std::uint32_t i) {
    if (meet(body.polygons()[i].box, box)) found.push_back(i);
  };
  switch (culling) {
  case PolyhedralOptions::Culling::tree:
    walk(body.tree(), box, near);
    break;
  case PolyhedralOptions::Culling::bsp:
    body.bsp().overlapping(box, near);
    break;
  case PolyhedralOptions::Culling::none:
    for (std::uint32_t i = 0; i < body.polygons().size(); ++i) found.push_back(i);
    return;
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

} // namespace carom
