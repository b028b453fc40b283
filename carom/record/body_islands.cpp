#include "carom/record/body_islands.h"

#include "carom/dynamics/islands.h"

namespace carom {

std::vector<std::uint32_t> body_islands(const World& world) {
  const BodyStore& bodies = world.bodies();
  const ContactStore& pairs = world.contacts();
  const JointStore& joints = world.joints();
  const auto gives_way = [&](std::uint32_t slot) {
    return bodies[slot].exists && bodies[slot].movable();
  };
  UnionFind sets(bodies.slots());
  for (std::uint32_t slot = 0; slot < bodies.slots(); ++slot) {
    if (!gives_way(slot)) continue;
    for (std::uint32_t i = bodies[slot].first_contact; i != no_index; i = pairs.next_of(i, slot)) {
      const std::uint32_t other = pairs[i].body_a == slot ? pairs[i].body_b : pairs[i].body_a;
      if (gives_way(other) && pair_carries(pairs, pairs[i])) sets.join(slot, other);
    }
    for (std::uint32_t j = bodies[slot].first_joint; j != no_index; j = joints.next_of(j, slot)) {
      const std::uint32_t other = joints.other_of(j, slot);
      if (other != no_index && gives_way(other)) sets.join(slot, other);
    }
  }
  std::vector<std::uint32_t> island_of(bodies.slots(), no_index);
  for (std::uint32_t slot = 0; slot < bodies.slots(); ++slot)
    if (gives_way(slot)) island_of[slot] = sets.root(slot);
  return island_of;
}

} // namespace carom
