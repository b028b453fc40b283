// Collisions that follow from each other within a step: rows of balls, and balls on balls. Newton's rule for one pair after the other is the known answer.
#include "tests/dynamics/scenes.h"

namespace carom::test {
namespace {

WorldOptions bouncing_above(double speed) {
  WorldOptions options = plain({});
  options.solver.bounce_threshold = speed;
  return options;
}

/// Balls along x, `gap` apart, of which the first comes at 5 m/s.
struct Row {
  World world;
  std::vector<BodyId> ids;

  Row(int count, double gap, double e, double scale = 1, double threshold = 1)
      : world(bouncing_above(threshold)) {
    for (int i = 0; i < count; ++i) {
      const double at = i == 0 ? -1.3 : (i - 1) * (1 + gap);
      ids.push_back(world
                        .add({.shape = ball(),
                              .pose = Pose::at({at, 0, 0}),
                              .density = i == 0 ? 1000 * scale : 1000,
                              .material = {.friction = 0, .restitution = e},
                              .velocity = {i == 0 ? 5.0 : 0.0, 0, 0}})
                        .value());
    }
  }
  [[nodiscard]] double momentum() const {
    double sum = 0;
    for (const BodyId id : ids) sum += world.body(id)->mass * velocity(world, id).x;
    return sum;
  }
  [[nodiscard]] double energy_now() const {
    double sum = 0;
    for (const BodyId id : ids) sum += energy(*world.body(id));
    return sum;
  }
};

/// Energies after over before, where pair after pair collides by Newton's rule until all part: `count` balls of one mass.
double pairwise_energy(int count, double e) {
  std::vector<double> v(static_cast<std::size_t>(count), 0.0);
  v[0] = 1;
  for (bool any = true; any;) {
    any = false;
    for (std::size_t i = 0; i + 1 < v.size(); ++i) {
      const double closing = v[i] - v[i + 1];
      if (!(closing > 0.2)) continue; // of 5 m/s: the threshold of bounces
      v[i] -= 0.5 * (1 + e) * closing;
      v[i + 1] += 0.5 * (1 + e) * closing;
      any = true;
    }
  }
  double sum = 0;
  for (const double x : v) sum += x * x;
  return sum;
}

/// Whatever the gaps: a ball that is set in motion within a step hits the next one as fast as it is then.
TEST(BounceRow, KeepsMomentumAndMakesNoEnergy) {
  for (const double rate : {60.0, 240.0})
    for (const double gap : {0.0, 0.001, 0.005, 0.02, 0.05})
      for (const double e : {0.2, 0.5, 0.8, 1.0})
        for (int count = 2; count <= 6; ++count) {
          SCOPED_TRACE(testing::Message()
                       << rate << " Hz, gap " << gap << ", e " << e << ", " << count << " balls");
          Row row(count, gap, e);
          const double p = row.momentum(), before = row.energy_now();
          double last = before;
          for (int i = 0; i < static_cast<int>(rate / 2); ++i) {
            row.world.step(1 / rate);
            const double now = row.energy_now();
            // What undoing overlaps leaves.
            ASSERT_LE(now, std::min(last + 1e-3 * before, before * (1 + 1e-5))) << i;
            last = now;
          }
          EXPECT_NEAR(row.momentum(), p, 1e-6 * p);
          // Less is left where many come together again slower than the threshold: those stay together.
          EXPECT_LT(last / before, pairwise_energy(count, e) + 0.01);
          EXPECT_GT(last / before, e == 1 ? 0.99 : 0.6 * pairwise_energy(count, e));
        }
}

/// With unlike masses, too: the energy only falls, and with e = 1 none is lost.
TEST(BounceRow, HeavyAndLightBalls) {
  for (const double scale : {0.01, 0.1, 10.0, 100.0})
    for (const double e : {0.5, 1.0}) {
      Row row(4, 0.005, e, scale, 0.01);
      const double p = row.momentum(), before = row.energy_now();
      double last = before;
      for (int i = 0; i < 30; ++i) {
        row.world.step(frame);
        const double now = row.energy_now();
        ASSERT_LE(now, last + 1e-4 * before) << scale << ' ' << e << ' ' << i;
        last = now;
      }
      EXPECT_NEAR(row.momentum(), p, 1e-5 * p) << scale << ' ' << e;
      if (e == 1) {
        EXPECT_GT(last, 0.95 * before) << scale;
      }
    }
}

/// A ball falls on one that rests on the floor. With e = 1 the blow goes down and comes back, and the first one flies up again.
TEST(BounceRow, ABlowGoesThroughABallThatRests) {
  World world(plain());
  add_floor(world, {.friction = 0, .restitution = 1});
  const Material elastic{.friction = 0, .restitution = 1};
  const BodyId low =
      world.add({.shape = ball(), .pose = Pose::at({0, 0, 0.5}), .material = elastic}).value();
  const BodyId high =
      world.add({.shape = ball(), .pose = Pose::at({0, 0, 3}), .material = elastic}).value();
  run(world, 0.3); // it falls by 1.5 m in 0.55 s
  const double whole = energy(*world.body(high)) +
                       world.body(high)->mass * gravity * (position(world, high).z - 1.5);
  double highest = 0;
  for (int i = 0; i < 60; ++i) {
    world.step(frame);
    if (velocity(world, high).z > 0) highest = std::max(highest, position(world, high).z);
    double now = 0;
    for (const BodyId id : {low, high})
      now += energy(*world.body(id)) +
             world.body(id)->mass * gravity * (position(world, id).z - (id == low ? 0.5 : 1.5));
    ASSERT_LT(now, 1.05 * whole) << i;
  }
  EXPECT_NEAR(highest, 3, 0.15);
}

/// Boxes in a crowd that bounce: no energy comes of it, whatever meets whom at the same time.
TEST(BounceRow, ACrowdOfBoxesGainsNothing) {
  for (const double e : {0.5, 1.0}) {
    World world(plain({}));
    std::vector<BodyId> ids;
    for (int i = 0; i < 5; ++i)
      for (int k = 0; k < 5; ++k)
        for (int l = 0; l < 5; ++l) {
          const Vec3 at{i * 1.01, k * 1.02, l * 1.03};
          ids.push_back(world
                            .add({.shape = cube(),
                                  .pose = Pose::at(at),
                                  .material = {.friction = 0.3, .restitution = e},
                                  .velocity = (Vec3{2, 2, 2} - at) * 3.0})
                            .value());
        }
    const auto sum = [&] {
      double all = 0;
      for (const BodyId id : ids) all += energy(*world.body(id));
      return all;
    };
    const double before = sum();
    double last = before;
    for (int i = 0; i < 90; ++i) {
      world.step(frame);
      const double now = sum();
      ASSERT_LE(now, last + 0.002 * before) << e << ' ' << i;
      last = now;
    }
  }
}

} // namespace
} // namespace carom::test
