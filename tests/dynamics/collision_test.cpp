// Collisions: impulses as the formula has them, heights of bounces, momentum.
#include "tests/dynamics/scenes.h"

#include "carom/math/random.h"

#include <vector>

namespace carom::test {
namespace {

/// The tops of the first bounces on a floor of the same restitution, of what falls from `height`.
std::vector<double> tops_of_bounces(const Shape& shape, double height, double e, double rate) {
  const Material bouncy{.friction = 0, .restitution = e};
  World world(plain());
  add_floor(world, bouncy);
  const BodyId id =
      world.add({.shape = shape, .pose = Pose::at({0, 0, height + 0.5}), .material = bouncy})
          .value();
  std::vector<double> tops;
  double rises = 0;
  for (int i = 0; i < static_cast<int>(10 * rate) && tops.size() < 3; ++i) {
    world.step(1 / rate);
    // Velocities are those in the middle of the last sub-step.
    const double v = velocity(world, id).z - gravity / (2 * SolverOptions{}.sub_steps * rate);
    if (rises > 0 && !(v > 0)) tops.push_back(position(world, id).z - 0.5 + v * v / (2 * gravity));
    rises = v;
  }
  return tops;
}

/// What falls comes back to e^2 of the height that it fell from, again and again, whenever in a step it hits: to 0.5 mm a bounce with steps of a sixtieth.
TEST(Collision, BouncesToTheSquareOfTheRestitution) {
  const Shape box = Shape::box({0.5, 0.4, 0.5}).value();
  for (const double rate : {30.0, 60.0, 120.0})
    for (const double e : {0.3, 0.5, 0.8, 1.0})
      for (double height = 1.5; height < 5; height += 0.617)
        for (const bool is_ball : {true, false}) {
          const std::vector<double> tops = tops_of_bounces(is_ball ? ball() : box, height, e, rate);
          double expected = height;
          for (std::size_t k = 0; k < tops.size(); ++k) {
            expected *= e * e;
            if (expected < 0.15) break; // soon it will be too slow to bounce
            EXPECT_NEAR(tops[k], expected, 1.6 * static_cast<double>(k + 1) / (rate * rate))
                << rate << " Hz, e " << e << ", from " << height << ", bounce " << k + 1
                << (is_ball ? ", ball" : ", box");
          }
          EXPECT_GE(tops.size(), e < 0.4 ? 1U : 2U) << rate << ' ' << e << ' ' << height;
        }
}

/// All corners take the same: it does not tip, and goes as high as a ball would.
TEST(Collision, WhatComesDownFlatBouncesFlat) {
  for (const double restitution : {0.0, 0.5, 0.8}) {
    World world(plain());
    (void)world.add({.shape = Shape::box({10, 10, 1}).value(),
                     .pose = Pose::at({0, 0, -1}),
                     .kind = BodyKind::fixed,
                     .material = {.restitution = restitution}});
    const BodyId id = world
                          .add({.shape = Shape::box({0.6, 0.4, 0.3}).value(),
                                .pose = Pose::at({0, 0, 3.3}),
                                .material = {.restitution = restitution}})
                          .value();
    const double speed = std::sqrt(2 * 9.81 * 3);
    bool told = false;
    double after = 0, spin = 0;
    for (int i = 0; i < 240; ++i) {
      world.step(frame);
      for (const ContactEvent& e : world.events().contacts)
        if (e.kind == EventKind::begin && !told) {
          told = true;
          EXPECT_NEAR(e.approach_speed, speed, 0.03 * speed) << restitution;
        }
      if (!told) continue;
      after = std::max(after, world.body(id)->velocity.z);
      spin = std::max(spin, length(world.body(id)->angular_velocity));
    }
    EXPECT_TRUE(told);
    EXPECT_NEAR(after, restitution * speed, 0.03 * speed) << restitution;
    EXPECT_LT(spin, restitution > 0 ? 0.01 : 0.2) << restitution; // radians a second
  }
}

TEST(Collision, WithoutRestitutionItStays) {
  World world(plain());
  add_floor(world);
  const BodyId a = world.add({.shape = ball(), .pose = Pose::at({0, 0, 5.5})}).value();
  run(world, 3);
  EXPECT_NEAR(position(world, a).z, 0.5, 1e-3);
  EXPECT_NEAR(length(velocity(world, a)), 0, 1e-3);
}

/// n . ((I^-1 (r x n)) x r), the inverse by Cramer's rule: independent of the world's.
double spread(const BodyInfo& body, const Vec3& r, const Vec3& n) {
  const Vec3 arm = cross(r, n);
  const Mat3& m = body.inertia;
  const double d = determinant(m);
  const Vec3 w{triple(arm, m.y, m.z) / d, triple(m.x, arm, m.z) / d, triple(m.x, m.y, arm) / d};
  return dot(n, cross(w, r));
}

Shape random_hull(Random& random) {
  std::vector<Vec3> points;
  for (int i = 0; i < 12; ++i) points.push_back(random.direction() * 0.7);
  return Shape::hull(points).value();
}

/// Two random bodies collide in a point, without friction: j = -(1 + e) v_rel / (1/m_A + 1/m_B + n . ((I_A^-1 (r_A x n)) x r_A) + n . ((I_B^-1 (r_B x n)) x r_B)), at the points and along the normals of the events.
struct ImpulseErrors {
  int hits = 0;
  double mean = 0, worst = 0; ///< relative
};
ImpulseErrors impulse_errors(bool hulls, double rate) {
  Random random(5);
  ImpulseErrors errors;
  for (int round = 0; round < 200; ++round) {
    const double e = random.uniform(0, 1);
    World world(plain({}));
    const Material smooth{.friction = 0, .restitution = e};
    const Shape low = random_hull(random);
    const Vec3 offset = random.in_box({0.2, 0.2, 0});
    const Vec3 spin = random.in_box({1, 1, 1});
    const BodyId a =
        world.add({.shape = low, .density = 2, .material = smooth, .angular_velocity = spin})
            .value();
    const BodyId b = world
                         .add({.shape = hulls ? random_hull(random) : ball(0.4),
                               .pose = Pose::at(offset + Vec3{0, 0, 1.8}),
                               .density = 3,
                               .material = smooth,
                               .velocity = {0.3, 0.2, -4}})
                         .value();
    for (int i = 0; i < rate; ++i) {
      const BodyInfo a0 = *world.body(a), b0 = *world.body(b);
      world.step(1 / rate);
      if (world.events().contacts.empty()) continue;
      const ContactEvent& event = world.events().contacts[0];
      const Vec3 n = event.normal, ra = event.point - a0.center, rb = event.point - b0.center;
      const Vec3 rel = (b0.velocity + cross(b0.angular_velocity, rb)) -
                       (a0.velocity + cross(a0.angular_velocity, ra));
      const double closing = dot(rel, n);
      if (closing > -1.05) break; // below the threshold of bounces
      const double j =
          -(1 + e) * closing / (1 / a0.mass + 1 / b0.mass + spread(a0, ra, n) + spread(b0, rb, n));
      const double pushed = dot(velocity(world, b) - b0.velocity, n) * b0.mass;
      EXPECT_NEAR(event.impulse, pushed, 0.02 * j) << round; // normals turn in a step
      const double error = std::fabs(event.impulse - j) / j;
      ++errors.hits;
      errors.mean += (error - errors.mean) / errors.hits;
      errors.worst = std::max(errors.worst, error);
      break;
    }
  }
  return errors;
}

TEST(Collision, TheImpulseIsThatOfTheFormula) {
  for (const bool hulls : {false, true}) {
    // The bodies move by up to 2.5 mm in the step, of arms of half a metre.
    const ImpulseErrors fine = impulse_errors(hulls, 1920);
    EXPECT_GT(fine.hits, 100);
    EXPECT_LT(fine.worst, 0.01) << hulls;
    // By up to 8 cm.
    const ImpulseErrors coarse = impulse_errors(hulls, 60);
    EXPECT_GT(coarse.hits, 100);
    EXPECT_LT(coarse.mean, 0.08) << hulls;
    EXPECT_LT(coarse.worst, 0.3) << hulls;
  }
}

/// Hulls and balls thrown together: the sum of momenta stays, and of angular momenta.
TEST(Collision, MomentumIsConserved) {
  Random random(11);
  World world(plain({}));
  std::vector<BodyId> ids;
  for (int i = 0; i < 3000; ++i) {
    std::vector<Vec3> points;
    for (int k = 0; k < 10; ++k) points.push_back(random.direction() * 0.5);
    const Vec3 at = random.in_box({8, 8, 8});
    const Vec3 spin = random.in_box({3, 3, 3});
    BodyDef def{.shape = i % 3 == 0 ? ball(0.4) : Shape::hull(points).value(),
                .pose = Pose::at(at),
                .density = 1,
                .material = {.restitution = 0.5},
                .velocity = at * -1.0,
                .angular_velocity = spin};
    ids.push_back(world.add(def).value());
  }
  Vec3 momentum{}, angular{};
  double scale = 0, kinetic = 0;
  const auto sum = [&] {
    momentum = angular = {};
    scale = kinetic = 0;
    for (const BodyId id : ids) {
      const BodyInfo b = *world.body(id);
      momentum += b.velocity * b.mass;
      angular += cross(b.center, b.velocity) * b.mass + spin_momentum(b);
      scale += length(b.velocity) * b.mass;
      kinetic += energy(b);
    }
  };
  sum();
  const Vec3 momentum0 = momentum, angular0 = angular;
  const double scale0 = scale;
  double last = kinetic;
  for (int i = 0; i < 60; ++i) {
    world.step(frame);
    sum();
    // Many begin inside each other; what undoing that leaves is little beside what collisions take.
    ASSERT_LT(kinetic, last * 1.001) << i;
    last = kinetic;
  }
  EXPECT_LT(distance(momentum, momentum0), 1e-6 * scale0);
  // Positions move by floats; arms are those of the step's beginning while bodies move on by some centimetres.
  EXPECT_LT(distance(angular, angular0), 3e-4 * scale0 * 8);
}

TEST(Collision, KinematicBodiesPushAndAreNotPushed) {
  World world(plain());
  add_floor(world, {.friction = 0});
  const BodyId pusher = world
                            .add({.shape = cube(),
                                  .pose = Pose::at({-2, 0, 0.52}),
                                  .kind = BodyKind::kinematic,
                                  .velocity = {1, 0, 0}})
                            .value();
  const BodyId pushed =
      world.add({.shape = cube(), .pose = Pose::at({0, 0, 0.5}), .material = {.friction = 0}})
          .value();
  run(world, 3);
  EXPECT_NEAR(position(world, pusher).x, 1, 1e-5);
  // The blow at the start leaves up to a thirtieth of the speed.
  EXPECT_NEAR(position(world, pushed).x, 2, 0.06);
  EXPECT_NEAR(velocity(world, pushed).x, 1, 0.03);
}

} // namespace
} // namespace carom::test
