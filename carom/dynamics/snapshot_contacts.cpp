// Pairs in a snapshot, with all that the next step begins with. The lists of each body are written in order, and linked anew.
#include "carom/dynamics/contact_store.h"
#include "carom/dynamics/snapshot.h"

namespace carom {
namespace {

void put_manifold(SnapshotWriter& to, const Manifold& m) {
  to.put(static_cast<std::uint8_t>(m.count));
  to.put(static_cast<std::uint8_t>(m.slips));
  to.put(m.normal);
  for (const float x : m.friction) to.put(x);
  for (const float x : m.rolling) to.put(x);
  to.put(m.twist);
  to.put(m.approach);
  for (int i = 0; i < m.count; ++i) {
    const PairPoint& p = m.points[static_cast<std::size_t>(i)];
    to.put(p.on_a);
    to.put(p.on_b);
    to.put(p.id);
    to.put(p.impulse);
    to.put(p.total);
  }
}

/// Numbers may be infinite, in a world where something was driven beyond all bounds: the solver freezes what they would move.
void get_manifold(SnapshotReader& from, Manifold& m) {
  m.count = from.get<std::uint8_t>();
  if (!from.need(m.count <= 4)) return;
  m.slips = from.get<std::uint8_t>() != 0;
  m.normal = from.get_vec();
  const auto get = [&](float& x) { x = from.get<float>(); };
  for (float& x : m.friction) get(x);
  for (float& x : m.rolling) get(x);
  get(m.twist);
  get(m.approach);
  for (int i = 0; i < m.count; ++i) {
    PairPoint& p = m.points[static_cast<std::size_t>(i)];
    p.on_a = from.get_vec();
    p.on_b = from.get_vec();
    p.id = from.get<std::uint64_t>();
    get(p.impulse);
    get(p.total);
  }
}

/// Ids of shapes mean nothing in another program: whether they are the pair's, is written.
void put_cache(SnapshotWriter& to, const PairCache& c, std::uint64_t id_a, std::uint64_t id_b) {
  const bool of_pair = c.id_a == id_a && c.id_b == id_b;
  to.put(static_cast<std::uint8_t>(of_pair));
  if (!of_pair) return; // of no use: the next query begins afresh
  to.put(static_cast<std::uint8_t>(c.count));
  to.put(static_cast<std::uint8_t>(c.has_features));
  for (const HullFeature& f : {c.feature_a, c.feature_b}) {
    to.put(static_cast<std::uint8_t>(f.kind));
    to.put(f.index);
  }
  to.put(c.part_a);
  to.put(c.part_b);
  for (int i = 0; i < c.count; ++i) {
    to.put(c.corners[static_cast<std::size_t>(i)].on_a);
    to.put(c.corners[static_cast<std::size_t>(i)].on_b);
  }
}

/// Features and parts are looked at by those who use them, since a cache may be of other shapes.
void get_cache(SnapshotReader& from, PairCache& c, std::uint64_t id_a, std::uint64_t id_b) {
  if (from.get<std::uint8_t>() == 0) return;
  c.id_a = id_a;
  c.id_b = id_b;
  c.count = from.get<std::uint8_t>();
  c.has_features = from.get<std::uint8_t>() != 0;
  from.need(c.count <= 4);
  for (HullFeature* f : {&c.feature_a, &c.feature_b}) {
    const auto kind = from.get<std::uint8_t>();
    if (from.need(kind <= 2)) f->kind = static_cast<FeatureKind>(kind);
    f->index = from.get_u32();
  }
  c.part_a = from.get_u32();
  c.part_b = from.get_u32();
  for (int i = 0; i < c.count && from.ok(); ++i) {
    PairCache::Corner& corner = c.corners[static_cast<std::size_t>(i)];
    corner.on_a = from.get_vec();
    corner.on_b = from.get_vec();
  }
}

} // namespace

void ContactStore::save(SnapshotWriter& to, const BodyStore& bodies) const {
  to.put(pairs_.size());
  to.put(free_pairs_);
  for (std::uint32_t i = 0; i < pairs_.size(); ++i) {
    const PairRecord& p = pairs_[i];
    if (p.shape_a == no_index) continue;
    to.put(p.shape_a);
    to.put(p.shape_b);
    to.put(static_cast<std::uint8_t>(p.touching));
    if (p.touching) to.put(p.last_point);
    to.put(p.made_margin);
    to.put(p.clear_by);
    to.put(p.made_at);
    to.put(p.made_turned);
    if (p.round()) {
      to.put(p.placed_at);
      to.put(p.placed_turned);
    }
    to.put(p.axis);
    put_cache(to, p.cache, bodies.shape(p.shape_a).def.shape.id(),
              bodies.shape(p.shape_b).def.shape.id());
    std::uint32_t manifolds = 0;
    for (const Manifold* m = &p.manifold; m != nullptr; m = after(*m)) ++manifolds;
    to.put(manifolds);
    for (const Manifold* m = &p.manifold; m != nullptr; m = after(*m)) put_manifold(to, *m);
  }
  to.put(active_);
  std::vector<std::uint32_t> list;
  for (std::uint32_t slot = 0; slot < bodies.slots(); ++slot) {
    if (!bodies[slot].exists) continue;
    list.clear();
    for (std::uint32_t p = bodies[slot].first_contact; p != no_index; p = next_of(p, slot))
      list.push_back(p);
    to.put(list);
  }
}

bool ContactStore::load_pair(SnapshotReader& from, const BodyStore& bodies, std::uint32_t pair) {
  const std::uint32_t shape_a = from.get_u32();
  const std::uint32_t shape_b = from.get_u32();
  if (!from.need(shape_a < shape_b && bodies.has_shape(shape_a) && bodies.has_shape(shape_b) &&
                 bodies.shape(shape_a).body != bodies.shape(shape_b).body &&
                 find(shape_a, shape_b) == no_index))
    return false;
  set_pair(pair, new_pair(bodies, shape_a, shape_b));
  if (!pairs_[pair].convex) pairs_[pair].surface = new_surface();
  add_key(shape_a, shape_b, pair);
  {
    PairRecord& p = pairs_[pair];
    p.touching = from.get<std::uint8_t>() != 0;
    if (p.touching) p.last_point = from.get_vec();
    from.need(is_finite(p.last_point));
    p.made_margin = from.get_f64();
    p.clear_by = from.get_f64();
    p.made_at = from.get_vec();
    p.made_turned = from.get_quat();
    if (p.round()) {
      p.placed_at = from.get_vec();
      p.placed_turned = from.get_quat();
    }
    p.axis = from.get_vec();
    get_cache(from, p.cache, bodies.shape(shape_a).def.shape.id(),
              bodies.shape(shape_b).def.shape.id());
  }
  const std::uint32_t manifolds = from.get_count(50);
  if (!from.need(manifolds >= 1)) return false;
  set_manifolds(pair, manifolds);
  for (Manifold* m = &pairs_[pair].manifold; m != nullptr && from.ok(); m = after(*m))
    get_manifold(from, *m);
  return from.ok();
}

bool ContactStore::load(SnapshotReader& from, BodyStore& bodies) {
  const std::uint32_t slots = from.get_count(4);
  free_pairs_ = from.get_list(slots);
  if (!from.ok()) return false;
  pairs_.resize(slots);
  links_.resize(slots);
  std::vector<std::uint8_t> linked(slots, 0); // a bit for each side
  for (const std::uint32_t i : free_pairs_) {
    if (linked[i] != 0) return false;
    linked[i] = 3;
  }
  for (std::uint32_t i = 0; i < slots; ++i)
    if (linked[i] == 0 && !load_pair(from, bodies, i)) return false;
  for (const std::uint32_t i : from.get_list(slots)) {
    if (pairs_[i].shape_a == no_index || links_[i].active_at != no_index) return false;
    activate(i);
  }
  for (std::uint32_t slot = 0; slot < bodies.slots() && from.ok(); ++slot) {
    if (!bodies[slot].exists) continue;
    const std::vector<std::uint32_t> list = from.get_list(slots);
    for (std::size_t k = list.size(); k-- > 0;) {
      PairRecord& p = pairs_[list[k]];
      const int side = p.body_a == slot ? 1 : p.body_b == slot ? 2 : 0;
      if (side == 0 || (linked[list[k]] & side) != 0) return false;
      linked[list[k]] = static_cast<std::uint8_t>(linked[list[k]] | side);
      link(bodies[slot], slot, list[k]);
    }
  }
  for (std::uint32_t i = 0; i < slots; ++i) {
    if (linked[i] != 3) return false;
    // A pair is active if and only if one of its bodies is.
    const PairRecord& p = pairs_[i];
    const bool active = p.shape_a != no_index && (bodies[p.body_a].active_at != no_index ||
                                                  bodies[p.body_b].active_at != no_index);
    if (active != (links_[i].active_at != no_index)) return false;
  }
  return from.ok();
}

} // namespace carom
