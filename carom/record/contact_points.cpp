#include "carom/record/contact_points.h"

namespace carom {
namespace {

void add_points(const World& world, const PairRecord& pair, std::vector<ContactPoint>& points) {
  const BodyStore& bodies = world.bodies();
  const Frame &a = bodies[pair.body_a].frame, &b = bodies[pair.body_b].frame;
  for (const Manifold* m = &pair.manifold; m != nullptr; m = world.contacts().after(*m))
    for (int k = 0; k < m->count; ++k) {
      const PairPoint& p = m->points[static_cast<std::size_t>(k)];
      const Vec3 on_a = a.to_world(p.on_a), on_b = b.to_world(p.on_b);
      const Vec3 normal = a.direction_to_world(m->normal);
      points.push_back({bodies.id_of(pair.body_a), bodies.id_of(pair.body_b), (on_a + on_b) / 2,
                        normal, dot(normal, on_b - on_a), static_cast<double>(p.total)});
    }
}

} // namespace

void contact_points(const World& world, std::vector<ContactPoint>& points) {
  points.clear();
  const BodyStore& bodies = world.bodies();
  const ContactStore& pairs = world.contacts();
  for (std::uint32_t slot = 0; slot < bodies.slots(); ++slot) {
    if (!bodies[slot].exists || bodies[slot].kind != BodyKind::dynamic) continue;
    for (std::uint32_t i = bodies[slot].first_contact; i != no_index; i = pairs.next_of(i, slot)) {
      // Each pair once: at its body A, or at B where A is not dynamic.
      const PairRecord& pair = pairs[i];
      const bool mine = pair.body_a == slot || bodies[pair.body_a].kind != BodyKind::dynamic;
      if (mine && !pair.sensor) add_points(world, pair, points);
    }
  }
}

void contact_points(const ClassicWorld& world, double time_step,
                    std::vector<ContactPoint>& points) {
  points.clear();
  const BodyStore& bodies = world.bodies();
  for (const ClassicContact& c : world.contacts())
    points.push_back({bodies.id_of(c.a), bodies.id_of(c.b), c.point, c.normal, c.gap,
                      dot(c.force, c.normal) * time_step});
}

} // namespace carom
