// The table is one of open addresses: a key stands at its home or after it, with no gap between; what is erased is filled from behind.
#include "carom/dynamics/contact_store.h"

#include "carom/math/random.h"

#include <algorithm>
#include <utility>

namespace carom {
namespace {

std::uint64_t key_of(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }

} // namespace

std::size_t ContactStore::home(std::uint64_t key) const {
  return static_cast<std::size_t>(mix_bits(0, key)) & (table_.size() - 1);
}

std::uint32_t ContactStore::find(std::uint32_t shape_a, std::uint32_t shape_b) const {
  if (table_.empty()) return no_index;
  const std::uint64_t key = key_of(shape_a, shape_b);
  for (std::size_t i = home(key);; i = (i + 1) & (table_.size() - 1)) {
    if (table_[i].key == key) return table_[i].pair;
    if (table_[i].pair == no_index) return no_index;
  }
}

void ContactStore::grow_table() {
  std::vector<Entry> old =
      std::exchange(table_, std::vector<Entry>(table_.empty() ? 64 : table_.size() * 2));
  for (const Entry& e : old) {
    if (e.pair == no_index) continue;
    std::size_t i = home(e.key);
    while (table_[i].pair != no_index) i = (i + 1) & (table_.size() - 1);
    table_[i] = e;
  }
}

void ContactStore::erase_key(std::uint64_t key) {
  const std::size_t mask = table_.size() - 1;
  std::size_t hole = home(key);
  while (table_[hole].key != key) hole = (hole + 1) & mask;
  for (std::size_t i = (hole + 1) & mask; table_[i].pair != no_index; i = (i + 1) & mask) {
    // It may move into the hole if its home is not between the hole and itself.
    if (((i - home(table_[i].key)) & mask) < ((i - hole) & mask)) continue;
    table_[hole] = table_[i];
    hole = i;
  }
  table_[hole] = Entry{};
}

void ContactStore::link(Body& body, std::uint32_t body_slot, std::uint32_t pair) {
  PairLink& own = links_[pair];
  const std::size_t s = own.side(body_slot);
  own.next[s] = body.first_contact;
  own.last[s] = no_index;
  if (body.first_contact != no_index) {
    PairLink& head = links_[body.first_contact];
    head.last[head.side(body_slot)] = pair;
  }
  body.first_contact = pair;
}

void ContactStore::unlink(Body& body, std::uint32_t body_slot, std::uint32_t pair) {
  const std::size_t s = links_[pair].side(body_slot);
  const std::uint32_t next = links_[pair].next[s], last = links_[pair].last[s];
  if (next != no_index) links_[next].last[links_[next].side(body_slot)] = last;
  if (last != no_index)
    links_[last].next[links_[last].side(body_slot)] = next;
  else
    body.first_contact = next;
}

/// In no list.
void ContactStore::set_pair(std::uint32_t pair, const PairRecord& record) {
  pairs_[pair] = record;
  links_[pair] = PairLink{};
  links_[pair].body_a = record.body_a;
  links_[pair].body_b = record.body_b;
}

PairRecord new_pair(const BodyStore& bodies, std::uint32_t shape_a, std::uint32_t shape_b) {
  PairRecord p;
  const PlacedShape &a = bodies.shape(shape_a), &b = bodies.shape(shape_b);
  p.shape_a = shape_a;
  p.shape_b = shape_b;
  p.body_a = a.body;
  p.body_b = b.body;
  p.sensor = a.def.sensor || b.def.sensor;
  p.convex = a.def.shape.convex() && b.def.shape.convex();
  p.flat_cores = a.flat_core && b.flat_core;
  p.radius_a = static_cast<float>(a.def.shape.rounding());
  p.radius_b = static_cast<float>(b.def.shape.rounding());
  p.a_moves = a.reach <= b.reach;
  const PlacedShape& smaller = p.a_moves ? a : b;
  p.reach = smaller.reach;
  p.width = std::min(a.half_width, b.half_width);
  p.solid_width = p.convex ? p.width : smaller.half_width;
  const Material &of_a = a.def.material, &of_b = b.def.material;
  p.friction = static_cast<float>(std::sqrt(of_a.friction * of_b.friction));
  p.restitution =
      static_cast<float>(of_a.restitution > of_b.restitution ? of_a.restitution : of_b.restitution);
  p.rolling_friction = static_cast<float>(std::sqrt(of_a.rolling_friction * of_b.rolling_friction));
  p.belt = of_a.surface_velocity != Vec3{} || of_b.surface_velocity != Vec3{};
  return p;
}

void ContactStore::add_key(std::uint32_t shape_a, std::uint32_t shape_b, std::uint32_t pair) {
  if (2 * (count_ + 1) > table_.size()) grow_table();
  ++count_;
  const std::uint64_t key = key_of(shape_a, shape_b);
  std::size_t i = home(key);
  while (table_[i].pair != no_index) i = (i + 1) & (table_.size() - 1);
  table_[i] = {key, pair};
}

std::uint32_t ContactStore::add(BodyStore& bodies, std::uint32_t shape_a, std::uint32_t shape_b) {
  std::uint32_t pair = pairs_.size();
  if (free_pairs_.empty()) {
    pairs_.emplace_back();
    links_.emplace_back();
  } else {
    pair = free_pairs_.back();
    free_pairs_.pop_back();
  }
  set_pair(pair, new_pair(bodies, shape_a, shape_b));
  if (!pairs_[pair].convex) pairs_[pair].surface = new_surface();
  const PairRecord& p = pairs_[pair];
  link(bodies[p.body_a], p.body_a, pair);
  link(bodies[p.body_b], p.body_b, pair);
  add_key(shape_a, shape_b, pair);
  return pair;
}

void ContactStore::remove(BodyStore& bodies, std::uint32_t pair) {
  deactivate(pair);
  set_manifolds(pair, 1);
  PairRecord& p = pairs_[pair];
  unlink(bodies[p.body_a], p.body_a, pair);
  unlink(bodies[p.body_b], p.body_b, pair);
  erase_key(key_of(p.shape_a, p.shape_b));
  if (p.surface != no_index) free_surfaces_.push_back(p.surface);
  p.shape_a = p.shape_b = p.surface = no_index;
  free_pairs_.push_back(pair);
  --count_;
}

std::uint32_t ContactStore::new_manifold() {
  if (free_manifolds_.empty()) {
    pool_.emplace_back();
    return static_cast<std::uint32_t>(pool_.size() - 1);
  }
  const std::uint32_t i = free_manifolds_.back();
  free_manifolds_.pop_back();
  return i;
}

std::uint32_t ContactStore::new_surface() {
  if (free_surfaces_.empty()) return surfaces_++;
  const std::uint32_t i = free_surfaces_.back();
  free_surfaces_.pop_back();
  return i;
}

void ContactStore::set_manifolds(std::uint32_t pair, std::size_t count) {
  for (std::uint32_t i = pairs_[pair].manifold.next; i != no_index; i = pool_[i].next)
    free_manifolds_.push_back(i);
  std::uint32_t chain = no_index;
  for (; count > 1; --count) {
    const std::uint32_t i = new_manifold();
    pool_[i] = Manifold{};
    pool_[i].next = chain;
    chain = i;
  }
  pairs_[pair].manifold.next = chain;
}

void ContactStore::activate(std::uint32_t pair) {
  if (links_[pair].active_at != no_index) return;
  links_[pair].active_at = static_cast<std::uint32_t>(active_.size());
  active_.push_back(pair);
  heads_.emplace_back();
  marks_.push_back({.touching = pairs_[pair].touching});
  ends_.push_back({pairs_[pair].body_a, pairs_[pair].body_b});
}

void ContactStore::deactivate(std::uint32_t pair) {
  const std::uint32_t at = links_[pair].active_at;
  if (at == no_index) return;
  active_[at] = active_.back();
  heads_[at] = heads_.back();
  marks_[at] = marks_.back();
  ends_[at] = ends_.back();
  links_[active_[at]].active_at = at;
  active_.pop_back();
  heads_.pop_back();
  marks_.pop_back();
  ends_.pop_back();
  links_[pair].active_at = no_index;
}

void ContactStore::reorder(std::span<const std::uint32_t> order) {
  const auto prepare = [](const auto& list, auto& other) {
    other.reserve(list.capacity()); // what had room keeps it
    other.resize(list.size());
  };
  prepare(active_, other_active_);
  prepare(heads_, other_heads_);
  prepare(marks_, other_marks_);
  prepare(ends_, other_ends_);
  const auto put = [&](auto& list, auto& other) {
    for (std::size_t i = 0; i < order.size(); ++i) other[i] = list[order[i]];
    std::swap(list, other);
  };
  put(active_, other_active_);
  put(heads_, other_heads_);
  put(marks_, other_marks_);
  put(ends_, other_ends_);
  for (std::size_t i = 0; i < active_.size(); ++i)
    links_[active_[i]].active_at = static_cast<std::uint32_t>(i);
}

/// Without branches: which pairs carry is anybody's guess.
void ContactStore::find_carrying() {
  carrying_.resize(active_.size());
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < marks_.size(); ++i) {
    carrying_[count] = i;
    count += marks_[i].carries ? 1 : 0;
  }
  carrying_.resize(count);
  group_begins_.clear();
}

