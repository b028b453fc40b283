// A pair can begin only where a fat box was made anew, or a fixed shape came or moved. The first are asked for one by one; the second are rare, and all pairs of the two trees are gone through then.
#include "carom/dynamics/broad_phase.h"

#include "carom/geometry/overlap_box.h"
#include "carom/math/tolerance.h"
#include "carom/tree/dynamic_candidates.h"

#include <algorithm>

namespace carom {
namespace {

/// Trees take boxes up to 1e30: half-spaces reach farther, and nothing else is there.
Aabb in_range(const Aabb& box) {
  const Vec3 most = Vec3{1, 1, 1} * tolerance::coordinate_max;
  return {max(min(box.min, most), -most), max(min(box.max, most), -most)};
}

} // namespace

BroadPhase::BroadPhase(double margin)
    : moving_({.margin = margin, .relative_margin = 0, .prediction = 1}),
      fixed_({.margin = 0, .relative_margin = 0, .prediction = 0}) {}

BoxId BroadPhase::add(std::uint32_t shape, const Aabb& box, bool moving) {
  if (!moving) fixed_changed_ = true;
  const BoxId id = (moving ? moving_ : fixed_).insert(in_range(box), shape).value_or(BoxId{});
  if (moving) moving_.loosen(id);
  return id;
}

void BroadPhase::remove(BoxId id, bool moving) { (moving ? moving_ : fixed_).remove(id); }

void BroadPhase::move(BoxId id, const Aabb& box, const Vec3& displacement, bool moving) {
  if (!moving) fixed_changed_ = true;
  (moving ? moving_ : fixed_).move(id, in_range(box), displacement);
  if (moving) moving_.loosen(id);
}

bool BroadPhase::begin_move(BoxId id, const Aabb& box, const Vec3& displacement) {
  const bool left = moving_.begin_move(id, in_range(box), displacement).value_or(false);
  moving_.loosen(id);
  return left;
}

double BroadPhase::room(BoxId id, const Aabb& box) const { return moving_.room(id, in_range(box)); }

void BroadPhase::touch(BoxId id, bool moving) {
  if (!moving) fixed_changed_ = true;
  (moving ? moving_ : fixed_).touch(id);
}

bool BroadPhase::overlap(BoxId a, bool a_moving, BoxId b, bool b_moving) const {
  return overlaps((a_moving ? moving_ : fixed_).fat_box(a),
                  (b_moving ? moving_ : fixed_).fat_box(b));
}

void BroadPhase::find(const Aabb& box, bool moving, FunctionRef<bool(std::uint32_t)> found) const {
  const DynamicTree& tree = moving ? moving_ : fixed_;
  find_boxes(tree, box, [&](BoxId id) { return found(static_cast<std::uint32_t>(tree.user(id))); });
}

void BroadPhase::find_swept(const Aabb& box, const Vec3& translation, double t_max, bool moving,
                            FunctionRef<double(std::uint32_t)> found) const {
  const DynamicTree& tree = moving ? moving_ : fixed_;
  carom::find_swept(tree, box, translation, t_max,
                    [&](BoxId id) { return found(static_cast<std::uint32_t>(tree.user(id))); });
}

/// What is known is most of it, and need not be sorted.
const std::vector<std::pair<std::uint32_t, std::uint32_t>>&
BroadPhase::new_pairs(FunctionRef<bool(std::uint32_t, std::uint32_t)> known) {
  found_.clear();
  const auto put = [&](std::uint64_t a, std::uint64_t b) {
    const auto x = static_cast<std::uint32_t>(a), y = static_cast<std::uint32_t>(b);
    if (!known(std::min(x, y), std::max(x, y))) found_.emplace_back(std::min(x, y), std::max(x, y));
    return true;
  };
  moved_pairs(moving_, [&](BoxId a, BoxId b) { return put(moving_.user(a), moving_.user(b)); });
  if (fixed_changed_) {
    pairs_between(moving_, fixed_,
                  [&](BoxId a, BoxId b) { return put(moving_.user(a), fixed_.user(b)); });
  } else {
    for (const std::uint32_t slot : moving_.moved()) {
      const BoxId a = moving_.id_of(slot);
      find_boxes(fixed_, moving_.fat_box(a),
                 [&](BoxId b) { return put(moving_.user(a), fixed_.user(b)); });
    }
  }
  moved_.clear();
  for (const std::uint32_t slot : moving_.moved())
    moved_.push_back(static_cast<std::uint32_t>(moving_.user(moving_.id_of(slot))));
  fixed_moved_ = fixed_changed_;
  moving_.clear_moved();
  fixed_.clear_moved();
  fixed_changed_ = false;
  std::sort(found_.begin(), found_.end());
  return found_;
}

} // namespace carom
