// A tree of boxes that come, go and move: what a broad phase is made of.
//
//   DynamicTree tree;
//   BoxId a = tree.insert({{0, 0, 0}, {1, 1, 1}}, 7).value();  // 7: a number of yours
//   tree.move(a, {{0.1, 0, 0}, {1.1, 1, 1}});                  // a small move costs next to nothing
//   moved_pairs(tree, [&](BoxId x, BoxId y) { ...; return true; });  // dynamic_queries.h
//   tree.clear_moved();
//
// Each box is kept twice: as given (*tight*), and enlarged (*fat*). The fat box stays where it is while the tight one moves within it. Queries with a box or a ray ask about
// tight boxes, so their answers do not depend on the margin. Pairs are those of fat boxes, so that they last while things move a little: a pair of tight
// boxes cannot begin to overlap without one of the two having been reported as moved.
//
// Everything is deterministic: the same calls give the same tree and the same answers in the same order, to the bit, on every machine. Queries change nothing; any number
// of threads may ask at once while nobody changes the tree.
#pragma once

#include "carom/geometry/box.h"
#include "carom/tree/dynamic_node.h"
#include "carom/tree/fat_box.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <tl/expected.hpp>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// The name of a box in a tree. It is never given again: the id of a box removed is stale for ever, even if its slot is used by another. The default is no box's id.
struct BoxId {
  std::uint32_t slot = 0xffffffffU;
  std::uint32_t generation = 0;

  bool operator==(const BoxId&) const = default;
};

enum class BoxError : std::uint8_t {
  stale_id, ///< no box has this id (any more)
  bad_box,  ///< empty, not a number, or beyond 1e30
  full,     ///< DynamicTree::max_boxes are in the tree
};

struct DynamicTreeOptions {
  /// Fat boxes are larger by this on all sides: a length. 0 to 1e30.
  double margin = 0;
  /// And by this times the longest edge of the box. 0: fat is tight, and every move changes the tree. 1: boxes three times as long, moves that are free for
  /// longer, and many more pairs.
  double relative_margin = 0.1;
  /// A box that has moved is made longer in that direction: by so many times the last displacement, but no more than its longest edge and the margin.
  double prediction = 2;
  /// What coordinates are counted from. Floats resolve 2^-24 of the distance to it: choose it near the boxes. rebuild() chooses anew.
  Vec3 origin{};
};

class DynamicTree {
public:
  static constexpr std::size_t max_boxes = std::size_t{1} << 28;
  /// Every node but the root has three to eight children, and all boxes are equally deep: so this bounds the height, in whatever order boxes come and go.
  static constexpr int max_height = 19;
  /// So many children may wait while a traversal looks at others.
  static constexpr int max_waiting = 7 * max_height + 1;

  explicit DynamicTree(const DynamicTreeOptions& options = {});

  /// Adds a box (points and flat boxes are fine). It counts as moved.
  tl::expected<BoxId, BoxError> insert(const Aabb& box, std::uint64_t user = 0);
  /// The same with a fat box that was made before, around the box: one that is restored.
  tl::expected<BoxId, BoxError> insert_as(const Aabb& box, const Aabb& fat, std::uint64_t user);
  tl::expected<void, BoxError> remove(BoxId id);
  /// Gives a box a new place or size. True: it left its fat box, which was made anew, and counts as moved. False: nothing but the tight box changed. The displacement
  /// is that of the box's middle. A fat box more than twice as long as any that a box of this size gets is made anew, too. On an error nothing changes.
  tl::expected<bool, BoxError> move(BoxId id, const Aabb& box);
  /// The same for a box that will be displaced by so much until the next move. Not finite: as if it were zero.
  tl::expected<bool, BoxError> move(BoxId id, const Aabb& box, const Vec3& displacement);
  /// The same in two parts, where many boxes move at once. The first part may be done by several threads, each for other boxes: true where the fat box was made anew. Of those, the second part must follow before
  /// anything is asked of the tree; in which order, the tree depends on.
  tl::expected<bool, BoxError> begin_move(BoxId id, const Aabb& box, const Vec3& displacement);
  void end_move(BoxId id);
  /// How far all sides of this box may go until begin_move() makes the fat box anew. Negative: it would do so now.
  [[nodiscard]] double room(BoxId id, const Aabb& box) const;
  /// The box counts as large as its fat box until it is moved: for owners who do not tell every move within that.
  void loosen(BoxId id);
  /// Counts the box as moved, so that its pairs are reported again.
  tl::expected<void, BoxError> touch(BoxId id);
  /// From here on, nothing has moved.
  void clear_moved();
  /// Removes all. Ids become stale; options stay.
  void clear();