void ContactStore::group_carrying(std::uint32_t bodies) {
  if (!group_begins_.empty()) return;
  // Counted one place ahead: so each beginning, once it was moved to the end of its group, is the next one's.
  group_begins_.assign(std::size_t{bodies} + 2, 0);
  std::uint32_t* counts = group_begins_.data() + 2;
  for (const std::uint32_t at : carrying_) {
    ++counts[ends_[at].body_a];
    ++counts[ends_[at].body_b];
  }
  for (std::size_t i = 2; i < group_begins_.size(); ++i) group_begins_[i] += group_begins_[i - 1];
  grouped_.resize(2 * carrying_.size());
  std::uint32_t* places = group_begins_.data() + 1;
  for (const std::uint32_t at : carrying_) {
    grouped_[places[ends_[at].body_a]++] = at;
    grouped_[places[ends_[at].body_b]++] = at;
  }
}

void ContactStore::thin_carrying() {
  std::erase_if(carrying_, [&](std::uint32_t at) { return !marks_[at].carries; });
}

void ContactStore::arrange(std::span<const std::uint8_t> region_of, const RegionOrder& order) {
  std::size_t strays = 0;
  for (std::size_t i = 0; i < active_.size(); ++i)
    strays += order.is_home(pairs_.place_of(active_[i]), region_of[i]) ? 0 : 1;
  if (strays <= RegionOrder::few(active_.size())) return;
  const std::size_t regions = order.begins().size(); // one more: of those that are not active
  regions_.assign(pairs_.size(), static_cast<std::uint8_t>(regions - 1));
  for (std::size_t i = 0; i < active_.size(); ++i)
    regions_[pairs_.place_of(active_[i])] = region_of[i];
  record_order_.count(regions_, regions);
  record_order_.settle(regions_, [&](std::size_t i, std::size_t k) {
    pairs_.swap_places(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(k));
  });
}

void ContactStore::forget(const BodyStore& bodies, std::uint32_t body) {
  for (std::uint32_t i = bodies[body].first_contact; i != no_index; i = next_of(i, body))
    if (links_[i].active_at != no_index) heads_[links_[i].active_at].room = -1;
}

void ContactStore::forget_impulses(const BodyStore& bodies, std::uint32_t body) {
  for (std::uint32_t i = bodies[body].first_contact; i != no_index; i = next_of(i, body))
    for (Manifold* m = &pairs_[i].manifold; m != nullptr; m = after(*m)) {
      for (PairPoint& p : m->points) p.impulse = p.total = 0;
      for (std::size_t k = 0; k < 3; ++k) m->friction[k] = m->rolling[k] = 0;
      m->twist = m->approach = 0;
    }
}

} // namespace carom
