// Compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "carom/tree/volume_query.cpp"
#include <hwy/foreach_target.h>

#include "carom/geometry/overlap_box.h"
#include "carom/math/tolerance.h"
#include "carom/tree/pair_walk-inl.h"
#include "carom/tree/volume_query.h"

#ifndef CAROM_TREE_VOLUME_QUERY_ONCE_
#define CAROM_TREE_VOLUME_QUERY_ONCE_
namespace carom {
namespace {

/// Where a walk stands, how far it may go, and what it is for.
struct VolumeWalk {
  ChildStack& stack;
  std::size_t steps;
  const LeafVisit& visit;
};

} // namespace
} // namespace carom
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// touching(node) has bit i set where the volume may touch box i.
template<class Touching>
HWY_INLINE void walk_volume(const WideTree& tree, VolumeWalk walk, Touching&& touching) {
  ChildStack& stack = walk.stack;
  if (!stack.begun) {
    stack.begun = true;
    if (!tree.empty()) stack.push({0, ChildRef::node(0)});
  }
  int count = stack.count;
  for (; count != 0 && walk.steps != 0; --walk.steps) {
    const ChildRef next = stack.waiting[--count].child;
    if (next.is_leaf()) {
      const auto places = tree.leaf(next.number());
      std::size_t used = 0;
      while (used < places.size() && places[used] != WideTree::no_item) ++used;
      if (!walk.visit(places.first(used))) count = 0;
      continue;
    }
    const WideNode& node = tree.nodes()[next.number()];
    unsigned met = touching(node) & node.lanes();
    for (; met != 0; met &= met - 1)
      stack.waiting[count++].child = node.child[std::countr_zero(met)];
  }
  stack.count = count;
}

struct FloatVec {
  float v[3];
};
HWY_INLINE FloatVec floats(const Vec3& p) {
  return {{static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)}};
}

/// Volumes of up to so many units, and as far away, are compared in floats.
constexpr double near_enough = 1024;
constexpr float slack = 4 * 1024 * tree_slack;

void visit_box(const WideTree& tree, const Aabb& box, VolumeWalk walk) {
  const TreeFrame& frame = tree.frame();
  // Beyond all things, one place is as good as another.
  const Vec3 far{near_enough, near_enough, near_enough};
  const FloatVec low = floats(min(max(frame.to_tree(box.min), -far), far));
  const FloatVec high = floats(min(max(frame.to_tree(box.max), -far), far));
  walk_volume(tree, walk, [&](const WideNode& node) HWY_ATTR {
    const BoxLanes boxes = box_lanes(node, 1);
    Float8 gap = all_floats(-INFINITY);
    for (int i = 0; i < 3; ++i) {
      gap = max(gap, all_floats(low.v[i]) - (boxes.center[i] + boxes.half[i]));
      gap = max(gap, boxes.center[i] - boxes.half[i] - all_floats(high.v[i]));
    }
    return bits(gap <= all_floats(tree_slack));
  });
}

void visit_obb(const WideTree& tree, const Obb& box, VolumeWalk walk) {
  const TreeFrame& frame = tree.frame();
  // The box as the one thing of a tree, placed by its own frame, in the tree's unit.
  PairFrame f(frame, TreeFrame(), {box.axes, box.center});
  f.scale_a = f.scale_b = 1;
  const FloatVec center = floats(frame.to_tree(box.center));
  for (int i = 0; i < 3; ++i) f.origin[i] = center.v[i];
  const BoxLanes own{{all_floats(0), all_floats(0), all_floats(0)},
                     all_floats(floats(box.half * frame.per_unit).v)};
  const BoxLanes own_in_a = turned_to_a(f, own);
  walk_volume(tree, walk, [&](const WideNode& node) HWY_ATTR {
    const BoxLanes boxes = box_lanes(node, 1), boxes_in_b = turned_to_b(f, boxes);
    Float8 gap = all_floats(-INFINITY);
    for (int i = 0; i < 3; ++i) {
      gap =
          max(gap, abs(boxes.center[i] - own_in_a.center[i]) - (boxes.half[i] + own_in_a.half[i]));
      gap = max(gap, abs(boxes_in_b.center[i]) - (boxes_in_b.half[i] + own.half[i]));
    }
    return bits(gap <= all_floats(slack));
  });
}

void visit_ball(const WideTree& tree, const Sphere& ball, VolumeWalk walk) {
  const TreeFrame& frame = tree.frame();
  const FloatVec center = floats(frame.to_tree(ball.center));
  const float reach = static_cast<float>(ball.radius * frame.per_unit) + slack;
  walk_volume(tree, walk, [&](const WideNode& node) HWY_ATTR {
    const BoxLanes boxes = box_lanes(node, 1);
    Float8 sum = all_floats(0);
    for (int i = 0; i < 3; ++i) {
      const Float8 gap =
          max(abs(boxes.center[i] - all_floats(center.v[i])) - boxes.half[i], all_floats(0));
      sum = sum + gap * gap;
    }
    return bits(sum <= all_floats(reach * reach * (1 + 0x1p-20F)));
  });
}

