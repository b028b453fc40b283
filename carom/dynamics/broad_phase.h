// Which shapes of a world are near enough to each other to be looked at: pairs of boxes that overlap. Internal to the world.
//
// Two trees (tree/dynamic_tree.h): fixed shapes, whose boxes are tight, and all others, whose boxes are fat, for queries as well: within them shapes move without a word. So a pile that rests costs nothing here, and nothing is said about pairs
// of fixed shapes.
#pragma once

#include "carom/dynamics/body_store.h"
#include "carom/tree/dynamic_queries.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

class BroadPhase {
public:
  explicit BroadPhase(double margin);

  /// `shape` is a number of the caller's. Boxes may be infinite.
  BoxId add(std::uint32_t shape, const Aabb& box, bool moving);
  void remove(BoxId id, bool moving);
  void move(BoxId id, const Aabb& box, const Vec3& displacement, bool moving);
  /// The same of a moving one in two parts (tree/dynamic_tree.h): the first may be done by several threads at once. True: the second must follow.
  [[nodiscard]] bool begin_move(BoxId id, const Aabb& box, const Vec3& displacement);
  /// How far all sides of a moving shape's box may go until it has to be moved.
  [[nodiscard]] double room(BoxId id, const Aabb& box) const;
  void end_move(BoxId id) { moving_.end_move(id); }
  /// Its pairs are reported again.
  void touch(BoxId id, bool moving);
  /// Whether the boxes that pairs are made of overlap.
  [[nodiscard]] bool overlap(BoxId a, bool a_moving, BoxId b, bool b_moving) const;

  /// Pairs that may have begun since the last time, each once, the lower number first, sorted. Those of which known(lower, higher) is true are left out.
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>&
  new_pairs(FunctionRef<bool(std::uint32_t, std::uint32_t)> known);
  /// Calls found(shape) for the shapes of one of the trees whose boxes overlap this one. It gives false to end.
  void find(const Aabb& box, bool moving, FunctionRef<bool(std::uint32_t)> found) const;
  /// The same for those that the box, moved by t * translation, may meet at some 0 <= t <= t_max, near ones first, more or less. `found` gives the t_max from there on, negative to end.
  void find_swept(const Aabb& box, const Vec3& translation, double t_max, bool moving,
                  FunctionRef<double(std::uint32_t)> found) const;

  // snapshot_bodies.cpp. Into an empty one; the shapes get their boxes' ids. False where the bytes are not sound.
  void save(SnapshotWriter& to, const BodyStore& bodies) const;
  [[nodiscard]] bool load(SnapshotReader& from, BodyStore& bodies);
  /// Shapes whose fat boxes were made anew between the last two calls of new_pairs(); whether a fixed one came or moved.
  [[nodiscard]] const std::vector<std::uint32_t>& moved() const { return moved_; }
  [[nodiscard]] bool fixed_moved() const { return fixed_moved_; }
  /// For drawings and tests.
  [[nodiscard]] const DynamicTree& tree(bool moving) const { return moving ? moving_ : fixed_; }

private:
  DynamicTree moving_, fixed_;
  bool fixed_changed_ = false, fixed_moved_ = false;
  std::vector<std::uint32_t> moved_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found_;
};

} // namespace carom
