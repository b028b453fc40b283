// The classic solvers on scenes whose answers are known, and what they promise: nothing overlaps, nothing hangs.
#include "tests/dynamics/classic/scenes.h"

#include "carom/dynamics/classic/touching.h"
#include "carom/math/random.h"
#include "tests/support/procedural_meshes.h"

namespace carom::test {
namespace {

/// The highest point of the body after its first bounce.
double height_after_bounce(ClassicWorld& world, BodyId id) {
  double height = 0;
  bool touched = false;
  for (int i = 0; i < 1200; ++i) {
    world.step(1.0 / 240);
    const double v = velocity(world, id).z;
    if (v > 0) touched = true;
    if (touched && v < 0) break;
    if (touched) height = std::max(height, position(world, id).z);
  }
  return height;
}

TEST(ClassicWorld, BouncesToTheSquareOfTheRestitution) {
  for (const ClassicSolver solver : all_solvers) {
    for (const double e : {0.5, 0.8, 1.0}) {
      ClassicWorld world({.solver = solver});
      add_floor(world);
      const BodyId id =
          world
              .add({.shape = ball(), .pose = Pose::at({0, 0, 2.5}), .material = {.restitution = e}})
              .value();
      const double height = height_after_bounce(world, id) - 0.5;
      // Springs have few sub-steps in a bounce, and the rest of the ball's weight on them.
      const double error = solver == ClassicSolver::penalty ? 0.1 : 0.002;
      EXPECT_NEAR(height, 2 * e * e, error * 2 * e * e) << name_of(solver) << ' ' << e;
    }
  }
}

/// Ever smaller bounces come to an end, where the ball lies still.
TEST(ClassicWorld, BouncingEnds) {
  for (const ClassicSolver solver : all_solvers) {
    ClassicWorld world({.solver = solver});
    add_floor(world);
    const BodyId id =
        world.add({.shape = ball(), .pose = Pose::at({0, 0, 1}), .material = {.restitution = 0.7}})
            .value();
    // Without an end of bounces: sqrt(2 h / g) (1 + e) / (1 - e) = 1.81 s.
    run(world, 2.5);
    EXPECT_NEAR(position(world, id).z, 0.5, 2e-3) << name_of(solver);
    EXPECT_LT(length(velocity(world, id)), 1e-2) << name_of(solver);
    const std::uint64_t meetings = world.counters().meetings;
    run(world, 0.5);
    EXPECT_EQ(world.counters().meetings, meetings) << name_of(solver);
    EXPECT_EQ(world.counters().stalls, 0U);
  }
}

/// A block on a slope stays below the angle of friction; above it slides at g (sin - mu cos).
TEST(ClassicWorld, SlopesHoldUpToFriction) {
  const double mu = 0.5, critical = std::atan(mu);
  for (const ClassicSolver solver : all_solvers) {
    for (const double part : {0.98, 1.02, 1.3}) {
      const double angle = critical * part;
      ClassicWorld world({.solver = solver});
      add_slope(world, angle, {.friction = mu});
      const Quat turn = Quat::from_axis_angle({0, 1, 0}, angle);
      const Vec3 up = to_matrix(turn) * Vec3{0, 0, 1}, down = to_matrix(turn) * Vec3{1, 0, 0};
      const BodyId id = world
                            .add({.shape = Shape::box({0.5, 0.5, 0.2}).value(),
                                  .pose = {turn, up * 0.2},
                                  .material = {.friction = mu}})
                            .value();
      run(world, 0.5);
      const Vec3 early = velocity(world, id);
      run(world, 1);
      const double pull = gravity * (std::sin(angle) - mu * std::cos(angle));
      const double gained = dot(velocity(world, id) - early, down);
      EXPECT_NEAR(gained, std::max(0.0, pull), 2e-3) << name_of(solver) << ' ' << part;
      const double way = distance(position(world, id), up * 0.2);
      EXPECT_TRUE(pull > 0 || way < 1e-3) << name_of(solver) << ' ' << way;
    }
  }
}

/// A ball rolls down at 5/7 g sin.
TEST(ClassicWorld, BallsRollDown) {
  const double angle = 0.2;
  for (const ClassicSolver solver : all_solvers) {
    ClassicWorld world({.solver = solver});
    add_slope(world, angle, {.friction = 1});
    const Quat turn = Quat::from_axis_angle({0, 1, 0}, angle);
    const Vec3 up = to_matrix(turn) * Vec3{0, 0, 1}, down = to_matrix(turn) * Vec3{1, 0, 0};
    const BodyId id =
        world.add({.shape = ball(), .pose = Pose::at(up * 0.5), .material = {.friction = 1}})
            .value();
    run(world, 1);
    const double speed = 5.0 / 7 * gravity * std::sin(angle);
    EXPECT_NEAR(dot(velocity(world, id), down), speed, 0.01 * speed) << name_of(solver);
    EXPECT_NEAR(world.body(id)->angular_velocity.y, speed / 0.5, 0.02 * speed) << name_of(solver);
  }
}

/// Five boxes stand, and the forces at each level are the weight above.
TEST(ClassicWorld, TowersStand) {
  for (const ClassicSolver solver : all_solvers) {
    ClassicWorld world({.solver = solver});
    add_floor(world);
    std::vector<BodyId> tower;
    for (int i = 0; i < 5; ++i)
      tower.push_back(world.add({.shape = cube(), .pose = Pose::at({0, 0, 0.5 + i})}).value());
    run(world, 3);
    for (std::size_t i = 0; i < 5; ++i) {
      const Vec3 p = position(world, tower[i]);
      EXPECT_NEAR(p.z, 0.5 + static_cast<double>(i), 6e-3) << name_of(solver);
      EXPECT_LT(std::fabs(p.x) + std::fabs(p.y), 1e-3) << name_of(solver);
      EXPECT_LT(length(velocity(world, tower[i])), 1e-3) << name_of(solver);
      Vec3 force{};
      for (const ClassicContact& c : world.contacts())
        if (c.b == tower[i].slot && c.a < c.b) force += c.force;
      const double weight = 1000 * gravity * static_cast<double>(5 - i);
      EXPECT_NEAR(force.z, weight, 1e-3 * weight) << name_of(solver) << ' ' << i;
    }
  }
}

/// Boxes thrown onto each other, spinning: at no step do any overlap or touch, and energy goes down.
TEST(ClassicWorld, NothingOverlapsEver) {
  for (const ClassicSolver solver : exact_solvers) {
    for (std::uint64_t seed = 1; seed <= fewer_when_sanitized(10); ++seed) {
      Random random(seed);
      const Material material{.friction = 0.6, .restitution = seed % 2 == 0 ? 0.0 : 0.4};
      ClassicWorld world({.solver = solver});
      add_floor(world, material);
      const std::uint32_t count = 6;
      for (std::uint32_t i = 0; i < count; ++i) {
        const Vec3 at = random.in_box({0.5, 0.5, 0});
        const Quat turn = random.rotation();
        const Vec3 spin = random.in_box({10, 10, 10});
        static_cast<void>(world
                              .add({.shape = Shape::box({0.5, 0.4, 0.3}).value(),
                                    .pose = {turn, at + Vec3{0, 0, 1 + 1.5 * i}},
                                    .material = material,
                                    .angular_velocity = spin})
                              .value());
      }
      double energy = world.energy();
      const double first = energy;
      for (int step = 0; step < 150; ++step) {
        world.step(frame);
        for (std::uint32_t i = 0; i <= count; ++i)
          for (std::uint32_t j = i + 1; j <= count; ++j)
            ASSERT_GT(classic::gap(world.bodies(), i, j, 1), 0) << seed << ' ' << step;
        // What is pushed out to half the skin gains a little.
        ASSERT_LT(world.energy(), energy + 1e-4 * first) << seed << ' ' << step;
        energy = world.energy();
      }
      EXPECT_LT(energy, 0.3 * first);
      EXPECT_EQ(world.counters().stalls, 0U);
    }
  }
}

/// A ball at 300 m/s meets a thin plate, and a bar that spins at 100 rad/s a post: springs let the ball through, the others do not.
TEST(ClassicWorld, FastBodiesDoNotPass) {
  for (const ClassicSolver solver : exact_solvers) {
    ClassicWorld world({.gravity = {}, .solver = solver});
    static_cast<void>(world
                          .add({.shape = Shape::box({0.001, 2, 2}).value(),
                                .pose = Pose::at({1, 0, 0}),
                                .kind = BodyKind::fixed})
                          .value());
    const BodyId bullet = world
                              .add({.shape = ball(0.05),
                                    .pose = Pose::at({-1, 0, 0}),
                                    .material = {.restitution = 0.5},
                                    .velocity = {300, 0, 0}})
                              .value();
    run(world, 0.1);
    EXPECT_LT(position(world, bullet).x, 1) << name_of(solver);
    EXPECT_NEAR(velocity(world, bullet).x, -150, 1e-6) << name_of(solver);

    ClassicWorld spinning({.gravity = {}, .solver = solver});
    const BodyId bar = spinning
                           .add({.shape = Shape::box({1, 0.01, 0.01}).value(),
                                 .pose = Pose::at({0, 0, 0}),
                                 .angular_velocity = {0, 0, 100}})
                           .value();
    static_cast<void>(
        spinning.add({.shape = ball(0.01), .pose = Pose::at({0, 0.9, 0}), .kind = BodyKind::fixed})
            .value());
    spinning.step(frame);
    EXPECT_GE(spinning.counters().meetings, 1U) << name_of(solver);
    EXPECT_GT(length(velocity(spinning, bar)), 1) << name_of(solver);
  }
}

/// The row of balls of the toy, in the world: hanging in the air without gravity, a hair apart.
TEST(ClassicWorld, CradleByOrderOfImpulses) {
  for (const ImpulseOrder order : {ImpulseOrder::one_by_one, ImpulseOrder::at_once}) {
    ClassicWorld world({.gravity = {}, .impulses = order});
    std::vector<BodyId> row;
    const Material perfect{.friction = 0, .restitution = 1};
    for (int i = 0; i < 3; ++i)
      row.push_back(world
                        .add({.shape = ball(),
                              // The last two are so near that they touch.
                              .pose = Pose::at({i == 0 ? -1.0 : 1.00015 * i, 0, 0}),
                              .material = perfect,
                              .velocity = {i == 0 ? 2.0 : 0.0, 0, 0}})
                        .value());
    run(world, 1);
    const double expected[2][3] = {{0, 0, 2}, {-2.0 / 3, 4.0 / 3, 4.0 / 3}};
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(velocity(world, row[i]).x, expected[order == ImpulseOrder::at_once ? 1 : 0][i],
                  0.02);
  }
}

/// A rod that slides on its tip with much friction: no answer of rigid bodies is right, but all are numbers, and it ends lying on the floor.
TEST(ClassicWorld, PainlevesRodFalls) {
  for (const ClassicSolver solver : all_solvers) {
    ClassicWorld world({.solver = solver});
    add_floor(world, {.friction = 1.5});
    const Quat turn = Quat::from_axis_angle({0, 1, 0}, -1.0);
    const BodyId rod = world
                           .add({.shape = Shape::box({1, 0.02, 0.02}).value(),
                                 .pose = {turn, {0, 0, 0.9}},
                                 .material = {.friction = 1.5},
                                 .velocity = {-3, 0, 0}})
                           .value();
    run(world, 4);
    const BodyInfo b = *world.body(rod);
    EXPECT_TRUE(is_finite(b.pose.position) && is_finite(b.angular_velocity));
    EXPECT_FALSE(b.frozen) << name_of(solver);
    EXPECT_LT(b.pose.position.z, 0.1) << name_of(solver);
    EXPECT_LT(length(b.velocity), 0.2) << name_of(solver);
  }
}

TEST(ClassicWorld, KinematicBodiesPush) {
  for (const ClassicSolver solver : exact_solvers) {
    ClassicWorld world({.solver = solver});
    add_floor(world, {.friction = 0});
    static_cast<void>(world
                          .add({.shape = cube(),
                                .pose = Pose::at({-2, 0, 0.52}),
                                .kind = BodyKind::kinematic,
                                .velocity = {1, 0, 0}})
                          .value());
    const BodyId pushed =
        world.add({.shape = cube(), .pose = Pose::at({0, 0, 0.501}), .material = {.friction = 0}})
            .value();
    run(world, 3);
    EXPECT_NEAR(position(world, pushed).x, 2, 0.02) << name_of(solver);
    EXPECT_EQ(world.deepest_overlap(), 0);
  }
}

/// A ring of triangles on a floor of triangles, and a ball that falls onto both: neither is convex.
TEST(ClassicWorld, MeshesCollide) {
  PolygonMesh plane;
  for (const double x : {-5.0, 5.0})
    for (const double y : {-5.0, 5.0}) plane.vertices.push_back({x, y, 0});
  add_face(plane, {0, 2, 3});
  add_face(plane, {0, 3, 1});
  const Shape ground = Shape::mesh(plane, {.body = MeshOptions::Body::surface}).value();
  const Shape ring = Shape::mesh(fanned(torus_mesh(12, 8))).value();
  for (const ClassicSolver solver : exact_solvers) {
    ClassicWorld world({.solver = solver});
    static_cast<void>(world.add({.shape = ground, .kind = BodyKind::fixed}).value());
    const BodyId lying = world.add({.shape = ring, .pose = Pose::at({0, 0, 1.2})}).value();
    const BodyId falling = world.add({.shape = ball(0.6), .pose = Pose::at({0.2, 0, 4})}).value();
    for (int i = 0; i < 90; ++i) {
      world.step(frame);
      for (std::uint32_t a = 0; a < 3; ++a)
        for (std::uint32_t b = a + 1; b < 3; ++b)
          ASSERT_GT(classic::gap(world.bodies(), a, b, 1), 0) << name_of(solver) << ' ' << i;
    }
    EXPECT_LT(length(velocity(world, lying)), 0.2) << name_of(solver);
    EXPECT_LT(position(world, falling).z, 3) << name_of(solver);
  }
}

TEST(ClassicWorld, TheSameAgainToTheBit) {
  for (const ClassicSolver solver : all_solvers) {
    double sums[2] = {};
    for (double& sum : sums) {
      Random random(9);
      ClassicWorld world({.solver = solver});
      add_floor(world);
      std::vector<BodyId> ids;
      for (int i = 0; i < 4; ++i) {
        const Quat turn = random.rotation();
        ids.push_back(
            world.add({.shape = cube(0.4), .pose = {turn, {0.1 * i, 0, 1 + 1.4 * i}}}).value());
      }
      run(world, 1);
      for (const BodyId id : ids) sum = sum * 3 + position(world, id).x + velocity(world, id).z;
    }
    EXPECT_EQ(sums[0], sums[1]) << name_of(solver);
  }
}

TEST(ClassicWorld, BadInputIsRefusedOrIgnored) {
  ClassicWorld world({.gravity = {0, 0, std::nan("")}, .skin = -1, .penalty = {.frequency = 0}});
  EXPECT_EQ(world.options().gravity.z, -9.81);
  EXPECT_GT(world.options().skin, 0);
  EXPECT_FALSE(world.add({.shape = cube(), .locked = {.x = true}}));
  EXPECT_FALSE(world.add({.shape = cube(), .velocity = {std::nan(""), 0, 0}}));
  const BodyId id = world.add({.shape = cube()}).value();
  world.step(std::nan(""));
  world.step(-1);
  world.step(0);
  EXPECT_EQ(position(world, id), Vec3{});
  EXPECT_TRUE(world.remove(id));
  EXPECT_FALSE(world.remove(id));
  EXPECT_FALSE(world.pose(id));
  EXPECT_FALSE(world.body(id));
  EXPECT_FALSE(world.set_velocity(id, {}, {}));
  world.step(frame);
  EXPECT_EQ(world.body_count(), 0U);
}

/// Bodies that begin in each other, or beyond all bounds, are parted or frozen; nothing hangs.
TEST(ClassicWorld, BadStatesEnd) {
  for (const ClassicSolver solver : all_solvers) {
    ClassicWorld world({.solver = solver});
    add_floor(world);
    std::vector<BodyId> ids;
    for (int i = 0; i < 4; ++i)
      ids.push_back(
          world.add({.shape = cube(), .pose = Pose::at({0.05 * i, 0, 0.3 + 0.1 * i})}).value());
    const BodyId fast = world
                            .add({.shape = cube(),
                                  .pose = Pose::at({20, 0, 5}),
                                  .velocity = {1e8, 0, -1e8},
                                  .angular_velocity = {1e5, 1e5, 0}})
                            .value();
    for (int i = 0; i < 20; ++i) world.step(frame);
    for (const BodyId id : ids) EXPECT_TRUE(is_finite(position(world, id))) << name_of(solver);
    EXPECT_TRUE(is_finite(position(world, fast)));
    world.step(20);
    for (const BodyId id : ids) EXPECT_TRUE(is_finite(position(world, id))) << name_of(solver);
  }
}

} // namespace
} // namespace carom::test
