// Piles that stand, and floors of many pieces that do not catch.
#include "carom/math/random.h"
#include "tests/dynamics/scenes.h"

#include "carom/mesh/polygon_mesh.h"
#include "carom/shape/compound.h"
#include "carom/shape/triangle_mesh.h"
#include "tests/support/procedural_meshes.h"

namespace carom::test {
namespace {

std::vector<BodyId> tower(World& world, int count, const Vec3& at = {}) {
  std::vector<BodyId> ids;
  ids.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    ids.push_back(world.add({.shape = cube(), .pose = Pose::at(at + Vec3{0, 0, 0.5 + i})}).value());
  return ids;
}

TEST(Stack, TenStandStillWithoutSleep) {
  World world(plain());
  add_floor(world);
  const auto ids = tower(world, 10);
  run(world, 15);
  const Vec3 settled = position(world, ids.back());
  run(world, 10);
  EXPECT_LT(distance(position(world, ids.back()), settled), 1e-3);
  EXPECT_NEAR(settled.z, 9.5, 0.02);
  EXPECT_LT(std::hypot(settled.x, settled.y), 0.01);
}

TEST(Stack, TwentyStand) {
  WorldOptions options = plain();
  options.sleep.enabled = true;
  World world(options);
  add_floor(world);
  const auto ids = tower(world, 20);
  run(world, 10);
  const Vec3 settled = position(world, ids.back());
  run(world, 50);
  EXPECT_LT(distance(position(world, ids.back()), settled), 1e-3);
  EXPECT_NEAR(settled.z, 19.5, 0.05);
  EXPECT_EQ(world.active_count(), 0u);
}

TEST(Stack, TwentyStandWithoutSleep) {
  World world(plain());
  add_floor(world);
  const auto ids = tower(world, 20);
  run(world, 20);
  const Vec3 settled = position(world, ids.back());
  run(world, 10);
  EXPECT_LT(distance(position(world, ids.back()), settled), 1e-3);
}

TEST(Stack, StandsFarFromTheOrigin) {
  World world(plain());
  const Vec3 far{1e5, -1e5, 1e5};
  world
      .add({.shape = Shape::box({5, 5, 0.5}).value(),
            .pose = Pose::at(far - Vec3{0, 0, 0.5}),
            .kind = BodyKind::fixed})
      .value();
  const auto ids = tower(world, 5, far);
  run(world, 10);
  const Vec3 settled = position(world, ids.back());
  run(world, 5);
  EXPECT_LT(distance(position(world, ids.back()), settled), 1e-4);
}

std::vector<BodyId> pyramid(World& world, int base) {
  std::vector<BodyId> ids;
  for (int row = 0; row < base; ++row)
    for (int i = 0; i < base - row; ++i)
      ids.push_back(world
                        .add({.shape = cube(),
                              .pose = Pose::at({(i - 0.5 * (base - row)) * 1.1, 0, 0.5 + row})})
                        .value());
  return ids;
}

/// Cubes one on top of the other, by their densities.
std::vector<BodyId> column(World& world, const std::vector<double>& densities, double size = 1) {
  const Shape shape = Shape::box({size / 2, size / 2, size / 2}).value();
  std::vector<BodyId> ids;
  for (const double density : densities)
    ids.push_back(
        world
            .add({.shape = shape,
                  .pose = Pose::at({0, 0, (static_cast<double>(ids.size()) + 0.5) * size}),
                  .density = density})
            .value());
  return ids;
}

TEST(Stack, APyramidStands) {
  World world(plain());
  add_floor(world);
  constexpr int base = 12;
  const auto ids = pyramid(world, base);
  run(world, 5);
  const auto settled = positions(world, ids);
  run(world, 5);
  EXPECT_LT(drift(world, ids, settled), 1e-3);
  EXPECT_NEAR(settled.back().z, base - 0.5, 0.02);
}

/// After they have settled, a millimetre in what remains of a minute.
TEST(Stack, APyramidOfBaseThirtyStandsForAMinute) {
  World world(plain());
  add_floor(world);
  const auto ids = pyramid(world, 30);
  run(world, 20);
  const auto settled = positions(world, ids);
  run(world, fewer_when_sanitized(40));
  EXPECT_LT(drift(world, ids, settled), 1e-3);
}

/// What is stiff enough for a metre lets towers of small cubes buckle: stiffness goes with the size.
TEST(Stack, TowersOfTwentyStandWhateverTheirSize) {
  for (const double size : {2.0, 0.5, 0.2, 0.1}) {
    SCOPED_TRACE(size);
    World world(plain());
    add_floor(world);
    const auto ids = column(world, std::vector<double>(20, 1000), size);
    run(world, 20);
    const auto settled = positions(world, ids);
    run(world, fewer_when_sanitized(40));
    EXPECT_LT(drift(world, ids, settled), 1e-3);
    EXPECT_NEAR(settled.back().z, 19.5 * size, 0.03 * size);
  }
}

/// Ten thousand times as heavy on top: it rests on it, for all that.
TEST(Stack, HoldsAnyLoadOnWhatIsLight) {
  for (const double ratio : {10.0, 100.0, 1000.0, 10000.0}) {
    SCOPED_TRACE(ratio);
    World world(plain());
    add_floor(world);
    const BodyId light =
        world.add({.shape = cube(), .pose = Pose::at({0, 0, 0.5}), .density = 1}).value();
    const BodyId heavy =
        world.add({.shape = cube(), .pose = Pose::at({0, 0, 1.5}), .density = ratio}).value();
    run(world, 10);
    EXPECT_NEAR(position(world, light).z, 0.5, 2.5e-3);
    EXPECT_NEAR(position(world, heavy).z, 1.5, 5e-3);
    EXPECT_LT(length(velocity(world, heavy)), 1e-4);
  }
}

/// A thousand times as heavy on a column of light ones, and light ones between heavy ones.
TEST(Stack, ColumnsOfLightOnesHoldAThousandTimesTheirMass) {
  std::vector<std::vector<double>> columns;
  for (const std::size_t light : {2U, 4U, 6U, 9U}) {
    columns.emplace_back(light, 1.0);
    columns.back().push_back(1000);
  }
  columns.push_back({1, 1000, 1, 1000, 1, 1000, 1, 1000});
  for (const std::vector<double>& densities : columns) {
    SCOPED_TRACE(densities.size());
    World world(plain());
    add_floor(world);
    const auto ids = column(world, densities);
    run(world, 15);
    const auto settled = positions(world, ids);
    run(world, 15);
    EXPECT_LT(drift(world, ids, settled), 1e-3);
    const double top = static_cast<double>(ids.size()) - 0.5;
    EXPECT_NEAR(settled.back().z, top, 0.002 * static_cast<double>(ids.size()));
  }
}

/// Something heavy comes down on light boxes, which lie as they like on a thin plate: whatever becomes of them, none is pressed through it.
TEST(Stack, NothingIsPressedThroughAPlate) {
  for (const double ratio : {100.0, 1000.0, 10000.0})
    for (const double height : {0.5, 5.0, 20.0}) {
      SCOPED_TRACE(testing::Message() << ratio << " : 1 from " << height << " m");
      World world(plain());
      Random random(7);
      (void)world
          .add({.shape = Shape::box({5000, 5000, 0.05}).value(),
                .pose = Pose::at({0, 0, -0.05}),
                .kind = BodyKind::fixed})
          .value();
      std::vector<BodyId> ids;
      for (int i = 0; i < 36; ++i) {
        const Vec3 cell{i % 3 - 1.0, i / 3 % 3 - 1.0, 0.5 + i / 9};
        ids.push_back(world
                          .add({.shape = Shape::box({0.25, 0.25, 0.25}).value(),
                                .pose = {random.rotation(), cell * 0.52},
                                .density = 1})
                          .value());
      }
      (void)world
          .add({.shape = cube(), .pose = Pose::at({0, 0, 2.7 + height}), .density = ratio / 8})
          .value();
      run(world, 5);
      for (const BodyId id : ids) EXPECT_GT(position(world, id).z, 0);
    }
}

/// A light box under one a thousand times as heavy, and then it is alone, high above: its own weight moves it as any other's.
TEST(Stack, WhatWasUnderALoadFallsAsEver) {
  World world(plain());
  add_floor(world);
  const BodyId light =
      world.add({.shape = cube(), .pose = Pose::at({0, 0, 0.5}), .density = 1}).value();
  const BodyId heavy =
      world.add({.shape = cube(), .pose = Pose::at({0, 0, 1.5}), .density = 1000}).value();
  run(world, 3);
  world.remove(heavy);
  ASSERT_TRUE(world.set_pose(light, Pose::at({0, 0, 10})));
  world.step(frame); // forgets
  const double speed = velocity(world, light).z;
  run(world, 0.5);
  EXPECT_NEAR(velocity(world, light).z - speed, -gravity * 0.5, 1e-3);
}

/// A hundred times as heavy on top.
TEST(Stack, HoldsHeavyOnLight) {
  World world(plain());
  add_floor(world);
  const BodyId light =
      world.add({.shape = cube(), .pose = Pose::at({0, 0, 0.5}), .density = 10}).value();
  const BodyId heavy =
      world.add({.shape = cube(), .pose = Pose::at({0, 0, 1.5}), .density = 1000}).value();
  run(world, 10);
  EXPECT_NEAR(position(world, light).z, 0.5, 0.02);
  EXPECT_NEAR(position(world, heavy).z, 1.5, 0.04);
}

/// What slides without friction over a flat floor of many pieces keeps its speed, its height and its direction.
void expect_smooth(World& world, const BodyDef& def, double seconds, double tolerance) {
  const BodyId a = world.add(def).value();
  run(world, 0.5);
  const double height = position(world, a).z;
  const Vec3 speed = velocity(world, a);
  const auto steps = static_cast<int>(seconds / frame);
  for (int i = 0; i < steps; ++i) {
    world.step(frame);
    ASSERT_NEAR(position(world, a).z, height, tolerance) << "step " << i;
    ASSERT_NEAR(velocity(world, a).x, speed.x, tolerance) << "step " << i;
    ASSERT_NEAR(velocity(world, a).z, 0, 20 * tolerance) << "step " << i;
  }
}

BodyDef slider(const Shape& shape, double half_height) {
  return {.shape = shape,
          .pose = Pose::at({-8, 0.13, half_height}),
          .material = {.friction = 0},
          .velocity = {5, 0.1, 0}};
}

TEST(Seams, ABoxSlidesOverTilesOfSeparateBodies) {
  World world(plain());
  for (int i = -10; i < 10; ++i)
    for (int k = -2; k < 2; ++k)
      world
          .add({.shape = Shape::box({0.5, 0.5, 0.5}).value(),
                .pose = Pose::at({i + 0.5, k + 0.5, -0.5}),
                .kind = BodyKind::fixed,
                .material = {.friction = 0}})
          .value();
  expect_smooth(world, slider(Shape::box({0.4, 0.3, 0.2}).value(), 0.2), 2.5, 1e-3);
}

/// A row of heavy tiles, flush with each other.
void add_tiles(World& world, BodyKind kind, const Vec3& velocity) {
  for (int i = -10; i < 10; ++i)
    world
        .add({.shape = Shape::box({0.5, 2, 0.5}).value(),
              .pose = Pose::at({i + 0.5, 0, -0.5}),
              .kind = kind,
              .density = 1e5,
              .material = {.friction = 0},
              .velocity = velocity})
        .value();
}

TEST(Seams, ABoxSlidesOverTilesThatMove) {
  // All at one speed, against it, so that it comes over as many.
  World world(plain());
  add_tiles(world, BodyKind::kinematic, {-1, 0, 0});
  expect_smooth(world, slider(Shape::box({0.4, 0.3, 0.2}).value(), 0.2), 1.5, 1e-3);
}

TEST(Seams, ABoxSlidesOverDynamicTiles) {
  World world(plain());
  world
      .add({.shape = Shape::box({20, 20, 1}).value(),
            .pose = Pose::at({0, 0, -2}),
            .kind = BodyKind::fixed,
            .material = {.friction = 1}})
      .value();
  add_tiles(world, BodyKind::dynamic, {});
  run(world, 1);
  expect_smooth(world, slider(Shape::box({0.4, 0.3, 0.2}).value(), 0.2), 2, 1.5e-3);
}

TEST(Seams, ABallRollsOverTilesOfSeparateBodies) {
  World world(plain());
  for (int i = -10; i < 10; ++i)
    world
        .add({.shape = Shape::box({0.5, 5, 0.5}).value(),
              .pose = Pose::at({i + 0.5, 0, -0.5}),
              .kind = BodyKind::fixed,
              .material = {.friction = 0}})
        .value();
  expect_smooth(world, slider(ball(0.3), 0.3), 2.5, 1e-3);
}

TEST(Seams, ABoxSlidesOverCoplanarTriangles) {
  World world(plain());
  const PolygonMesh grid = fanned(grid_mesh(40, 8, [](double u, double v) {
    return Vec3{20 * u - 10, 4 * v - 2, 0};
  }));
  world
      .add({.shape = Shape::mesh(grid).value(),
            .kind = BodyKind::fixed,
            .material = {.friction = 0}})
      .value();
  expect_smooth(world, slider(Shape::box({0.4, 0.3, 0.2}).value(), 0.2), 2.5, 1e-3);
}

TEST(Seams, AWallIsAWall) {
  World world(plain());
  add_floor(world, {.friction = 0});
  world.add({.shape = cube(), .pose = Pose::at({3, 0, 0.5}), .kind = BodyKind::fixed}).value();
  const BodyId a = world
                       .add({.shape = Shape::box({0.4, 0.3, 0.2}).value(),
                             .pose = Pose::at({0, 0, 0.2}),
                             .material = {.friction = 0},
                             .velocity = {5, 0, 0}})
                       .value();
  run(world, 2);
  EXPECT_NEAR(position(world, a).x, 2.1, 0.03); // it may part again by a hundredth of its speed
}

/// Seen along the normal of either rail, the other is not in the way. One of them holds the ball all the same: who was taken for a seam is nothing to rest on.
TEST(Seams, OneOfTwoNarrowRailsHolds) {
  World world(plain());
  for (const double x : {-0.02, 0.02})
    world
        .add({.shape = Shape::box({0.01, 2, 0.5}).value(),
              .pose = Pose::at({x, 0, -0.5}),
              .kind = BodyKind::fixed})
        .value();
  const BodyId a = world
                       .add({.shape = ball(0.5),
                             .pose = Pose::at({0, 0, 0.5}),
                             .locked = {.x = true, .y = true, .turn_x = true, .turn_y = true}})
                       .value();
  run(world, 1);
  EXPECT_NEAR(position(world, a).z, 0.5, 0.005);
}

TEST(Stack, MeshesAndCompoundsMayBeDynamic) {
  World world(plain());
  add_floor(world);
  const Shape block = Shape::mesh(cube_mesh(1)).value(); // [0, 1]^3
  const CompoundPart halves[] = {
      {Shape::box({0.25, 0.5, 0.5}).value(), Pose::at({0.25, 0.5, 0.5})},
      {Shape::box({0.25, 0.5, 0.5}).value(), Pose::at({0.75, 0.5, 0.5})}};
  const Shape pair = Shape::compound(halves).value();
  const Shape shapes[] = {block, pair, block, pair, pair, block};
  std::vector<BodyId> ids;
  for (int i = 0; i < 6; ++i)
    ids.push_back(world
                      .add({.shape = shapes[static_cast<std::size_t>(i)],
                            .pose = Pose::at({0.1 * (i % 2), 0.05 * (i % 3), 1.0 * i})})
                      .value());
  run(world, 5);
  const auto settled = positions(world, ids);
  for (std::size_t i = 0; i < ids.size(); ++i)
    EXPECT_NEAR(settled[i].z, static_cast<double>(i), 0.01) << i;
  run(world, 5);
  EXPECT_LT(drift(world, ids, settled), 1e-3);
}

} // namespace
} // namespace carom::test
