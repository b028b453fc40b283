// Bodies that are not convex, on each other: closed meshes and compounds. They come to rest, hang in each other, and part gently where they overlap.
#include "tests/dynamics/scenes.h"

#include "carom/shape/compound.h"
#include "carom/shape/triangle_mesh.h"
#include "tests/support/procedural_meshes.h"

#include <numbers>

namespace carom::test {
namespace {

/// In the plane z = 0, of radius 0.8 to the middle of the tube.
Shape mesh_ring(double tube) {
  PolygonMesh mesh = fanned(torus_mesh(24, 12, tube / 0.4));
  for (Vec3& v : mesh.vertices) v *= 0.4;
  return Shape::mesh(mesh).value();
}

Shape capsule_ring(double tube) {
  constexpr int count = 12;
  std::vector<CompoundPart> parts;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * i / count;
    parts.push_back({Shape::capsule({0, -0.2, 0}, {0, 0.2, 0}, tube).value(),
                     {Quat::from_axis_angle({0, 0, 1}, angle),
                      {0.8 * std::cos(angle), 0.8 * std::sin(angle), 0}}});
  }
  return Shape::compound(parts).value();
}

double all_energy(const World& world, std::span<const BodyId> ids) {
  double sum = 0;
  for (const BodyId id : ids) {
    const BodyInfo b = world.body(id).value();
    sum += energy(b) + b.mass * gravity * b.center.z;
  }
  return sum;
}

double fastest(const World& world, std::span<const BodyId> ids) {
  double most = 0;
  for (const BodyId id : ids) most = std::max(most, length(velocity(world, id)));
  return most;
}

TEST(Concave, TwoRingsComeToRest) {
  for (const Shape& ring : {mesh_ring(0.3), capsule_ring(0.3)}) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      WorldOptions options = plain();
      options.sleep.enabled = true;
      World world(options);
      add_floor(world);
      const Quat turned = random.rotation();
      const Vec3 at{random.uniform(-0.8, 0.8), 0, 2};
      const BodyId ids[] = {world.add({.shape = ring, .pose = Pose::at({0, 0, 0.3})}).value(),
                            world.add({.shape = ring, .pose = {turned, at}}).value()};
      const double before = all_energy(world, ids);
      double most = before;
      for (int i = 0; i < 600; ++i) {
        world.step(frame);
        most = std::max(most, all_energy(world, ids));
      }
      EXPECT_LT(most, 1.001 * before);
      EXPECT_LT(fastest(world, ids), 0.05);
      EXPECT_EQ(world.active_count(), 0U);
      for (const BodyId id : ids) EXPECT_GT(position(world, id).z, 0.28);
    }
  }
}

/// Some deep in each other, in ways that no direction is right for. They are pushed apart by no more than the push's speed, and fall as deep as that has lifted them.
TEST(Concave, WhatOverlapsPartsGently) {
  for (const Shape& ring : {mesh_ring(0.3), capsule_ring(0.3)}) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      World world(plain());
      add_floor(world);
      std::vector<BodyId> ids;
      for (int i = 0; i < 6; ++i) {
        const Quat turned = random.rotation();
        ids.push_back(world
                          .add({.shape = ring,
                                .pose = {turned, {0.5 * (i % 2), 0.5 * (i / 2 % 2), 1 + 0.5 * i}}})
                          .value());
      }
      const double before = all_energy(world, ids);
      for (int i = 0; i < 150; ++i) {
        world.step(frame);
        ASSERT_LT(fastest(world, ids), 15) << "step " << i;
        ASSERT_LT(all_energy(world, ids), 2.5 * before) << "step " << i;
      }
    }
  }
}

TEST(Concave, AChainOfRingsHangs) {
  constexpr double tube = 0.2, apart = 2 * (0.8 - tube);
  for (const Shape& ring : {mesh_ring(tube), capsule_ring(tube)}) {
    World world(plain());
    std::vector<BodyId> ids;
    for (int i = 0; i < 5; ++i) {
      const Quat upright = Quat::from_axis_angle({1, 0, 0}, std::numbers::pi / 2),
                 across = Quat::from_axis_angle({0, 0, 1}, i % 2 * std::numbers::pi / 2);
      ids.push_back(world
                        .add({.shape = ring,
                              .pose = {across * upright, {0, 0, -i * apart}},
                              .kind = i == 0 ? BodyKind::fixed : BodyKind::dynamic})
                        .value());
    }
    run(world, 10);
    for (std::size_t i = 1; i < ids.size(); ++i) {
      EXPECT_NEAR(distance(position(world, ids[i - 1]), position(world, ids[i])), apart, 0.05) << i;
      EXPECT_LT(length(velocity(world, ids[i])), 0.1) << i;
    }
  }
}

} // namespace
} // namespace carom::test
