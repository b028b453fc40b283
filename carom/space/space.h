// Many placed shapes, without dynamics: a broad phase, and the questions that only many shapes raise.
//
//   Space space;
//   ObjectId floor = space.add({.shape = slab, .mobility = Mobility::fixed}).value();
//   ObjectId crate = space.add({.shape = box, .pose = Pose::at({0, 3, 0})}).value();
//   space.move(crate, Pose::at({0, 2.9, 0}));                       // a small move costs next to nothing
//   PairChanges changes = space.update_pairs();                     // each step: what begins, what ends
//   SpaceRayHit hit = ray_cast(space, Ray{eye, look});              // space_cast.h
//
// Questions: overlapping pairs, pairs within a distance (space_pairs.h), nearest objects (space_near.h), rays and moving shapes (space_cast.h), what overlaps a shape, a box, a view
// (space_overlap.h). Each object found comes with the certified answer of the query layer about it, and in an order that depends on nothing but what stands in the
// space now: by distance or time, then by id. Only pairs() and update_pairs() speak of fat boxes, which depend on how things came to be where they are.
//
// Questions change nothing: any number of threads may ask while nobody changes the space. Two spaces have nothing in common; a copy is a snapshot.
#pragma once

#include "carom/space/object.h"
#include "carom/space/partition.h"
#include "carom/tree/fat_box.h"

#include <memory>
#include <span>
#include <tl/expected.hpp>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct SpaceOptions {
  /// Fat boxes, by which pairs go. Other questions are about the shapes alone.
  FatBoxRule fat{};
};

/// Two objects, a < b.
struct ObjectPair {
  ObjectId a, b;

  constexpr bool operator==(const ObjectPair& other) const { return a == other.a && b == other.b; }
  constexpr bool operator<(const ObjectPair& other) const {
    return a == other.a ? b < other.b : a < other.a;
  }
};

/// Both sorted. They refer to the space, until the next update_pairs().
struct PairChanges {
  std::span<const ObjectPair> begun;
  std::span<const ObjectPair> ended; ///< ids may be stale: of objects that were removed
};

class Space {
public:
  static constexpr std::size_t max_objects = std::size_t{1} << 28;

  explicit Space(const SpaceOptions& options = {});
  /// With a partition of one's own, empty. None: trees.
  Space(const SpaceOptions& options, std::unique_ptr<Partition> partition);
  Space(const Space& other);
  Space& operator=(const Space& other);
  /// What was moved from may be assigned to, and nothing else.
  Space(Space&&) noexcept = default;
  Space& operator=(Space&&) noexcept = default;
  ~Space() = default;

  // Changes. On an error nothing has changed.

  tl::expected<ObjectId, SpaceError> add(const SpaceObject& object);
  tl::expected<void, SpaceError> remove(ObjectId id);
  /// True: it left its fat box, which was made anew, longer in the direction that the box's middle has moved. False: nothing but the pose has changed.
  tl::expected<bool, SpaceError> move(ObjectId id, const Pose& pose);
  /// The same for an object that will be displaced by so much until the next move. NaN: as if it were zero.
  tl::expected<bool, SpaceError> move(ObjectId id, const Pose& pose, const Vec3& displacement);
  tl::expected<void, SpaceError> set_shape(ObjectId id, const Shape& shape);
  tl::expected<void, SpaceError> set_filter(ObjectId id, const Filter& filter);
  tl::expected<void, SpaceError> set_mobility(ObjectId id, Mobility mobility);
  tl::expected<void, SpaceError> set_user(ObjectId id, std::uint64_t user);
  /// Removes all. Ids become stale; the pairs end at the next update.
  void clear();

  // What stands there.

  [[nodiscard]] bool contains(ObjectId id) const {
    return id.slot < slots_.size() && slots_[id.slot].used &&
           slots_[id.slot].generation == id.generation;
  }
  /// Null for a stale id. The pointer holds until an object is added.
  [[nodiscard]] const SpaceObject* find(ObjectId id) const {
    return contains(id) ? &objects_[id.slot] : nullptr;
  }
  /// The box around the object (bounds() of shape/support.h). Of a stale id: the empty box.
  [[nodiscard]] Aabb box(ObjectId id) const { return contains(id) ? tight_[id.slot] : Aabb{}; }
  [[nodiscard]] Aabb fat_box(ObjectId id) const { return contains(id) ? fat_[id.slot] : Aabb{}; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const SpaceOptions& options() const { return options_; }

  // The broad phase: pairs of objects whose fat boxes overlap, that may meet by their filters, and of which not both are fixed. Two shapes that overlap are always among them.

  /// Finds what pairs begin and end since the last time. Costs in proportion to what has moved out of its fat box, and a look at each pair there is.
  PairChanges update_pairs();
  /// As of the last update; sorted.
  [[nodiscard]] std::span<const ObjectPair> pairs() const { return pairs_; }

  // Care. Answers do not depend on it, only how long they take.

  /// Looks after `count` moving objects, going round from call to call. What moves finds new places anyway; this is for spaces where few things move, and not the same ones as before.
  void improve(std::size_t count) { partition_->improve(count); }
  /// Builds the partition anew: for after loading, or when many objects have jumped.
  void rebuild() { partition_->rebuild(); }
  /// Memory held, without the shapes.
  [[nodiscard]] std::size_t bytes() const;

  // For the questions (space_*.h) and tests: by slot.
  [[nodiscard]] const Partition& partition() const { return *partition_; }
  [[nodiscard]] const SpaceObject& object_at(std::uint32_t slot) const { return objects_[slot]; }
  [[nodiscard]] const Aabb& box_at(std::uint32_t slot) const { return tight_[slot]; }
  [[nodiscard]] ObjectId id_at(std::uint32_t slot) const { return {slot, slots_[slot].generation}; }
  /// Objects that no partition takes: half-spaces, and what reaches beyond 1e30. Sorted.
  [[nodiscard]] std::span<const std::uint32_t> unbounded() const { return unbounded_; }
  /// Used slots are below this.
  [[nodiscard]] std::uint32_t slot_count() const {
    return static_cast<std::uint32_t>(slots_.size());
  }
  [[nodiscard]] bool used(std::uint32_t slot) const { return slots_[slot].used; }

private:
  struct Slot {
    std::uint32_t generation = 0;
    bool used = false;
    bool partitioned = false; ///< in the partition; else in unbounded_
    bool moved = false;       ///< in moved_: its pairs are to be looked at
  };
  std::uint32_t new_slot(const SpaceObject& object);
  void put_in(std::uint32_t slot);
  void take_out(std::uint32_t slot);
  void free_slot(std::uint32_t slot);
  bool place(std::uint32_t slot, const Vec3& displacement);
  void mark_moved(std::uint32_t slot);
  void find_moved_pairs();
  void consider_pair(std::uint32_t a, std::uint32_t b);
  void pair_with_unbounded();

  SpaceOptions options_;
  std::unique_ptr<Partition> partition_;
  std::vector<Slot> slots_;
  std::vector<SpaceObject> objects_;
  std::vector<Aabb> tight_, fat_;
  std::vector<std::uint32_t> free_slots_;
  std::vector<std::uint32_t> unbounded_;
  std::vector<std::uint32_t> moved_;
  std::size_t size_ = 0;
  std::vector<ObjectPair> pairs_;
  std::vector<ObjectPair> found_, begun_, ended_, merged_; ///< of the last update
};

} // namespace carom
