#include "carom/dynamics/world_facts.h"

#include "carom/dynamics/narrow_phase.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <tuple>

namespace carom {
namespace {

/// Calls found(body) for the body of an id.
template<class Found>
WorldResult<void> with_body(const World& world, BodyId id, Found found) {
  const std::uint32_t slot = world.bodies().find(id);
  if (slot == no_index) return tl::unexpected(WorldError::stale_id);
  found(slot, world.bodies()[slot]);
  return {};
}

double energy_of(const Body& body) {
  const Vec3 spin = transpose_mul(body.frame.basis, body.angular_velocity);
  return 0.5 * (body.mass * length_squared(body.velocity) + dot(spin, body.inertia * spin));
}

WorldContact contact_of(const World& world, const PairRecord& pair, const Manifold& m,
                        std::uint32_t slot) {
  const BodyStore& bodies = world.bodies();
  const Body &a = bodies[pair.body_a], &b = bodies[pair.body_b];
  const WorldShape of_a{bodies.id_of(pair.body_a), bodies.shape(pair.shape_a).number},
      of_b{bodies.id_of(pair.body_b), bodies.shape(pair.shape_b).number};
  const bool own_is_a = pair.body_a == slot;
  WorldContact c{own_is_a ? of_a : of_b, own_is_a ? of_b : of_a,
                 a.frame.basis * m.normal * (own_is_a ? 1.0 : -1.0)};
  for (; c.count < m.count; ++c.count) {
    const auto i = static_cast<std::size_t>(c.count);
    const PairPoint& p = m.points[i];
    c.points[i] = {(a.frame.to_world(p.on_a) + b.frame.to_world(p.on_b)) * 0.5,
                   separation_now(a, b, m, p), p.total};
  }
  return c;
}

} // namespace

void list_bodies(const World& world, std::vector<BodyId>& list) {
  list.clear();
  for (std::uint32_t i = 0; i < world.bodies().slots(); ++i)
    if (world.bodies()[i].exists) list.push_back(world.bodies().id_of(i));
}

void list_joints(const World& world, std::vector<JointId>& list) {
  list.clear();
  for (std::uint32_t i = 0; i < world.joints().slots(); ++i)
    if (world.joints()[i].exists) list.push_back(world.joints().id_of(i));
}

WorldResult<void> joints_of(const World& world, BodyId id, std::vector<JointId>& list) {
  list.clear();
  return with_body(world, id, [&](std::uint32_t slot, const Body& body) {
    for (std::uint32_t j = body.first_joint; j != no_index; j = world.joints().next_of(j, slot))
      list.push_back(world.joints().id_of(j));
    std::sort(list.begin(), list.end(), [](JointId a, JointId b) { return a.slot < b.slot; });
  });
}

WorldResult<void> contacts_of(const World& world, BodyId id, std::vector<WorldContact>& list) {
  list.clear();
  return with_body(world, id, [&](std::uint32_t slot, const Body& body) {
    const ContactStore& pairs = world.contacts();
    for (std::uint32_t p = body.first_contact; p != no_index; p = pairs.next_of(p, slot)) {
      if (pairs[p].sensor) continue;
      for (const Manifold* m = &pairs[p].manifold; m != nullptr; m = pairs.after(*m))
        if (m->count > 0) list.push_back(contact_of(world, pairs[p], *m, slot));
    }
    // Patches of one pair stay in the order that they have there.
    std::stable_sort(list.begin(), list.end(), [](const WorldContact& x, const WorldContact& y) {
      return std::tuple(x.other.body.slot, x.own.shape, x.other.shape) <
             std::tuple(y.other.body.slot, y.own.shape, y.other.shape);
    });
  });
}

WorldResult<Vec3> velocity_at(const World& world, BodyId id, const Vec3& point) {
  if (!is_position(point)) return tl::unexpected(WorldError::out_of_range);
  Vec3 v{};
  const auto done = with_body(world, id, [&](std::uint32_t, const Body& body) {
    v = body.velocity + cross(body.angular_velocity, point - body.frame.origin);
  });
  return done.map([&] { return v; });
}

WorldResult<double> kinetic_energy(const World& world, BodyId id) {
  double energy = 0;
  const auto done =
      with_body(world, id, [&](std::uint32_t, const Body& body) { energy = energy_of(body); });
  return done.map([&] { return energy; });
}

double total_energy(const World& world) {
  double sum = 0;
  for (std::uint32_t i = 0; i < world.bodies().slots(); ++i) {
    const Body& body = world.bodies()[i];
    if (!body.exists || body.kind != BodyKind::dynamic) continue;
    sum += energy_of(body) -
           body.mass * body.gravity_scale * dot(world.options().gravity, body.frame.origin);
  }
  return sum;
}

WorldResult<Aabb> box_of(const World& world, BodyId id) {
  Aabb box{};
  const auto done = with_body(world, id, [&](std::uint32_t, const Body& body) {
    for (const std::uint32_t i : body.shapes) {
      const PlacedShape& s = world.bodies().shape(i);
      const Aabb own = bounds(s.def.shape, s.world);
      box = {min(box.min, own.min), max(box.max, own.max)};
    }
  });
  return done.map([&] { return box; });
}

} // namespace carom
