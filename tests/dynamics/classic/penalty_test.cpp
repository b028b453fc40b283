// Springs: how long a step they stand, and what they give back.
#include "carom/dynamics/classic/penalty.h"

#include "carom/math/trig.h"
#include "tests/dynamics/classic/scenes.h"

namespace carom::test {
namespace {

using namespace classic;

/// A point mass on one spring, which only gravity keeps on it: how far it swings in the end, over how far at first.
double swing(const PenaltyOptions& options, double step) {
  ResponseBodies bodies{{}, loose(1, Mat3::zero(), {}, {0, 0, 1e-3})};
  std::vector<PenaltyAnchor> anchors;
  std::vector<PenaltyForce> forces;
  // The trace of its matrix is 3: the spring is a third as stiff as it may be.
  const double w = two_pi * options.frequency, stiffness = w * w / 3;
  double z = -1, last = 0;
  for (int i = 0; i < 400; ++i) {
    const ContactPoint c{.a = 0, .b = 1, .point = bodies[1].center, .normal = {0, 0, 1}, .gap = z};
    penalty_forces(bodies, std::span(&c, 1), options, step, anchors, forces);
    for (const PenaltyForce& f : forces) push(bodies, c, f.force * step);
    bodies[1].velocity.z -= stiffness * step; // rests at a depth of 1
    z += bodies[1].velocity.z * step;
    if (i >= 300) last = std::max(last, std::fabs(z + 1));
  }
  return last;
}

/// The rule is about the stiffest that c points of any kind can be, c times the trace: a single point along its normal is three times softer in a ball of no size, so it stands sqrt(3) times the step and a little more; it does not stand twice that.
TEST(PenaltySprings, TheStepStatedIsStable) {
  for (const double damping : {0.0, 0.1, 0.5, 1.0}) {
    const PenaltyOptions options{.frequency = 30, .damping = damping};
    const double step = stable_step(options, 1);
    EXPECT_LT(swing(options, step), 0.05) << damping;
    EXPECT_GT(swing(options, 4 * step), 1) << damping;
  }
}

/// Against the definition: the greatest h at which both roots of z^2 - (2 - 2 d h - s h^2) z + (1 - 2 d h) lie within the unit circle, with s = c w^2 and d = damping s / w.
TEST(PenaltySprings, TheStepStatedIsTheGreatest) {
  for (const std::size_t c : {1U, 4U, 30U}) {
    for (const double damping : {0.0, 0.3, 2.0}) {
      const PenaltyOptions options{.frequency = 10, .damping = damping};
      const double w = two_pi * 10, s = static_cast<double>(c) * w * w, d = damping * s / w;
      const auto stable = [&](double h) {
        const double trace = 2 - 2 * d * h - s * h * h, det = 1 - 2 * d * h;
        return std::fabs(det) <= 1 + 1e-12 && std::fabs(trace) <= 1 + det + 1e-12;
      };
      const double h = stable_step(options, c);
      EXPECT_TRUE(stable(h * 0.999999)) << c << ' ' << damping;
      EXPECT_FALSE(stable(h * 1.00001)) << c << ' ' << damping;
    }
  }
}

/// A mass that hits a spring that only pushes, in small steps.
TEST(PenaltySprings, DampingByRestitution) {
  for (const double e : {0.14, 0.3, 0.5, 0.8, 0.99}) {
    const double z = damping_of(e), h = 1e-5;
    double x = 0, v = -1;
    do {
      v += h * std::max(0.0, -x - 2 * z * v);
      x += h * v;
    } while (x < 0);
    EXPECT_NEAR(v, e, 1e-4) << e;
  }
  EXPECT_EQ(damping_of(1), 0);
  EXPECT_EQ(damping_of(0), 1);
  EXPECT_EQ(damping_of(0.1), 1);
}

/// The world chooses such steps: a tower on stiff springs comes to rest, and stiffer springs let it sink less, for more sub-steps.
TEST(PenaltySprings, StiffnessIsDepthAgainstCost) {
  double depth[2] = {};
  std::uint64_t cost[2] = {};
  for (int k = 0; k < 2; ++k) {
    ClassicWorld world(
        {.solver = ClassicSolver::penalty, .penalty = {.frequency = k == 0 ? 30.0 : 90.0}});
    add_floor(world);
    std::vector<BodyId> tower;
    for (int i = 0; i < 3; ++i)
      tower.push_back(world.add({.shape = cube(), .pose = Pose::at({0, 0, 0.5 + i})}).value());
    run(world, 1);
    for (const BodyId id : tower) EXPECT_LT(length(velocity(world, id)), 1e-2);
    depth[k] = world.deepest_overlap();
    cost[k] = world.counters().sub_steps;
  }
  // Depth goes as one over the square of the frequency, sub-steps as the frequency.
  EXPECT_NEAR(depth[0] / depth[1], 9, 1);
  EXPECT_NEAR(static_cast<double>(cost[1]) / static_cast<double>(cost[0]), 3, 0.3);
}

} // namespace
} // namespace carom::test
