// What a viewer draws over a world: contacts, islands, boxes.
#include "carom/mesh/union_find.h"
#include "carom/shape/support.h"
#include "web/wasm/worlds.h"

namespace carom::web {
namespace {

void put(std::vector<float>& list, const Vec3& v) {
  for (const double x : {v.x, v.y, v.z}) list.push_back(static_cast<float>(x));
}

/// f(pair) for each pair of shapes near each other, once.
template<class F>
void each_pair(const World& world, F&& f) {
  const BodyStore& bodies = world.bodies();
  const ContactStore& pairs = world.contacts();
  for (std::uint32_t slot = 0; slot < bodies.slots(); ++slot) {
    if (!bodies[slot].exists) continue;
    for (std::uint32_t i = bodies[slot].first_contact; i != no_index; i = pairs.next_of(i, slot))
      if (pairs[i].body_a == slot) f(pairs[i]);
  }
}

void put_manifold(std::vector<float>& list, const Frame& frame_a, const Manifold& m) {
  for (int i = 0; i < m.count; ++i) {
    const PairPoint& p = m.points[static_cast<std::size_t>(i)];
    put(list, frame_a.to_world(p.on_a));
    put(list, frame_a.direction_to_world(m.normal));
    list.push_back(p.total);
  }
}

/// Where the list begins, in the buffer; how many things of so many numbers are in it.
int told(const std::vector<float>& list, int numbers) {
  buffer()[0] = static_cast<double>(reinterpret_cast<std::uintptr_t>(list.data()));
  return static_cast<int>(list.size()) / numbers;
}

} // namespace

/// How many points of contact there are; where they are is in the buffer: point, normal, impulse, seven floats each.
CAROM_EXPORT int carom_world_contacts(int world) {
  Sim* sim = sims().find(world);
  if (!sim) return fail(no_world);
  sim->drawing.clear();
  const ContactStore& pairs = sim->world().contacts();
  each_pair(sim->world(), [&](const PairRecord& pair) {
    const Frame& frame = sim->world().bodies()[pair.body_a].frame;
    for (const Manifold* m = &pair.manifold; m; m = pairs.after(*m))
      put_manifold(sim->drawing, frame, *m);
  });
  return told(sim->drawing, 7);
}

/// How many shapes there are that move; their boxes are where the buffer says: two corners, six floats each.
CAROM_EXPORT int carom_world_boxes(int world) {
  Sim* sim = sims().find(world);
  if (!sim) return fail(no_world);
  sim->drawing.clear();
  const BodyStore& bodies = sim->world().bodies();
  for (std::uint32_t slot = 0; slot < bodies.slots(); ++slot) {
    const Body& body = bodies[slot];
    if (!body.exists || body.kind == BodyKind::fixed) continue;
    for (const std::uint32_t s : body.shapes) {
      const Aabb box = bounds(bodies.shape(s).def.shape, bodies.shape(s).world);
      put(sim->drawing, box.min);
      put(sim->drawing, box.max);
    }
  }
  return told(sim->drawing, 6);
}

/// Of each body a number that all bodies have with which it hangs together by contacts; -1 where it does not move.
CAROM_EXPORT const std::int32_t* carom_world_islands(int world) {
  Sim* sim = sims().find(world);
  if (!sim) return nullptr;
  const BodyStore& bodies = sim->world().bodies();
  UnionFind sets(bodies.slots());
  each_pair(sim->world(), [&](const PairRecord& pair) {
    const bool both = bodies[pair.body_a].movable() && bodies[pair.body_b].movable();
    if (both && !pair.sensor && pair_carries(sim->world().contacts(), pair))
      sets.join(pair.body_a, pair.body_b);
  });
  sim->islands.assign(sim->bodies.size(), -1);
  for (std::size_t i = 0; i < sim->bodies.size(); ++i) {
    const std::uint32_t slot = bodies.find(sim->bodies[i]);
    if (slot != no_index && bodies[slot].movable())
      sim->islands[i] = static_cast<std::int32_t>(sets.root(slot));
  }
  return sim->islands.data();
}

} // namespace carom::web
