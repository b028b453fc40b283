// What the tests of joints are made of.
#pragma once

#include "carom/dynamics/joint.h"
#include "carom/math/trig.h"
#include "tests/dynamics/scenes.h"

namespace carom::test {

/// Of bodies in the gravity of their world.
inline double total_energy(const World& world, std::initializer_list<BodyId> ids) {
  double sum = 0;
  for (const BodyId id : ids) {
    const BodyInfo b = *world.body(id);
    sum += energy(b) - b.mass * dot(world.options().gravity, b.center);
  }
  return sum;
}

/// How far the locked origins of a joint's frames are apart.
inline double separation(const World& world, JointId id) { return world.joint(id)->length; }

} // namespace carom::test
