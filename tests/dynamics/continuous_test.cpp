// Nothing passes through anything, however fast it moves or spins; and what rests pays nothing for it.
#include "carom/shape/composite.h"
#include "carom/shape/support.h"
#include "tests/dynamics/busy_scene.h"

#include <algorithm>
#include <vector>

namespace carom::test {
namespace {

constexpr double thin = 0.0005; // half the thickness of a plate

/// A plate at any angle, far wider than anything flies, and its upper side's normal.
struct Plate {
  Pose pose;
  Vec3 normal;
};
Plate add_plate(World& world, Random& random, const Material& material = {}) {
  const Quat turn = random.rotation();
  const Vec3 at = random.in_box({3, 3, 3});
  const Plate plate{{turn, at}, to_matrix(turn) * Vec3{0, 0, 1}};
  (void)world
      .add({.shape = Shape::box({300, 300, thin}).value(),
            .pose = plate.pose,
            .kind = BodyKind::fixed,
            .material = material})
      .value();
  return plate;
}

/// How high the body's lowest point is above the middle of the plate.
double lowest(const World& world, BodyId id, const Plate& plate) {
  const Body& body = world.bodies()[id.slot];
  double least = INFINITY;
  for (const std::uint32_t i : body.shapes) {
    const PlacedShape& s = world.bodies().shape(i);
    const Vec3 down = transpose_mul(to_matrix(s.world.rotation), -plate.normal);
    Vec3 far = support_point(s.def.shape, down);
    if (const Compound* c = body_of<Compound>(s.def.shape)) {
      double best = -INFINITY;
      for (const CompoundPart& p : c->parts()) {
        const Vec3 d = transpose_mul(to_matrix(p.pose.rotation), down);
        const Vec3 x = to_matrix(p.pose.rotation) * support_point(p.shape, d) + p.pose.position;
        if (dot(x, down) > best) far = x;
        best = std::max(best, dot(x, down));
      }
    }
    least = std::min(least, dot(s.world.frame().to_world(far) - plate.pose.position, plate.normal));
  }
  return least;
}

double energy_of(const World& world, BodyId id) {
  const BodyInfo b = *world.body(id);
  return energy(b) - b.mass * dot(world.options().gravity, b.center);
}

/// Steps, and says how deep the body ever was below the plate's middle; and that it never had more energy than at first, but for what roundings and overlaps make of it, and what the energy of a free spin of 800 radians a second oscillates by.
double deepest(World& world, BodyId id, const Plate& plate, int steps) {
  double depth = 0;
  const double before = energy_of(world, id);
  for (int i = 0; i < steps; ++i) {
    world.step(frame);
    depth = std::max(depth, -lowest(world, id, plate));
    const Vec3 center = world.body(id)->center;
    EXPECT_GT(dot(center - plate.pose.position, plate.normal), 0) << "step " << i;
    EXPECT_LT(energy_of(world, id),
              before + 0.02 * energy(*world.body(id)) + 0.01 * std::fabs(before))
        << "step " << i;
    if (::testing::Test::HasFailure()) break;
  }
  return depth;
}

TEST(Continuous, ABallAt300NeverPassesAPlate) {
  double depth = 0;
  for (std::uint64_t seed = 1; seed <= fewer_when_sanitized(300) && !HasFailure(); ++seed) {
    Random random(seed);
    World world(plain(random.in_box({10, 10, 10})));
    const double e = random.uniform(0, 1);
    const Plate plate = add_plate(world, random, {.restitution = e});
    const double r = random.uniform(0.02, 0.5);
    const Vec3 up = plate.normal;
    Vec3 way = random.direction();
    if (dot(way, up) > 0) way = -way;
    const double height = r + random.uniform(0.01, 20);
    const BodyId id = world
                          .add({.shape = ball(r),
                                .pose = Pose::at(plate.pose.position + up * height),
                                .velocity = way * 300,
                                .angular_velocity = random.in_box({50, 50, 50})})
                          .value();
    depth = std::max(depth, deepest(world, id, plate, 30) / r);
    EXPECT_FALSE(HasFailure()) << "seed " << seed;
  }
  EXPECT_LT(depth, 0.05);
}

TEST(Continuous, ABarSpinningAt100NeverPassesAPlate) {
  double depth = 0;
  for (std::uint64_t seed = 1; seed <= fewer_when_sanitized(300) && !HasFailure(); ++seed) {
    Random random(seed);
    World world(plain());
    const Plate plate = add_plate(world, random, {.restitution = random.uniform(0, 0.5)});
    world.set_gravity(plate.normal * -gravity);
    const Shape bars[] = {Shape::box({1, 0.04, 0.02}).value(),
                          Shape::capsule({-1, 0, 0}, {1, 0, 0}, 0.03).value(),
                          Shape::cylinder(1, 0.03).value()};
    const double height = random.uniform(1.1, 3);
    const BodyId id =
        world
            .add({.shape = bars[seed % 3],
                  .pose = {random.rotation(), plate.pose.position + plate.normal * height},
                  .velocity = random.in_box({5, 5, 5}) - plate.normal * 5,
                  .angular_velocity = random.direction() * 100})
            .value();
    depth = std::max(depth, deepest(world, id, plate, 60));
    EXPECT_FALSE(HasFailure()) << "seed " << seed;
  }
  EXPECT_LT(
      depth,
      0.06); // of the ends, for a step or two: the bar is 4 to 6 cm thick, and its middle never passes
}

/// All kinds of bodies into a corner of a mesh, a height field and a compound of thin boxes.
Shape mesh_corner() {
  PolygonMesh mesh; // three large squares that meet at the origin
  const double l = 100;
  mesh.vertices = {{0, 0, 0}, {l, 0, 0}, {0, l, 0}, {0, 0, l}, {l, l, 0}, {0, l, l}, {l, 0, l}};
  for (const auto& f :
       std::vector<std::vector<std::uint32_t>>{{0, 1, 4, 2}, {0, 2, 5, 3}, {0, 3, 6, 1}})
    mesh.add_face(f);
  return Shape::mesh(mesh).value();
}

std::vector<Shape> many_shapes(Random& random) {
  return {ball(0.2),
          cube(0.2),
          rock(random, 0.3),
          dumbbell(),
          dented_mesh(0.3),
          Shape::capsule({-0.5, 0, 0}, {0.5, 0, 0}, 0.05).value(),
          Shape::box({0.4, 0.4, 0.005}).value(),
          Shape::cone(0.5, 0.2).value(),
          Shape::ellipsoid({0.3, 0.2, 0.1}).value()};
}

TEST(Continuous, NothingLeavesTheCornerOfAMesh) {
  const Shape corner = mesh_corner();
  for (std::uint64_t seed = 1; seed <= fewer_when_sanitized(90) && !HasFailure(); ++seed) {
    Random random(seed);
    World world(plain({-5, -5, -5}));
    (void)world.add({.shape = corner, .kind = BodyKind::fixed}).value();
    const std::vector<Shape> shapes = many_shapes(random);
    const Vec3 start = random.in_box({4, 4, 4}) + Vec3{6, 6, 6};
    const Vec3 aim = random.in_box({1, 1, 1}) + Vec3{1, 1, 1};
    const BodyId id = world
                          .add({.shape = shapes[seed % shapes.size()],
                                .pose = {random.rotation(), start},
                                .velocity = normalized(aim - start) * random.uniform(50, 300),
                                .angular_velocity = random.in_box({100, 100, 100})})
                          .value();
    for (int i = 0; i < 40; ++i) {
      world.step(frame);
      const Vec3 c = world.body(id)->center;
      EXPECT_GT(std::min({c.x, c.y, c.z}), 0) << "seed " << seed << " step " << i;
      if (HasFailure()) break;
    }
  }
}

TEST(Continuous, NothingFallsThroughAHeightField) {
  const Shape ground = hills(20);
  for (std::uint64_t seed = 1; seed <= fewer_when_sanitized(90) && !HasFailure(); ++seed) {
    Random random(seed);
    World world(plain());
    (void)world.add({.shape = ground, .kind = BodyKind::fixed}).value();
    const std::vector<Shape> shapes = many_shapes(random);
    const Vec3 start = random.in_box({4, 4, 1}) + Vec3{0, 0, 5};
    const Vec3 aside = random.in_box({30, 30, 0});
    const BodyId id = world
                          .add({.shape = shapes[seed % shapes.size()],
                                .pose = {random.rotation(), start},
                                .velocity = Vec3{0, 0, -random.uniform(50, 300)} + aside,
                                .angular_velocity = random.in_box({60, 60, 60})})
                          .value();
    for (int i = 0; i < 30; ++i) {
      world.step(frame);
      const Vec3 c = world.body(id)->center;
      if (std::fabs(c.x) > 19 || std::fabs(c.y) > 19) break; // off the field
      EXPECT_GT(c.z, -0.7) << "seed " << seed << " step " << i;
      if (HasFailure()) break;
    }
  }
}

/// Two bodies that fly at each other, of which one or both ask for it. Without, they pass.
TEST(Continuous, TwoFastBodiesMeet) {
  int passed_without = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    for (const int flags : {0, 1, 2, 3}) {
      Random random(seed);
      World world(plain({}));
      const std::vector<Shape> shapes = many_shapes(random);
      const Vec3 way = random.direction();
      const Vec3 at = random.in_box({1, 1, 1});
      const double speed = random.uniform(100, 300);
      const BodyId a = world
                           .add({.shape = ball(0.2),
                                 .pose = Pose::at(at - way * 4),
                                 .velocity = way * speed,
                                 .continuous = (flags & 1) != 0})
                           .value();
      const BodyId b = world
                           .add({.shape = shapes[seed % shapes.size()],
                                 .pose = {random.rotation(), at + way * 4},
                                 .velocity = way * -speed,
                                 .angular_velocity = random.in_box({20, 20, 20}),
                                 .continuous = (flags & 2) != 0})
                           .value();
      bool through = false; // one has come to the other's far side, not around it
      for (int i = 0; i < 10; ++i) {
        world.step(frame);
        const Vec3 between = world.body(b)->center - world.body(a)->center;
        const double ahead = dot(between, way);
        through = through || (ahead < -0.1 && length(between - way * ahead) < 0.1);
      }
      const bool passed = through || length(velocity(world, a) - way * speed) < 1e-3;
      if (flags == 0)
        passed_without += passed ? 1 : 0;
      else
        EXPECT_FALSE(passed) << "seed " << seed << " flags " << flags;
    }
  }
  EXPECT_GT(passed_without, 20);
}

/// A bar that turns by 1.7 radians a step, its centre at rest, and a marble in its way: nothing but rotation brings them together.
TEST(Continuous, ASpinningBarMeetsAMarble) {
  int passed_without = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    for (const bool continuous : {false, true}) {
      Random random(seed);
      World world(plain({}));
      const double at = random.uniform(0.3, 1.4), r = random.uniform(0.4, 0.95);
      const BodyId bar = world
                             .add({.shape = Shape::box({1, 0.03, 0.02}).value(),
                                   .angular_velocity = {0, 0, 100},
                                   .continuous = continuous})
                             .value();
      const BodyId marble = world
                                .add({.shape = ball(0.03),
                                      .pose = Pose::at({r * std::cos(at), r * std::sin(at), 0}),
                                      .continuous = continuous && seed % 2 == 0})
                                .value();
      bool behind = false; // the half of the bar that hit it
      for (int i = 0; i < 3; ++i) {
        world.step(frame);
        const Vec3 seen = world.pose(bar)->frame().to_local(position(world, marble));
        behind = behind || (seen.x > 0 && seen.x < 1 && seen.y < 0);
      }
      const bool passed = behind || length(velocity(world, marble)) < 1;
      if (!continuous)
        passed_without += passed ? 1 : 0;
      else
        EXPECT_FALSE(passed) << "seed " << seed;
    }
  EXPECT_GT(passed_without, 5);
}

/// It is the sensor that is fast: it tells of who rests in its way, awake or asleep.
TEST(Continuous, AFastSensorTellsOfThoseThatRest) {
  for (const bool awake : {true, false}) {
    WorldOptions options;
    options.gravity = {};
    options.sleep.enabled = !awake;
    World world(options);
    const BodyId body = world.add({.shape = cube(0.1), .awake = awake}).value();
    const BodyId sensor = world
                              .add({.shape = ball(0.1),
                                    .pose = Pose::at({-10.4, 0, 0}),
                                    .kind = BodyKind::kinematic,
                                    .sensor = true,
                                    .velocity = {100, 0, 0}})
                              .value();
    int begins = 0, ends = 0;
    for (int i = 0; i < 20; ++i) {
      world.step(frame);
      for (const SensorEvent& e : world.events().sensors) {
        EXPECT_TRUE(e.sensor == sensor && e.visitor == body);
        ++(e.kind == EventKind::begin ? begins : ends);
      }
    }
    EXPECT_EQ(begins, 1) << awake;
    EXPECT_EQ(ends, 1) << awake;
    EXPECT_EQ(world.body(body)->awake, awake);
  }
}

/// Each end comes by once in half a turn: about 32 times a second.
TEST(Continuous, ASpinningBarTellsTheSensorItPasses) {
  World world(plain({}));
  const BodyId gate = world
                          .add({.shape = ball(0.02),
                                .pose = Pose::at({0.6, 0.5, 0}),
                                .kind = BodyKind::fixed,
                                .sensor = true})
                          .value();
  (void)world.add({.shape = Shape::box({1, 0.03, 0.02}).value(), .angular_velocity = {0, 0, 100}});
  int begins = 0, ends = 0;
  for (int i = 0; i < 60; ++i) {
    world.step(frame);
    for (const SensorEvent& e : world.events().sensors) {
      EXPECT_TRUE(e.sensor == gate);
      (e.kind == EventKind::begin ? begins : ends) += 1;
    }
  }
  EXPECT_NEAR(begins, 32, 1);
  EXPECT_NEAR(ends, begins, 1);
}

TEST(Continuous, AFastBodyTellsTheSensorsItPasses) {
  for (const bool moving_sensor : {false, true}) {
    World world(plain({}));
    const BodyId gate = world
                            .add({.shape = Shape::box({2, 2, 0.01}).value(),
                                  .kind = moving_sensor ? BodyKind::kinematic : BodyKind::fixed,
                                  .sensor = true,
                                  .velocity = {0, 0, 0.1}})
                            .value();
    const BodyId a =
        world.add({.shape = ball(0.1), .pose = Pose::at({0, 0, 7.3}), .velocity = {0, 0, -300}})
            .value();
    std::vector<EventKind> seen;
    for (int i = 0; i < 10; ++i) {
      world.step(frame);
      for (const SensorEvent& e : world.events().sensors) {
        EXPECT_TRUE(e.sensor == gate && e.visitor == a);
        seen.push_back(e.kind);
      }
    }
    EXPECT_EQ(seen, (std::vector{EventKind::begin, EventKind::end})) << moving_sensor;
    EXPECT_LT(position(world, a).z, -20); // it was not stopped
  }
}

/// A million turns in a step: followed turn by turn, it took minutes.
TEST(Continuous, ATopAtAnySpeedIsSoonFollowed) {
  World world(plain({}));
  (void)world.add(
      {.shape = ball(0.02), .pose = Pose::at({0, 0, 1}), .kind = BodyKind::fixed, .sensor = true});
  const BodyId top = world
                         .add({.shape = dumbbell(),
                               .kind = BodyKind::kinematic,
                               .velocity = {0, 0, 9},
                               .angular_velocity = {1e7, 9e7, 3e7}})
                         .value();
  for (int i = 0; i < 20; ++i) world.step(frame);
  EXPECT_TRUE(is_finite(position(world, top)));
}

/// Wherever it begins: one enter, one leave.
TEST(Continuous, EachPassOfASensorIsToldOnce) {
  for (int k = 0; k < 200; ++k) {
    World world(plain({}));
    (void)world
        .add({.shape = Shape::box({2, 2, 0.7}).value(), .kind = BodyKind::fixed, .sensor = true})
        .value();
    (void)world
        .add({.shape = ball(0.1), .pose = Pose::at({0, 0, 5 + 0.02 * k}), .velocity = {0, 0, -100}})
        .value();
    std::vector<EventKind> seen;
    for (int i = 0; i < 15; ++i) {
      world.step(frame);
      for (const SensorEvent& e : world.events().sensors) seen.push_back(e.kind);
    }
    EXPECT_EQ(seen, (std::vector{EventKind::begin, EventKind::end})) << k;
  }
}

TEST(Continuous, AThinPlateFallsEdgeOn) {
  for (std::uint64_t seed = 1; seed <= 60 && !HasFailure(); ++seed) {
    Random random(seed);
    World world(plain());
    (void)world.add({.shape = Shape::box({300, 300, thin}).value(), .kind = BodyKind::fixed})
        .value();
    const double angle = random.uniform(-0.02, 0.02) + (seed % 2 == 0 ? 0 : 0.5);
    const BodyId id = world
                          .add({.shape = Shape::box({0.3, thin, 0.5}).value(),
                                .pose = {Quat::from_axis_angle({1, 0, 0}, angle), {0, 0, 5}},
                                .velocity = {0, 0, -random.uniform(1, 100)}})
                          .value();
    double low = 0;
    for (int i = 0; i < 180; ++i) {
      world.step(frame);
      low = std::min(low, lowest(world, id, {{}, {0, 0, 1}}));
      EXPECT_GT(world.body(id)->center.z, 0) << "seed " << seed << " step " << i;
      if (HasFailure()) break;
    }
    EXPECT_GT(low, -0.02) << "seed " << seed;
  }
}

/// Between two plates that close: something must give, but nothing goes wild.
TEST(Continuous, ASqueezedBodyStaysWhereItIs) {
  World world(plain({}));
  for (const double side : {-1.0, 1.0})
    (void)world
        .add({.shape = Shape::box({2, 2, 0.05}).value(),
              .pose = Pose::at({0, 0, side * 1.5}),
              .kind = BodyKind::kinematic,
              .velocity = {0, 0, -side * 1.0}})
        .value();
  const BodyId id = world.add({.shape = cube(0.5)}).value();
  for (int i = 0; i < 120; ++i) {
    world.step(frame);
    ASSERT_LT(length(velocity(world, id)), 10) << i;
    ASSERT_LT(length(position(world, id)), 3) << i;
  }
}

/// A bat that sweeps past a ball within one step takes it along, also one that sleeps.
TEST(Continuous, AFastKinematicBodyDoesNotPassThrough) {
  for (const bool awake : {true, false}) {
    World world(plain({}));
    (void)world
        .add({.shape = Shape::box({0.05, 2, 2}).value(),
              .pose = Pose::at({-5, 0, 0}),
              .kind = BodyKind::kinematic,
              .velocity = {200, 0, 0}})
        .value();
    const BodyId id = world.add({.shape = ball(0.1), .awake = awake}).value();
    for (int i = 0; i < 10; ++i) world.step(frame);
    const double bat = -5 + 200 * frame * 10;
    EXPECT_GT(position(world, id).x, bat + 0.1) << awake;
    EXPECT_GT(velocity(world, id).x, 199) << awake;
  }
}

/// What flies by close is not touched: contacts made ahead of time are no bumps.
TEST(Continuous, NoGhostBumps) {
  for (int k = 0; k < 100; ++k) {
    World world(plain({}));
    (void)world.add({.shape = cube(0.5), .kind = BodyKind::fixed}).value();
    const Vec3 v = Vec3{1, 0, 0.1} * (10.0 + 2 * k);
    // Past the upper left edge with a clearance of 5 cm, the nearest point of the way being right over it.
    const Vec3 across = normalized(Vec3{-0.1, 0, 1});
    const Vec3 nearest = Vec3{-0.5, 0, 0.5} + across * 0.55;
    const BodyId id =
        world.add({.shape = ball(0.5), .pose = Pose::at(nearest - v * (0.013 * k)), .velocity = v})
            .value();
    for (int i = 0; i < 60; ++i) world.step(frame);
    EXPECT_NEAR(length(velocity(world, id) - v), 0, 1e-3 * length(v)) << k;
  }
}

/// A puck at 100 m/s over a floor of tiles, and over a mesh: no seam stops it.
TEST(Continuous, AFastSliderIsNotHeldBySeams) {
  World world(plain());
  for (int i = 0; i < 60; ++i)
    (void)world
        .add({.shape = Shape::box({1, 5, 0.5}).value(),
              .pose = Pose::at({2.0 * i, 0, -0.5}),
              .kind = BodyKind::fixed,
              .material = {.friction = 0}})
        .value();
  const BodyId id = world
                        .add({.shape = Shape::box({0.3, 0.3, 0.1}).value(),
                              .pose = Pose::at({0, 0, 0.1}),
                              .material = {.friction = 0}})
                        .value();
  run(world, 0.5);
  ASSERT_TRUE(world.set_velocity(id, {100, 0, 0}, {}));
  const double before = position(world, id).x;
  run(world, 1);
  EXPECT_NEAR(position(world, id).x - before, 100, 0.1);
  EXPECT_NEAR(velocity(world, id).x, 100, 0.05);
}

TEST(Continuous, WhatRestsPaysNothing) {
  World world(plain());
  add_floor(world);
  for (int i = 0; i < 30; ++i)
    (void)world
        .add({.shape = i % 3 == 0   ? dented_mesh(0.4)
                       : i % 3 == 1 ? cube(0.4)
                                    : ball(0.4),
              .pose = Pose::at({i % 6 * 1.0, i / 6 * 1.0, 0.4}),
              .continuous = i % 2 == 0})
        .value();
  run(world, 2);
  for (int i = 0; i < 60; ++i) {
    world.step(frame);
    EXPECT_EQ(world.impact_queries(), 0u);
  }
}

} // namespace
} // namespace carom::test
