// What a tree of moving boxes is held against: a list of the boxes, asked one by one; and what must hold inside of it.
#pragma once

#include "carom/geometry/overlap_box.h"
#include "carom/geometry/ray_slabs.h"
#include "carom/tree/dynamic_queries.h"
#include "tests/support/generate.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace carom::test {

using SlotPair = std::pair<std::uint32_t, std::uint32_t>;

/// Empty where all is as it should be, else what is not.
inline std::string wrong_in(const DynamicTree& tree) {
  if (tree.empty()) return tree.height() == 0 ? "" : "an empty tree has a height";
  const auto nodes = tree.nodes();
  if (!nodes[tree.root()].parent.none()) return "the root has a parent";
  std::vector<std::uint32_t> waiting{tree.root()}, slots;
  std::size_t used = 0;
  while (!waiting.empty()) {
    const std::uint32_t at = waiting.back();
    waiting.pop_back();
    ++used;
    const DynamicNode& node = nodes[at];
    if (node.count > 8) return "more than eight children";
    const int fewest = at != tree.root() ? 3 : node.level > 0 ? 2 : 1;
    if (node.count < fewest) return "too few children";
    for (int i = node.count; i < 8; ++i)
      if (node.lower[0][i] != INFINITY || node.upper[2][i] != -INFINITY)
        return "a lane not in use has a box";
    for (int i = 0; i < node.count; ++i) {
      const ChildRef child = node.child[i];
      if (child.is_leaf() != (node.level == 0)) return "a leaf on the wrong level";
      const FloatBox lane = node.box(i);
      FloatBox want;
      if (child.is_leaf()) {
        slots.push_back(child.number());
        want = outward_box(tree.fat_boxes()[child.number()], tree.origin());
      } else {
        const DynamicNode& below = nodes[child.number()];
        if (below.level + 1 != node.level) return "a level is left out";
        if (below.parent.node() != at || below.parent.lane() != i) return "a wrong parent";
        want = below.box();
        waiting.push_back(child.number());
      }
      if (lane.min != want.min || lane.max != want.max) return "a lane is not around its child";
    }
  }
  std::sort(slots.begin(), slots.end());
  if (std::adjacent_find(slots.begin(), slots.end()) != slots.end()) return "a box is there twice";
  if (slots.size() != tree.size()) return "a box is missing";
  for (const std::uint32_t slot : slots)
    if (!tree.contains(tree.id_of(slot))) return "a removed box is still there";
  if (used > std::max<std::size_t>(1, tree.size() / 2)) return "too many nodes";
  std::size_t needed = 2;
  for (int i = 1; i < tree.height(); ++i) needed *= 3;
  if (tree.size() > 1 && needed > tree.size()) return "too deep";
  return "";
}

/// The boxes as a list.
struct BoxList {
  struct Item {
    BoxId id;
    Aabb box;
    std::uint64_t user;
  };
  std::vector<Item> items;

  [[nodiscard]] std::vector<std::uint32_t> in_box(const Aabb& box) const {
    std::vector<std::uint32_t> slots;
    for (const Item& item : items)
      if (overlaps(item.box, box)) slots.push_back(item.id.slot);
    std::sort(slots.begin(), slots.end());
    return slots;
  }
  [[nodiscard]] std::vector<std::pair<std::uint32_t, double>> on_ray(const Ray& ray,
                                                                     double t_max) const {
    std::vector<std::pair<std::uint32_t, double>> slots;
    const RaySlabs slabs(ray, t_max);
    for (const Item& item : items) {
      const double t = enter(slabs, item.box);
      if (t < INFINITY) slots.emplace_back(item.id.slot, t);
    }
    std::sort(slots.begin(), slots.end());
    return slots;
  }
  /// Of fat boxes.
  template<class Counts>
  [[nodiscard]] std::vector<SlotPair> pairs(const DynamicTree& tree, Counts&& counts) const {
    std::vector<SlotPair> found;
    for (const Item& a : items)
      for (const Item& b : items)
        if (a.id.slot < b.id.slot && counts(a.id, b.id) &&
            overlaps(tree.fat_box(a.id), tree.fat_box(b.id)))
          found.emplace_back(a.id.slot, b.id.slot);
    std::sort(found.begin(), found.end());
    return found;
  }
};

inline std::vector<std::uint32_t> slots_in_box(const DynamicTree& tree, const Aabb& box) {
  std::vector<std::uint32_t> slots;
  find_boxes(tree, box, [&](BoxId id) {
    slots.push_back(id.slot);
    return true;
  });
  std::sort(slots.begin(), slots.end());
  return slots;
}

inline std::vector<std::pair<std::uint32_t, double>> slots_on_ray(const DynamicTree& tree,
                                                                  const Ray& ray, double t_max) {
  std::vector<std::pair<std::uint32_t, double>> slots;
  find_boxes(tree, ray, t_max, [&](BoxId id, double t) {
    slots.emplace_back(id.slot, t);
    return t_max;
  });
  std::sort(slots.begin(), slots.end());
  return slots;
}

/// Pairs as they come, each with the lower slot first, then sorted. One found twice is there twice.
template<class Query>
std::vector<SlotPair> sorted_pairs(Query&& query) {
  std::vector<SlotPair> found;
  query([&](BoxId a, BoxId b) {
    found.emplace_back(std::min(a.slot, b.slot), std::max(a.slot, b.slot));
    return true;
  });
  std::sort(found.begin(), found.end());
  return found;
}

/// Where the boxes of one case lie.
struct BoxWorld {
  double size = 1;
  Vec3 center;
  bool crowded = false; ///< ever smaller, toward one point

  static BoxWorld draw(Source& source) {
    BoxWorld world;
    world.size = scale(source);
    world.center = offset(source) * world.size;
    world.crowded = source.chance(5);
    return world;
  }
  [[nodiscard]] Aabb box(Source& source) const {
    const double shrink = crowded ? std::ldexp(1.0, -source.index(60)) : 1;
    const Vec3 at = vec3(source) * (4 * size * shrink) + center;
    const int kind = source.index(8);
    if (kind == 0) return {at, at};
    Vec3 edges = abs(vec3(source)) * (size * shrink);
    if (kind == 1) edges[source.index(3)] = 0;
    if (kind == 2) edges = edges * 16;
    return {at, at + edges};
  }
  [[nodiscard]] Ray ray(Source& source) const {
    const Vec3 from = vec3(source) * (4 * size) + center;
    const double away = source.chance(6) ? 1e4 : 1;
    const Vec3 d = stretched_direction(source);
    return {from * away, d * size};
  }
};

} // namespace carom::test
