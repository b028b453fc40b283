// Worlds whose futures are hashed: piles, fast bodies, sleep, sensors, snapshots.
#pragma once

#include "carom/carom.h"
#include "carom/dynamics/world.h"
#include "carom/dynamics/world_queries.h"

#include <cstdint>
#include <vector>

namespace carom {

/// Hulls, balls, boxes, compounds and closed meshes fall on a bowl of triangles among walls; some are fast. A number made of all poses and velocities in each of many steps, of what rays meet, and of a world restored on the way.
inline std::uint64_t hash_of_world(Random& random, const Shape& bowl) {
  World world;
  (void)world.add({.shape = bowl, .kind = BodyKind::fixed}).value();
  (void)world
      .add({.shape = Shape::box({6, 6, 0.2}).value(),
            .pose = Pose::at({0, 0, -1}),
            .kind = BodyKind::fixed})
      .value();
  (void)world
      .add({.shape = Shape::box({2, 0.1, 0.5}).value(),
            .pose = Pose::at({0, 0, 1}),
            .kind = BodyKind::kinematic,
            .angular_velocity = {0, 0, 8}})
      .value();
  std::vector<Shape> shapes{Shape::sphere(0.3).value(), Shape::box({0.3, 0.2, 0.4}).value(),
                            Shape::cylinder(0.3, 0.2).value()};
  std::vector<Vec3> points;
  for (int i = 0; i < 14; ++i) points.push_back(random.direction() * 0.4);
  shapes.push_back(Shape::hull(points).value());
  const CompoundPart parts[] = {{shapes[0], {}}, {shapes[1], Pose::at({0.4, 0, 0.1})}};
  shapes.push_back(Shape::compound(parts).value());
  for (int i = 0; i < 40; ++i) {
    const Vec3 at = random.in_box({2, 2, 1}) + Vec3{0, 0, 3 + 0.1 * i};
    const Quat turn = random.rotation();
    const Vec3 way = random.direction();
    (void)world
        .add({.shape = shapes[static_cast<std::size_t>(i) % shapes.size()],
              .pose = {turn, at},
              .material = {.restitution = 0.3, .rolling_friction = 0.01},
              .velocity = way * (i % 8 == 0 ? 150.0 : 1.0),
              .angular_velocity = way * (i % 5 == 0 ? 60.0 : 2.0),
              .continuous = i % 16 == 0})
        .value();
  }
  std::uint64_t hash = 0;
  std::vector<std::byte> then;
  for (int i = 0; i < 150; ++i) {
    world.step(1.0 / 60);
    hash = mix_bits(hash, world.hash());
    const Vec3 from = random.in_box({3, 3, 5});
    hash = mix_bits(hash, ray_cast(world, Ray{from, random.direction()}).shape.body.slot);
    hash = mix_bits(hash, world.events().contacts.size() + 1000 * world.impact_queries());
    if (i == 60) then = world.snapshot();
    if (i == 90) hash = mix_bits(hash, world.restore(then) ? 1 : 0);
  }
  for (const std::byte b : world.snapshot()) hash = mix_bits(hash, static_cast<std::uint64_t>(b));
  return hash;
}

} // namespace carom