/// For volumes far away, or much larger than the tree: box by box, in doubles.
template<class Volume>
void visit_in_doubles(const WideTree& tree, const Volume& volume, double reach, VolumeWalk walk) {
  const TreeFrame& frame = tree.frame();
  const double more = 64 * tolerance::epsilon * (max_abs(frame.center) + reach);
  walk_volume(tree, walk, [&](const WideNode& node) {
    unsigned met = 0;
    for (int i = 0; i < node.count; ++i) {
      const FloatBox box = node.box(i);
      Aabb placed;
      for (int k = 0; k < 3; ++k) {
        const auto at = static_cast<std::size_t>(k);
        placed.min[k] = frame.center[k] + static_cast<double>(box.min[at]) * frame.unit - more;
        placed.max[k] = frame.center[k] + static_cast<double>(box.max[at]) * frame.unit + more;
      }
      if (overlaps(placed, volume)) met |= 1U << i;
    }
    return met;
  });
}

void visit_far_obb(const WideTree& tree, const Obb& box, VolumeWalk walk) {
  visit_in_doubles(tree, box, max_abs(box.center) + max_abs(box.half), walk);
}
void visit_far_ball(const WideTree& tree, const Sphere& ball, VolumeWalk walk) {
  visit_in_doubles(tree, ball, max_abs(ball.center) + ball.radius, walk);
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {

HWY_EXPORT(visit_box);
HWY_EXPORT(visit_obb);
HWY_EXPORT(visit_ball);
HWY_EXPORT(visit_far_obb);
HWY_EXPORT(visit_far_ball);

bool near(const TreeFrame& frame, const Vec3& center, double reach) {
  constexpr double most =
      512; // units; with the size of the tree well below what floats are used for
  return max_abs(frame.to_tree(center)) <= most && reach * frame.per_unit <= most;
}

void go_on(const WideTree& tree, const Aabb& box, VolumeWalk walk) {
  if (box.empty()) return walk.stack.end();
  HWY_DYNAMIC_DISPATCH(visit_box)(tree, box, walk);
}
void go_on(const WideTree& tree, const Obb& box, VolumeWalk walk) {
  if (near(tree.frame(), box.center, max_abs(box.half))) {
    HWY_DYNAMIC_DISPATCH(visit_obb)(tree, box, walk);
  } else {
    HWY_DYNAMIC_DISPATCH(visit_far_obb)(tree, box, walk);
  }
}
void go_on(const WideTree& tree, const Sphere& ball, VolumeWalk walk) {
  if (!(ball.radius >= 0)) return walk.stack.end();
  if (near(tree.frame(), ball.center, ball.radius)) {
    HWY_DYNAMIC_DISPATCH(visit_ball)(tree, ball, walk);
  } else {
    HWY_DYNAMIC_DISPATCH(visit_far_ball)(tree, ball, walk);
  }
}

template<class Volume>
void visit_all(const WideTree& tree, const Volume& volume, const LeafVisit& visit) {
  ChildStack stack;
  go_on(tree, volume, {stack, SIZE_MAX, visit});
}

template<class Volume>
bool resume(const WideTree& tree, const Volume& volume, ChildProgress& progress, WalkBudget budget,
            const LeafVisit& visit) {
  progress.belongs_to(tree);
  go_on(tree, volume, {progress, budget.steps, visit});
  return progress.done();
}

} // namespace

void visit_touching(const WideTree& tree, const Aabb& box, const LeafVisit& visit) {
  visit_all(tree, box, visit);
}
void visit_touching(const WideTree& tree, const Obb& box, const LeafVisit& visit) {
  visit_all(tree, box, visit);
}
void visit_touching(const WideTree& tree, const Sphere& ball, const LeafVisit& visit) {
  visit_all(tree, ball, visit);
}

bool resume_touching(const WideTree& tree, const Aabb& box, ChildProgress& progress,
                     WalkBudget budget, const LeafVisit& visit) {
  return resume(tree, box, progress, budget, visit);
}
bool resume_touching(const WideTree& tree, const Obb& box, ChildProgress& progress,
                     WalkBudget budget, const LeafVisit& visit) {
  return resume(tree, box, progress, budget, visit);
}
bool resume_touching(const WideTree& tree, const Sphere& ball, ChildProgress& progress,
                     WalkBudget budget, const LeafVisit& visit) {
  return resume(tree, ball, progress, budget, visit);
}

} // namespace carom
#endif
