// Worlds of the classic solvers whose futures are hashed: each solver, and bodies that move together and one after the other.
#pragma once

#include "carom/dynamics/classic/classic_world.h"
#include "carom/math/random.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace carom {

/// Balls, boxes, hulls, capsules and compounds fall on a floor and on each other, and bounce; one is fast. A number made of all poses, velocities and forces on the way, and of what it took.
inline std::uint64_t hash_of_classic(Random& random, const ClassicOptions& options) {
  ClassicWorld world(options);
  (void)world
      .add({.shape = Shape::box({6, 6, 0.5}).value(),
            .pose = {Quat::from_axis_angle({0, 1, 0}, 0.1), {0, 0, -0.5}},
            .kind = BodyKind::fixed})
      .value();
  std::vector<Vec3> points;
  for (int i = 0; i < 10; ++i) points.push_back(random.direction() * 0.35);
  std::vector<Shape> shapes{Shape::sphere(0.3).value(), Shape::box({0.3, 0.2, 0.4}).value(),
                            Shape::hull(points).value(),
                            Shape::capsule({0, 0, -0.2}, {0, 0, 0.2}, 0.2).value()};
  const CompoundPart parts[] = {{shapes[0], {}}, {shapes[1], Pose::at({0.4, 0, 0.1})}};
  shapes.push_back(Shape::compound(parts).value());
  std::vector<BodyId> ids;
  for (int i = 0; i < 6; ++i) {
    const Quat turn = random.rotation();
    const Vec3 spin = random.in_box({3, 3, 3});
    ids.push_back(world
                      .add({.shape = shapes[static_cast<std::size_t>(i) % shapes.size()],
                            .pose = {turn, {0.3 * (i % 2), 0.2 * (i % 3), 0.8 + 0.9 * i}},
                            .material = {.friction = 0.4, .restitution = 0.1 * i},
                            .velocity = {0, 0, i == 5 ? -40.0 : -1.0},
                            .angular_velocity = spin})
                      .value());
  }
  std::uint64_t hash = 0;
  const auto add = [&](const Vec3& v) {
    for (int k = 0; k < 3; ++k) hash = mix_bits(hash, std::bit_cast<std::uint64_t>(v[k]));
  };
  for (int i = 0; i < 45; ++i) {
    world.step(1.0 / 60);
    if (i == 30) hash = mix_bits(hash, world.remove(ids[2]) ? 1 : 0);
    for (const BodyId id : ids) {
      const auto body = world.body(id);
      if (!body) continue;
      add(body->pose.position);
      add(body->velocity);
      add(body->angular_velocity);
    }
    for (const ClassicContact& c : world.contacts()) add(c.force);
  }
  const ClassicCounters& c = world.counters();
  for (const std::uint64_t n :
       {c.meetings, c.collisions, c.impact_queries, c.pivots, c.rounds, c.sub_steps})
    hash = mix_bits(hash, n);
  return hash;
}

} // namespace carom