  /// Builds the tree anew from all boxes, and moves the origin to the middle of them. Ids, fat boxes and the moved ones stay. For after loading, or when most boxes have moved.
  void rebuild();
  /// Takes up to `count` boxes out and puts each where it fits best now, going round from call to call: a bit of rebuilding in each step.
  void improve(std::size_t count);

  [[nodiscard]] bool contains(BoxId id) const {
    return id.slot < links_.size() && links_[id.slot].generation == id.generation &&
           !links_[id.slot].place.none();
  }
  /// As given. Of a stale id: the empty box.
  [[nodiscard]] Aabb box(BoxId id) const { return contains(id) ? tight_[id.slot] : Aabb{}; }
  [[nodiscard]] Aabb fat_box(BoxId id) const { return contains(id) ? fat_[id.slot] : Aabb{}; }
  /// The number given with it. Of a stale id: 0.
  [[nodiscard]] std::uint64_t user(BoxId id) const { return contains(id) ? user_[id.slot] : 0; }
  [[nodiscard]] bool has_moved(BoxId id) const {
    return contains(id) && links_[id.slot].moved_at != not_moved;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const DynamicTreeOptions& options() const { return options_; }
  /// Levels of nodes: 0 where it is empty.
  [[nodiscard]] int height() const { return empty() ? 0 : nodes_[root_].level + 1; }
  /// Around all fat boxes, to within the rounding to floats. The empty box where there is none.
  [[nodiscard]] Aabb bounds() const;
  /// Half the perimeters of all nodes' boxes, over that of the whole: how many nodes a query is expected to meet, more or less. Grows as a tree gets worse.
  [[nodiscard]] double expected_cost() const;
  /// All memory held. There are at most half as many nodes as boxes, or one: 260 bytes for each of the most boxes there ever were at once (some 190 are usual), and at
  /// most twice that as vectors grow.
  [[nodiscard]] std::size_t bytes() const;

  // For the queries (dynamic_queries.h) and tests.
  static constexpr std::uint32_t not_moved = 0xffffffffU;
  [[nodiscard]] std::span<const DynamicNode> nodes() const { return nodes_; }
  [[nodiscard]] std::uint32_t root() const { return root_; }
  [[nodiscard]] const Vec3& origin() const { return options_.origin; }
  /// The slots of those that have moved, in no order that means anything.
  [[nodiscard]] std::span<const std::uint32_t> moved() const { return moved_; }
  [[nodiscard]] bool slot_moved(std::uint32_t slot) const {
    return links_[slot].moved_at != not_moved;
  }
  [[nodiscard]] BoxId id_of(std::uint32_t slot) const { return {slot, links_[slot].generation}; }
  [[nodiscard]] const Aabb* tight_boxes() const { return tight_.data(); } ///< by slot
  [[nodiscard]] const Aabb* fat_boxes() const { return fat_.data(); }

private:
  struct Link {
    NodeLane place; ///< none: the slot is free
    std::uint32_t generation;
    std::uint32_t moved_at; ///< where it is in moved_, or not_moved
  };
  [[nodiscard]] FatBoxRule fat_rule() const;
  void place_anew(std::uint32_t slot);
  void mark_moved(std::uint32_t slot);
  void unmark_moved(std::uint32_t slot);

  std::uint32_t new_node(int level);
  void free_node(std::uint32_t node);
  void set_parent(ChildRef child, NodeLane place);
  void set_parents(std::uint32_t node);
  void refit(std::uint32_t node);
  void put_in(NodeEntry entry, int level);
  void detach(NodeLane place);

  DynamicTreeOptions options_;
  std::vector<DynamicNode> nodes_;
  std::vector<std::uint32_t> free_nodes_;
  std::uint32_t root_ = 0; ///< node 0 where there is none
  std::vector<Aabb> tight_, fat_;
  std::vector<std::uint64_t> user_;
  std::vector<Link> links_;
  std::vector<std::uint32_t> free_slots_;
  std::vector<std::uint32_t> moved_;
  std::size_t size_ = 0;
  std::uint32_t next_to_improve_ = 0;
};

} // namespace carom
