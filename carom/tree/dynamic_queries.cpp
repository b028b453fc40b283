// Compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "carom/tree/dynamic_queries.cpp"
#include <hwy/foreach_target.h>

#include "carom/geometry/overlap_box.h"
#include "carom/tree/dynamic_queries.h"
#include "carom/tree/dynamic_ray_walk-inl.h"
#include "carom/tree/dynamic_walk-inl.h"

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

void in_box(const DynamicTree& tree, const Aabb& box, FunctionRef<bool(BoxId)> found) {
  const Aabb* tight = tree.tight_boxes();
  walk_box(tree, outward_box(box, tree.origin()), [&](std::uint32_t slot) HWY_ATTR {
    return !overlaps(tight[slot], box) || found(tree.id_of(slot));
  });
}

void on_ray(const DynamicTree& tree, const Ray& ray, double t_max,
            FunctionRef<double(BoxId, double)> found) {
  RaySlabs slabs(ray, t_max);
  const Aabb* tight = tree.tight_boxes();
  walk_ray(tree, ray, {}, t_max, [&](std::uint32_t slot) HWY_ATTR {
    const double t = enter(slabs, tight[slot]);
    if (t < INFINITY) slabs.t_max = std::min(slabs.t_max, found(tree.id_of(slot), t));
    return slabs.t_max;
  });
}

void pairs_of_all(const DynamicTree& tree, FoundPair found) {
  const Aabb* fat = tree.fat_boxes();
  walk_pairs(tree, [&](std::uint32_t a, std::uint32_t b) HWY_ATTR {
    return !overlaps(fat[a], fat[b]) || found(tree.id_of(a), tree.id_of(b));
  });
}

/// Where more than one box in so many has moved, comparing all with all takes less time than asking for each that moved.
constexpr std::size_t many_moved = 6;

void pairs_of_moved(const DynamicTree& tree, FoundPair found) {
  const Aabb* fat = tree.fat_boxes();
  if (tree.moved().size() * many_moved > tree.size()) {
    walk_pairs(tree, [&](std::uint32_t a, std::uint32_t b) HWY_ATTR {
      if (!tree.slot_moved(a) && !tree.slot_moved(b)) return true;
      return !overlaps(fat[a], fat[b]) || found(tree.id_of(a), tree.id_of(b));
    });
    return;
  }
  for (const std::uint32_t slot : tree.moved()) {
    const auto at_other = [&](std::uint32_t other) HWY_ATTR {
      if (!overlaps(fat[slot], fat[other])) return true;
      // Of two that have moved, the one of the lower slot reports.
      if (other == slot || (other < slot && tree.slot_moved(other))) return true;
      return found(tree.id_of(slot), tree.id_of(other));
    };
    if (!walk_box(tree, outward_box(fat[slot], tree.origin()), at_other)) return;
  }
}

void pairs_of_two(const DynamicTree& tree_a, const DynamicTree& tree_b, FoundPair found) {
  const Aabb *fat_a = tree_a.fat_boxes(), *fat_b = tree_b.fat_boxes();
  walk_pairs(tree_a, tree_b, [&](std::uint32_t a, std::uint32_t b) HWY_ATTR {
    return !overlaps(fat_a[a], fat_b[b]) || found(tree_a.id_of(a), tree_b.id_of(b));
  });
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {

HWY_EXPORT(in_box);
HWY_EXPORT(on_ray);
HWY_EXPORT(pairs_of_all);
HWY_EXPORT(pairs_of_moved);
HWY_EXPORT(pairs_of_two);

} // namespace

void find_boxes(const DynamicTree& tree, const Aabb& box, FunctionRef<bool(BoxId)> found) {
  HWY_DYNAMIC_DISPATCH(in_box)(tree, box, found);
}

void find_boxes(const DynamicTree& tree, const Ray& ray, double t_max,
                FunctionRef<double(BoxId, double)> found) {
  HWY_DYNAMIC_DISPATCH(on_ray)(tree, ray, t_max, found);
}

void all_pairs(const DynamicTree& tree, FoundPair found) {
  HWY_DYNAMIC_DISPATCH(pairs_of_all)(tree, found);
}

void moved_pairs(const DynamicTree& tree, FoundPair found) {
  HWY_DYNAMIC_DISPATCH(pairs_of_moved)(tree, found);
}

void pairs_between(const DynamicTree& a, const DynamicTree& b, FoundPair found) {
  HWY_DYNAMIC_DISPATCH(pairs_of_two)(a, b, found);
}

} // namespace carom
#endif
