// Whatever slides over a floor of several pieces, whatever they are, is not caught where they meet; and what is in the way, is.
#include "tests/dynamics/scenes.h"

#include "carom/shape/compound.h"
#include "carom/shape/height_field.h"
#include "carom/shape/support.h"
#include "carom/shape/triangle_mesh.h"
#include "tests/support/procedural_meshes.h"

#include <functional>
#include <numbers>
#include <string>

namespace carom::test {
namespace {

struct Slider {
  std::string name;
  Shape shape;
};

Shape closed_mesh() {
  PolygonMesh mesh = cube_mesh(0.4);
  for (Vec3& v : mesh.vertices) v -= Vec3{0.2, 0.2, 0.2};
  return Shape::mesh(fanned(mesh)).value();
}

Shape two_cubes() {
  const CompoundPart parts[] = {{cube(0.2), Pose::at({-0.3, 0, 0})},
                                {cube(0.2), Pose::at({0.3, 0, 0})}};
  return Shape::compound(parts).value();
}

std::vector<Slider> sliders() {
  const std::vector<Vec3> wedge{{-0.4, -0.3, -0.2}, {0.4, -0.3, -0.2}, {-0.4, 0.3, -0.2},
                                {0.4, 0.3, -0.2},   {-0.3, 0, 0.2},    {0.3, 0, 0.2}};
  return {{"box", Shape::box({0.4, 0.3, 0.2}).value()},
          {"ball", ball(0.3)},
          {"capsule", Shape::capsule({-0.3, 0, 0}, {0.3, 0, 0}, 0.2).value()},
          {"cylinder", Shape::cylinder(0.2, 0.3).value()},
          {"cone", Shape::cone(0.5, 0.3).value()},
          {"hull", Shape::hull(wedge).value()},
          {"rounded box", Shape::box({0.3, 0.2, 0.1}).value().rounded(0.1).value()},
          {"compound", two_cubes()},
          {"closed mesh", closed_mesh()}};
}

void add_fixed(World& world, const Shape& shape, double friction, const Vec3& at = {}) {
  (void)world
      .add({.shape = shape,
            .pose = Pose::at(at),
            .kind = BodyKind::fixed,
            .material = {.friction = friction}})
      .value();
}

Shape flat_mesh(double from, double to) {
  return Shape::mesh(fanned(grid_mesh(6, 12,
                                      [&](double u, double v) {
                                        return Vec3{from + (to - from) * u, 6 * v - 3, 0};
                                      })),
                     {.body = MeshOptions::Body::surface})
      .value();
}

/// Flat over [0, 2] x [0, 6].
Shape flat_field() {
  const std::vector<float> heights(9 * std::size_t{25}, 0.0F);
  HeightFieldInput input;
  input.columns = 9;
  input.rows = 25;
  input.spacing_x = input.spacing_y = 0.25;
  input.samples = heights;
  return Shape::height_field(input).value();
}

struct Floor {
  std::string name;
  /// The top is z = 0, over [-4, 4] x [-3, 3]; what is beyond x = 2 is higher by the step.
  std::function<void(World&, double friction, double step)> add;
};

Vec3 tile(int i, int k, double step) { return {i + 0.5, k + 0.5, (i >= 2 ? step : 0) - 0.5}; }

std::vector<Floor> floors() {
  return {{"mesh chunks",
           [](World& world, double friction, double step) {
             for (int i = -2; i < 2; ++i)
               add_fixed(world, flat_mesh(2 * i, 2 * i + 2), friction, {0, 0, i >= 1 ? step : 0});
             // The face of the step.
             if (step > 0)
               add_fixed(world,
                         Shape::mesh(fanned(grid_mesh(2, 12,
                                                      [&](double u, double v) {
                                                        return Vec3{2, 6 * v - 3, step * u};
                                                      })),
                                     {.body = MeshOptions::Body::surface})
                             .value(),
                         friction);
           }},
          {"height field chunks and a box",
           [](World& world, double friction, double step) {
             for (int i = -2; i < 1; ++i)
               add_fixed(world, flat_field(), friction, {2.0 * i, -3, 0});
             add_fixed(world, Shape::box({1, 3, 0.5}).value(), friction, {3, 0, step - 0.5});
           }},
          {"tiles",
           [](World& world, double friction, double step) {
             for (int i = -4; i < 4; ++i)
               for (int k = -3; k < 3; ++k) add_fixed(world, cube(), friction, tile(i, k, step));
           }},
          {"kinematic tiles",
           [](World& world, double friction, double step) {
             for (int i = -4; i < 4; ++i)
               for (int k = -3; k < 3; ++k)
                 (void)world.add({.shape = cube(),
                                  .pose = Pose::at(tile(i, k, step)),
                                  .kind = BodyKind::kinematic,
                                  .material = {.friction = friction}});
           }},
          {"staggered tiles",
           [](World& world, double friction, double step) {
             for (int i = -5; i < 5; ++i)
               for (int k = -6; k < 6; ++k)
                 add_fixed(world, cube(), friction,
                           {i + 0.5 + (k % 2 == 0 ? 0 : 0.4), 0.35 * k + 0.175,
                            (i >= 2 ? step : 0) - 0.5});
           }},
          {"many shapes of one body",
           [](World& world, double friction, double step) {
             BodyDef def{.kind = BodyKind::fixed};
             for (int i = -4; i < 4; ++i)
               for (int k = -3; k < 3; ++k)
                 def.shapes.push_back({.shape = cube(),
                                       .pose = Pose::at(tile(i, k, step)),
                                       .material = {.friction = friction}});
             (void)world.add(def).value();
           }},
          {"compounds",
           [](World& world, double friction, double step) {
             for (int i = -4; i < 4; i += 2) {
               std::vector<CompoundPart> parts;
               for (int k = -3; k < 3; ++k) {
                 parts.push_back({cube(), Pose::at(tile(i, k, step))});
                 parts.push_back({cube(), Pose::at(tile(i + 1, k, step))});
               }
               add_fixed(world, Shape::compound(parts).value(), friction);
             }
           }},
          {"a closed mesh, and others beside it", [](World& world, double friction, double step) {
             for (int i = -2; i < 2; ++i) {
               PolygonMesh mesh = cube_mesh(2);
               for (Vec3& v : mesh.vertices) {
                 v.y = 3 * (v.y - 1);
                 v.z -= 2;
               }
               add_fixed(world, Shape::mesh(fanned(mesh)).value(), friction,
                         {2.0 * i, 0, i >= 1 ? step : 0});
             }
           }}};
}

/// At rest on the floor, with a speed of 5 m/s along x.
BodyId add_slider(World& world, const Shape& shape, double friction, double yaw,
                  bool upright = false) {
  const double up = -bounds(shape).min.z;
  return world
      .add({.shape = shape,
            .pose = {Quat::from_axis_angle({0, 0, 1}, yaw), {-3.3, 0.13, up}},
            .material = {.friction = friction},
            .velocity = {5, 0.1, 0},
            .locked = {.turn_x = upright, .turn_y = upright}})
      .value();
}

constexpr double yaws[] = {0, std::numbers::pi / 6};

TEST(Seams, NothingIsCaughtByAnyFloor) {
  for (const Floor& floor : floors()) {
    for (const Slider& slider : sliders()) {
      for (const double yaw : yaws) {
        SCOPED_TRACE(slider.name + " on " + floor.name + ", yaw " + std::to_string(yaw));
        World world(plain());
        floor.add(world, 0, 0);
        const BodyId id = add_slider(world, slider.shape, 0, yaw);
        const double height = position(world, id).z;
        for (int i = 0; i < 72; ++i) {
          world.step(frame);
          ASSERT_NEAR(velocity(world, id).x, 5, 0.01) << "step " << i;
          ASSERT_NEAR(position(world, id).z, height, 2e-3) << "step " << i;
          ASSERT_LT(length(world.body(id)->angular_velocity), 0.2) << "step " << i;
        }
      }
    }
  }
}

/// Friction brakes by its share of gravity, and nothing else does.
TEST(Seams, NothingIsCaughtByAnyFloorWithFriction) {
  constexpr double friction = 0.5;
  for (const Floor& floor : floors()) {
    for (const Slider& slider : sliders()) {
      for (const double yaw : yaws) {
        SCOPED_TRACE(slider.name + " on " + floor.name + ", yaw " + std::to_string(yaw));
        World world(plain());
        floor.add(world, friction, 0);
        const BodyId id = add_slider(world, slider.shape, friction, yaw, true);
        const double height = position(world, id).z;
        for (int i = 0; i < 48; ++i) {
          const double before = velocity(world, id).x;
          world.step(frame);
          ASSERT_LT(before - velocity(world, id).x, 1.5 * friction * gravity * frame) << i;
          ASSERT_NEAR(position(world, id).z, height, 2e-3) << "step " << i;
        }
      }
    }
  }
}

/// Tiles that could be moved, but for their weight. They rest on a slab and yield to that by a tenth of a millimetre, each by its own.
TEST(Seams, NothingIsCaughtByHeavyTiles) {
  for (const Slider& slider : sliders()) {
    for (const double yaw : yaws) {
      SCOPED_TRACE(slider.name + ", yaw " + std::to_string(yaw));
      World world(plain());
      add_fixed(world, Shape::box({6, 6, 0.5}).value(), 1, {0, 0, -1.5});
      for (int i = -4; i < 4; ++i)
        for (int k = -3; k < 3; ++k)
          (void)world.add({.shape = cube(),
                           .pose = Pose::at(tile(i, k, 0)),
                           .density = 20000,
                           .material = {.friction = 0}});
      run(world, 0.5);
      const BodyId id = add_slider(world, slider.shape, 0, yaw);
      const double height = position(world, id).z;
      for (int i = 0; i < 72; ++i) {
        world.step(frame);
        ASSERT_NEAR(velocity(world, id).x, 5, 0.05) << "step " << i;
        ASSERT_NEAR(position(world, id).z, height, 4e-3) << "step " << i;
      }
    }
  }
}

/// With friction, and free to turn: it rolls on as fast as it came.
TEST(Seams, ABallRollsOverAnyFloorWithFriction) {
  for (const Floor& floor : floors()) {
    SCOPED_TRACE(floor.name);
    World world(plain());
    floor.add(world, 0.5, 0);
    const BodyId id = world
                          .add({.shape = ball(0.3),
                                .pose = Pose::at({-3.3, 0.13, 0.3}),
                                .material = {.friction = 0.5},
                                .velocity = {5, 0, 0},
                                .angular_velocity = {0, 5 / 0.3, 0}})
                          .value();
    for (int i = 0; i < 72; ++i) {
      world.step(frame);
      ASSERT_NEAR(velocity(world, id).x, 5, 0.02) << "step " << i;
      ASSERT_NEAR(world.body(id)->angular_velocity.y, 5 / 0.3, 0.1) << "step " << i;
      ASSERT_NEAR(position(world, id).z, 0.3, 2e-3) << "step " << i;
    }
  }
}

/// 5 cm are a step. What is round may jump over it; what has a flat front, and cannot tip over, stops.
TEST(Seams, AStepIsAStep) {
  for (const Floor& floor : floors()) {
    for (const Slider& slider : sliders()) {
      for (const double yaw : yaws) {
        SCOPED_TRACE(slider.name + " on " + floor.name + ", yaw " + std::to_string(yaw));
        World world(plain());
        floor.add(world, 0, 0.05);
        const BodyId id = add_slider(world, slider.shape, 0, yaw, true);
        run(world, 1.5);
        EXPECT_LT(velocity(world, id).x, 4.9);
        const bool flat = slider.name == "box" || slider.name == "cylinder" ||
                          slider.name == "compound" || slider.name == "closed mesh";
        EXPECT_LT(position(world, id).x, flat ? 2 : 20);
      }
    }
  }
}

/// Of each kind, across the tiles: also what touches it with its rim only, at the height of the floor.
TEST(Seams, AWallBesideTilesIsAWall) {
  const PolygonMesh plane = fanned(grid_mesh(4, 2, [](double u, double v) {
    return Vec3{8 * u - 4, 1, 2 * v};
  }));
  const Shape walls[] = {Shape::mesh(plane, {.body = MeshOptions::Body::surface}).value(),
                         Shape::box({4, 0.5, 1}).value()};
  const Vec3 places[] = {{}, {0, 1.5, 1}};
  for (const Floor& floor : floors()) {
    for (const Slider& slider : sliders()) {
      for (std::size_t k = 0; k < 2; ++k) {
        SCOPED_TRACE(slider.name + " on " + floor.name + ", wall " + std::to_string(k));
        World world(plain());
        floor.add(world, 0, 0);
        add_fixed(world, walls[k], 0, places[k]);
        const double up = -bounds(slider.shape).min.z;
        const BodyId id = world
                              .add({.shape = slider.shape,
                                    .pose = Pose::at({-1.2, 0, up}),
                                    .material = {.friction = 0},
                                    .velocity = {1, 4, 0}})
                              .value();
        for (int i = 0; i < 60; ++i) {
          world.step(frame);
          const Pose pose = world.pose(id).value();
          ASSERT_LT(bounds(slider.shape, pose).max.y, 1.1) << "step " << i;
        }
        EXPECT_LT(velocity(world, id).y, 0.1);
      }
    }
  }
}

/// What reaches down beside a table, of two that stand side by side, is held by its side.
TEST(Seams, AHookHoldsAtTheEdge) {
  const CompoundPart parts[] = {{Shape::box({0.5, 0.2, 0.1}).value(), Pose::at({0, 0, 0.1})},
                                {Shape::box({0.1, 0.2, 0.4}).value(), Pose::at({0.4, 0, -0.2})}};
  World world(plain());
  for (const double y : {-1.0, 1.0})
    add_fixed(world, Shape::box({1, 1, 0.5}).value(), 0, {-0.9, y, -0.5});
  const BodyId id = world
                        .add({.shape = Shape::compound(parts).value(),
                              .pose = Pose::at({-0.1, 0.05, 0}),
                              .material = {.friction = 0},
                              .velocity = {-1, 0.3, 0},
                              .locked = {.turn_x = true, .turn_y = true, .turn_z = true}})
                        .value();
  const double center = position(world, id).x;
  run(world, 1);
  EXPECT_NEAR(position(world, id).x, center - 0.1, 0.02);
}

} // namespace
} // namespace carom::test
