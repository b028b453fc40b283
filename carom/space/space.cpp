// Each object has two boxes: around its shape (tight), and one that is larger (fat), which is what the partition holds. While the tight box moves within the fat one, the partition does not change, and
// neither does any pair.
//
// Pairs are a sorted list. In an update those of which one or both have moved are found anew, sorted, and merged into it: what was in the list, has a moved one, and was not found
// again has ended; what was found and not in the list has begun. So a pair costs a comparison a step, and nothing has to be looked up in a table.
//
// What no box can hold stands in a list of its own, and is compared with all.
#include "carom/space/space.h"

#include "carom/geometry/overlap_box.h"
#include "carom/query/point_shape.h"
#include "carom/query/rounded.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <utility>

namespace carom {
namespace {

/// Where more than one object in so many has moved, comparing all with all takes less time than asking for each that moved (measured for trees: tree/dynamic_queries.cpp).
constexpr std::size_t many_moved = 6;

constexpr Aabb everything{{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};

bool fits_a_partition(const Aabb& box) {
  constexpr double most = tolerance::coordinate_max;
  return is_finite(box.min) && is_finite(box.max) && max_abs(box.min) <= most &&
         max_abs(box.max) <= most;
}

/// A custom shape may have any box, even none: then it may be anywhere.
Aabb box_around(const SpaceObject& object) {
  const Aabb box = bounds(object.shape, object.pose);
  return box.empty() ? everything : box;
}

} // namespace

const char* describe(SpaceError error) {
  switch (error) {
  case SpaceError::stale_id:
    return "no object in the space has this id: it was removed, or is of another space";
  case SpaceError::bad_pose:
    return "the pose is not finite, or its position is not 0 or between 1e-30 and 1e30";
  case SpaceError::full:
    return "the space holds as many objects as it can";
  }
  return "";
}

Space::Space(const SpaceOptions& options) : Space(options, make_tree_partition()) {}

Space::Space(const SpaceOptions& options, std::unique_ptr<Partition> partition)
    : options_{options.fat.in_range()},
      partition_(partition ? std::move(partition) : make_tree_partition()) {}

Space::Space(const Space& other)
    : options_(other.options_), partition_(other.partition_->clone()), slots_(other.slots_),
      objects_(other.objects_), tight_(other.tight_), fat_(other.fat_),
      free_slots_(other.free_slots_), unbounded_(other.unbounded_), moved_(other.moved_),
      size_(other.size_), pairs_(other.pairs_) {}

Space& Space::operator=(const Space& other) {
  if (this != &other) *this = Space(other);
  return *this;
}

// --- Objects

std::uint32_t Space::new_slot(const SpaceObject& object) {
  if (!free_slots_.empty()) {
    const std::uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    objects_[slot] = object;
    return slot;
  }
  slots_.emplace_back();
  objects_.push_back(object);
  tight_.emplace_back();
  fat_.emplace_back();
  return static_cast<std::uint32_t>(slots_.size() - 1);
}

tl::expected<ObjectId, SpaceError> Space::add(const SpaceObject& object) {
  if (!in_range(object.pose)) return tl::unexpected(SpaceError::bad_pose);
  if (slots_.size() == max_objects && free_slots_.empty()) return tl::unexpected(SpaceError::full);
  const std::uint32_t slot = new_slot(object);
  slots_[slot].used = true;
  ++size_;
  tight_[slot] = box_around(object);
  fat_[slot] = options_.fat.around(tight_[slot], {});
  put_in(slot);
  mark_moved(slot);
  return id_at(slot);
}

/// Where its fat box belongs.
void Space::put_in(std::uint32_t slot) {
  slots_[slot].partitioned = fits_a_partition(fat_[slot]);
  if (slots_[slot].partitioned) {
    partition_->insert(slot, objects_[slot].mobility, fat_[slot]);
    return;
  }
  fat_[slot] = tight_[slot];
  unbounded_.insert(std::lower_bound(unbounded_.begin(), unbounded_.end(), slot), slot);
}

void Space::take_out(std::uint32_t slot) {
  if (slots_[slot].partitioned)
    partition_->remove(slot);
  else
    unbounded_.erase(std::lower_bound(unbounded_.begin(), unbounded_.end(), slot));
}

void Space::free_slot(std::uint32_t slot) {
  mark_moved(slot); // its pairs are to end
  slots_[slot].used = false;
  objects_[slot].shape = point_shape(); // nobody keeps the shape any more
  // A slot whose generations are used up is given to nobody.
  if (++slots_[slot].generation != 0) free_slots_.push_back(slot);
}

tl::expected<void, SpaceError> Space::remove(ObjectId id) {
  if (!contains(id)) return tl::unexpected(SpaceError::stale_id);
  take_out(id.slot);
  free_slot(id.slot);
  --size_;
  return {};
}

void Space::clear() {
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot)
    if (slots_[slot].used) free_slot(slot);
  partition_->clear();
  unbounded_.clear();
  size_ = 0;
}

/// Puts an object whose tight box is new where it belongs. Whether anything but that box has changed.
bool Space::place(std::uint32_t slot, const Vec3& displacement) {
  const bool was_in = slots_[slot].partitioned;
  if (was_in && options_.fat.still_fits(fat_[slot], tight_[slot])) return false;
  const Aabb fat = options_.fat.around(tight_[slot], displacement);
  if (was_in && fits_a_partition(fat)) {
    fat_[slot] = fat;
    partition_->move(slot, fat);
  } else {
    take_out(slot);
    fat_[slot] = fat;
    put_in(slot);
  }
  mark_moved(slot);
  return true;
}

tl::expected<bool, SpaceError> Space::move(ObjectId id, const Pose& pose) {
  if (!contains(id)) return tl::unexpected(SpaceError::stale_id);
  if (!in_range(pose)) return tl::unexpected(SpaceError::bad_pose);
  objects_[id.slot].pose = pose;
  const Vec3 before = tight_[id.slot].center();
  tight_[id.slot] = box_around(objects_[id.slot]);
  return place(id.slot, tight_[id.slot].center() - before);
}

tl::expected<bool, SpaceError> Space::move(ObjectId id, const Pose& pose,
                                           const Vec3& displacement) {
  if (!contains(id)) return tl::unexpected(SpaceError::stale_id);
  if (!in_range(pose)) return tl::unexpected(SpaceError::bad_pose);
  objects_[id.slot].pose = pose;
  tight_[id.slot] = box_around(objects_[id.slot]);
  return place(id.slot, displacement);
}

tl::expected<void, SpaceError> Space::set_shape(ObjectId id, const Shape& shape) {
  if (!contains(id)) return tl::unexpected(SpaceError::stale_id);
  objects_[id.slot].shape = shape;
  tight_[id.slot] = box_around(objects_[id.slot]);
  place(id.slot, {});
  return {};
}

tl::expected<void, SpaceError> Space::set_filter(ObjectId id, const Filter& filter) {
  if (!contains(id)) return tl::unexpected(SpaceError::stale_id);
  objects_[id.slot].filter = filter;
  mark_moved(id.slot);
  return {};
}

tl::expected<void, SpaceError> Space::set_mobility(ObjectId id, Mobility mobility) {
  if (!contains(id)) return tl::unexpected(SpaceError::stale_id);
  if (objects_[id.slot].mobility == mobility) return {};
  take_out(id.slot);
  objects_[id.slot].mobility = mobility;
  put_in(id.slot);
  mark_moved(id.slot);
  return {};
}

tl::expected<void, SpaceError> Space::set_user(ObjectId id, std::uint64_t user) {
  if (!contains(id)) return tl::unexpected(SpaceError::stale_id);
  objects_[id.slot].user = user;
  return {};
}

void Space::mark_moved(std::uint32_t slot) {
  if (slots_[slot].moved) return;
  slots_[slot].moved = true;
  moved_.push_back(slot);
}

std::size_t Space::bytes() const {
  const std::size_t pairs = pairs_.capacity() + found_.capacity() + begun_.capacity() +
                            ended_.capacity() + merged_.capacity();
  return partition_->bytes() + slots_.capacity() * sizeof(Slot) +
         objects_.capacity() * sizeof(SpaceObject) +
         (tight_.capacity() + fat_.capacity()) * sizeof(Aabb) +
         (free_slots_.capacity() + unbounded_.capacity() + moved_.capacity()) *
             sizeof(std::uint32_t) +
         pairs * sizeof(ObjectPair);
}

// --- Pairs

void Space::consider_pair(std::uint32_t a, std::uint32_t b) {
  if (!overlaps(fat_[a], fat_[b])) return;
  const SpaceObject &first = objects_[a], &second = objects_[b];
  if (first.mobility == Mobility::fixed && second.mobility == Mobility::fixed) return;
  if (!may_meet(first.filter, second.filter)) return;
  found_.push_back({id_at(std::min(a, b)), id_at(std::max(a, b))});
}

/// Those of which one is unbounded, and one has moved.
void Space::pair_with_unbounded() {
  for (const std::uint32_t slot : unbounded_) {
    if (!slots_[slot].moved) {
      for (const std::uint32_t other : moved_)
        if (slots_[other].used && slots_[other].partitioned) consider_pair(slot, other);
      continue;
    }
    for (std::uint32_t other = 0; other < slots_.size(); ++other) {
      if (!slots_[other].used || other == slot) continue;
      // Of two such, the lower one sees to it.
      const bool both = !slots_[other].partitioned && slots_[other].moved;
      if (!both || slot < other) consider_pair(slot, other);
    }
  }
}

void Space::find_moved_pairs() {
  found_.clear();
  if (moved_.size() * many_moved > size_) {
    partition_->visit_pairs([&](std::uint32_t a, std::uint32_t b) {
      if (slots_[a].moved || slots_[b].moved) consider_pair(a, b);
      return true;
    });
  } else {
    for (const std::uint32_t slot : moved_) {
      if (!slots_[slot].used || !slots_[slot].partitioned) continue;
      const bool fixed = objects_[slot].mobility == Mobility::fixed;
      partition_->visit(fat_[slot], {.moving = true, .fixed = !fixed}, [&](std::uint32_t other) {
        // Of two that have moved, the lower one sees to it.
        const bool both = slots_[other].moved;
        if (other != slot && (!both || slot < other)) consider_pair(slot, other);
        return true;
      });
    }
  }
  pair_with_unbounded();
  std::sort(found_.begin(), found_.end());
}

PairChanges Space::update_pairs() {
  begun_.clear();
  ended_.clear();
  if (moved_.empty()) return {};
  find_moved_pairs();
  merged_.clear();
  auto next = found_.begin();
  for (const ObjectPair& pair : pairs_) {
    for (; next != found_.end() && *next < pair; ++next) {
      begun_.push_back(*next);
      merged_.push_back(*next);
    }
    const bool again = next != found_.end() && *next == pair;
    if (again) ++next;
    const bool looked_at = slots_[pair.a.slot].moved || slots_[pair.b.slot].moved;
    (again || !looked_at ? merged_ : ended_).push_back(pair);
  }
  begun_.insert(begun_.end(), next, found_.end());
  merged_.insert(merged_.end(), next, found_.end());
  pairs_.swap(merged_);
  for (const std::uint32_t slot : moved_) slots_[slot].moved = false;
  moved_.clear();
  return {begun_, ended_};
}

} // namespace carom
