// Candidates come from the partition, by fat boxes; the boxes of the shapes, the filters and the shapes themselves decide. What no partition holds is compared with all.
#include "carom/space/space_pairs.h"

#include "carom/geometry/overlap_box.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/space/box_bounds.h"
#include "carom/space/candidates.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom {
namespace {

bool may_pair(const Space& space, std::uint32_t a, std::uint32_t b, PairTest accept) {
  const SpaceObject &first = space.object_at(a), &second = space.object_at(b);
  if (first.mobility == Mobility::fixed && second.mobility == Mobility::fixed) return false;
  return may_meet(first.filter, second.filter) && accept(space.id_at(a), space.id_at(b));
}

bool is_unbounded(const Space& space, std::uint32_t slot) {
  const auto list = space.unbounded();
  return std::binary_search(list.begin(), list.end(), slot);
}

/// Calls look(slot, slot) for each two of which one is unbounded.
template<class Look>
void visit_unbounded_pairs(const Space& space, Look&& look) {
  for (const std::uint32_t slot : space.unbounded())
    for (std::uint32_t other = 0; other < space.slot_count(); ++other) {
      if (!space.used(other) || other == slot) continue;
      if (other < slot && is_unbounded(space, other)) continue;
      look(slot, other);
    }
}

template<class Pair>
void sort_pairs(std::vector<Pair>& pairs) {
  std::sort(pairs.begin(), pairs.end(),
            [](const Pair& a, const Pair& b) { return a.pair < b.pair; });
}

/// By a length on all sides, or a little more.
Aabb enlarged(const Aabb& box, double by) {
  Aabb large;
  for (int i = 0; i < 3; ++i) {
    large.min[i] = std::nextafter(box.min[i] - by, -INFINITY);
    large.max[i] = std::nextafter(box.max[i] + by, INFINITY);
  }
  return large;
}

} // namespace

void overlapping_pairs(const Space& space, std::vector<SpaceOverlapPair>& pairs, PairTest accept) {
  pairs.clear();
  const auto look = [&](std::uint32_t x, std::uint32_t y) {
    if (!overlaps(space.box_at(x), space.box_at(y))) return;
    const auto [a, b] = std::minmax(x, y);
    if (!may_pair(space, a, b, accept)) return;
    const SpaceObject &first = space.object_at(a), &second = space.object_at(b);
    const ShapeOverlap o = overlap(first.shape, first.pose, second.shape, second.pose);
    if (o) pairs.push_back({{space.id_at(a), space.id_at(b)}, o});
  };
  space.partition().visit_pairs([&](std::uint32_t x, std::uint32_t y) {
    look(x, y);
    return true;
  });
  visit_unbounded_pairs(space, look);
  sort_pairs(pairs);
}

Status pairs_within(const Space& space, double limit, std::vector<SpaceDistancePair>& pairs,
                    PairTest accept) {
  pairs.clear();
  if (!(limit >= 0)) return Status::bad_input;
  const auto look = [&](std::uint32_t x, std::uint32_t y) {
    if (!(box_gap(space.box_at(x), space.box_at(y)) <= limit)) return;
    const auto [a, b] = std::minmax(x, y);
    if (!may_pair(space, a, b, accept)) return;
    const SpaceObject &first = space.object_at(a), &second = space.object_at(b);
    // A limit spares the search among many parts; of two convex shapes it makes nothing faster.
    const bool convex = first.shape.convex() && second.shape.convex();
    const Distance d = distance(first.shape, first.pose, second.shape, second.pose,
                                {.limit = convex ? INFINITY : limit});
    if (d.value <= limit) pairs.push_back({{space.id_at(a), space.id_at(b)}, d});
  };
  for (std::uint32_t slot = 0; slot < space.slot_count(); ++slot) {
    if (!space.used(slot) || is_unbounded(space, slot)) continue;
    if (space.object_at(slot).mobility == Mobility::fixed) continue;
    space.partition().visit(enlarged(space.box_at(slot), limit), {}, [&](std::uint32_t other) {
      const bool moving = space.object_at(other).mobility == Mobility::moving;
      // Of two that move, the lower one sees to it.
      if (other != slot && (!moving || slot < other)) look(slot, other);
      return true;
    });
  }
  visit_unbounded_pairs(space, look);
  sort_pairs(pairs);
  return Status::ok;
}

} // namespace carom
