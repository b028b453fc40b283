#include "carom/dynamics/world.h"

namespace carom {
namespace {

/// Whether two shapes have anything to do with each other, by what they are and their masks.
bool shapes_meet(const Body& a, const BodyShape& of_a, const Body& b, const BodyShape& of_b) {
  const bool a_dynamic = a.kind == BodyKind::dynamic, b_dynamic = b.kind == BodyKind::dynamic;
  if (of_a.sensor && of_b.sensor) return false;
  if (of_a.sensor || of_b.sensor) {
    if ((of_a.sensor ? b : a).kind == BodyKind::fixed) return false;
  } else if (!a_dynamic && !b_dynamic) {
    return false;
  }
  return may_meet(of_a.filter, of_b.filter);
}

} // namespace

/// Pairs that are there were allowed.
bool World::may_touch(std::uint32_t shape_a, std::uint32_t shape_b) const {
  if (shape_a > shape_b) return may_touch(shape_b, shape_a);
  const PlacedShape &a = bodies_.shape(shape_a), &b = bodies_.shape(shape_b);
  if (a.body == b.body || !shapes_meet(bodies_[a.body], a.def, bodies_[b.body], b.def))
    return false;
  if (joints_.forbids(bodies_, a.body, b.body)) return false;
  if (!pair_filter_) return true;
  const WorldShape of_a{bodies_.id_of(a.body), a.number}, of_b{bodies_.id_of(b.body), b.number};
  return a.body < b.body ? pair_filter_(of_a, of_b) : pair_filter_(of_b, of_a);
}

WorldResult<void> World::set_pair_filter(PairFilter filter) {
  if (busy_) return tl::unexpected(WorldError::busy);
  pair_filter_ = std::move(filter);
  return {};
}

void World::filter_slot(std::uint32_t slot) {
  const Busy::Scope asking(busy_);
  for (std::uint32_t p = bodies_[slot].first_contact; p != no_index;) {
    const std::uint32_t next = pairs_.next_of(p, slot);
    const PairRecord& pair = pairs_[p];
    if (!may_touch(pair.shape_a, pair.shape_b)) {
      const std::uint32_t other = pair.body_a == slot ? pair.body_b : pair.body_a;
      wake_slot(other);
      end_contact(p);
      pairs_.remove(bodies_, p);
    }
    p = next;
  }
  wake_slot(slot);
  for (const std::uint32_t i : bodies_[slot].shapes)
    broad_phase_.touch(bodies_.shape(i).box, bodies_[slot].kind != BodyKind::fixed);
}

WorldResult<void> World::set_filter(BodyId id, std::uint32_t shape, const Filter& filter) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  const std::uint32_t slot = *found;
  if (shape >= bodies_[slot].shapes.size()) return tl::unexpected(WorldError::out_of_range);
  bodies_.shape(bodies_[slot].shapes[shape]).def.filter = filter;
  filter_slot(slot);
  return {};
}

WorldResult<void> World::filter_again(BodyId id) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  const std::uint32_t slot = *found;
  filter_slot(slot);
  return {};
}

} // namespace carom
