// Several contacts: what comes together at once, or one after the other; and what holds contacts that rest.
#include "carom/dynamics/classic/collide.h"

#include "carom/verify/check_complementarity.h"
#include "tests/dynamics/classic/scenes.h"

#include "carom/math/random.h"

namespace carom::test {
namespace {

using namespace classic;

/// Balls of mass 1 in a row along x, each touching the next; the first comes along.
struct Cradle {
  ResponseBodies bodies;
  std::vector<ContactPoint> contacts;

  explicit Cradle(std::size_t balls, double e = 1) {
    for (std::size_t i = 0; i < balls; ++i) {
      const double x = static_cast<double>(i);
      bodies.push_back(
          loose(1, Mat3::diagonal({10, 10, 10}), {x, 0, 0}, {i == 0 ? 1.0 : 0.0, 0, 0}));
      if (i > 0)
        contacts.push_back({.a = static_cast<std::uint32_t>(i - 1),
                            .b = static_cast<std::uint32_t>(i),
                            .point = {x - 0.5, 0, 0},
                            .normal = {1, 0, 0},
                            .restitution = e});
    }
  }
};

/// One by one a blow runs through: the last ball takes all. At once, with the same restitution for all contacts: with three balls -1/3, 2/3, 2/3.
TEST(Collide, NewtonsCradle) {
  for (const std::size_t balls : {2U, 3U, 5U, 7U}) {
    Cradle cradle(balls);
    collide(cradle.bodies, cradle.contacts, {.order = ImpulseOrder::one_by_one});
    for (std::size_t i = 0; i < balls; ++i)
      EXPECT_NEAR(cradle.bodies[i].velocity.x, i + 1 == balls ? 1 : 0, 1e-12) << balls;
  }
  Cradle three(3);
  collide(three.bodies, three.contacts, {.order = ImpulseOrder::at_once});
  EXPECT_NEAR(three.bodies[0].velocity.x, -1.0 / 3, 1e-12);
  EXPECT_NEAR(three.bodies[1].velocity.x, 2.0 / 3, 1e-12);
  EXPECT_NEAR(three.bodies[2].velocity.x, 2.0 / 3, 1e-12);
  // Without restitution all go on together, whichever way.
  for (const ImpulseOrder order : {ImpulseOrder::at_once, ImpulseOrder::one_by_one}) {
    Cradle soft(5, 0);
    collide(soft.bodies, soft.contacts, {.order = order});
    for (const ResponseBody& b : soft.bodies)
      EXPECT_NEAR(b.velocity.x, 0.2, order == ImpulseOrder::at_once ? 1e-12 : 2e-2);
  }
}

/// Heaps of balls with contacts anywhere: nothing comes nearer afterwards, momentum stays, energy does not grow.
TEST(Collide, RandomHeaps) {
  Random random(4);
  for (int round = 0; round < static_cast<int>(fewer_when_sanitized(20000)); ++round) {
    const std::size_t n = 2 + random.below(5);
    ResponseBodies bodies;
    std::vector<double> mass;
    std::vector<Vec3> turning; // inverse moments of inertia
    for (std::size_t i = 0; i < n; ++i) {
      mass.push_back(random.uniform(0.2, 5));
      const Vec3 center = random.in_box({1, 1, 1}), velocity = random.in_box({2, 2, 2});
      const double x = random.uniform(0.1, 30), y = random.uniform(0.1, 30);
      turning.push_back({x, y, random.uniform(0.1, 30)});
      bodies.push_back(loose(mass[i], Mat3::diagonal(turning[i]), center, velocity));
    }
    std::vector<ContactPoint> contacts;
    const std::size_t count = 1 + random.below(8);
    for (std::size_t k = 0; k < count; ++k) {
      ContactPoint c;
      c.a = static_cast<std::uint32_t>(random.below(n));
      c.b = static_cast<std::uint32_t>((c.a + 1 + random.below(n - 1)) % n);
      c.point = (bodies[c.a].center + bodies[c.b].center) * 0.5 + random.in_box({0.2, 0.2, 0.2});
      const Vec3 aslant = random.in_box({0.7, 0.7, 0.7});
      c.normal = normalized(normalized(bodies[c.b].center - bodies[c.a].center) + aslant);
      c.friction = random.below(2) == 0 ? 0 : random.uniform(0, 3);
      c.restitution = random.uniform(0, 1);
      contacts.push_back(c);
    }
    const auto kinetic = [&] {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k)
          sum += 0.5 * mass[i] * bodies[i].velocity[k] * bodies[i].velocity[k] +
                 0.5 * bodies[i].spin[k] * bodies[i].spin[k] / turning[i][k];
      return sum;
    };
    const auto momentum = [&] {
      Vec3 sum{};
      for (std::size_t i = 0; i < n; ++i) sum += bodies[i].velocity * mass[i];
      return sum;
    };
    const double before = kinetic();
    const Vec3 sum = momentum();
    const auto order = random.below(2) == 0 ? ImpulseOrder::at_once : ImpulseOrder::one_by_one;
    collide(bodies, contacts, {.order = order, .bounce_speed = 0.01});
    ASSERT_LE(kinetic(), before * (1 + 1e-9) + 1e-12) << round;
    ASSERT_LT(distance(momentum(), sum), 1e-10) << round;
    for (const ContactPoint& c : contacts)
      ASSERT_GE(dot(relative_velocity(bodies, c), c.normal), -2e-5) << round;
  }
}

/// Contacts under a box's corners, by its half width, with gravity having acted for a time.
struct Weight {
  ResponseBodies bodies;
  std::vector<ContactPoint> contacts;
  std::vector<ContactWish> wishes;
};

/// `boxes` cubes of mass 2 on each other, on a floor; slot 0 is the floor.
Weight tower(std::size_t boxes, const Vec3& pull, double friction = 0.5) {
  Weight w;
  w.bodies.push_back({});
  for (std::size_t i = 0; i < boxes; ++i) {
    const double z = static_cast<double>(i);
    w.bodies.push_back(loose(2, Mat3::diagonal({3, 3, 3}), {0, 0, z + 0.5}, pull));
    for (const double x : {-0.5, 0.5})
      for (const double y : {-0.5, 0.5})
        w.contacts.push_back({.a = static_cast<std::uint32_t>(i),
                              .b = static_cast<std::uint32_t>(i + 1),
                              .point = {x, y, z},
                              .normal = {0, 0, 1},
                              .friction = friction});
  }
  w.wishes.resize(w.contacts.size());
  return w;
}

/// Each level bears what is above it; the answer proves itself.
TEST(ContactSolve, EachLevelOfATowerBearsWhatIsAbove) {
  Weight w = tower(5, {0, 0, -1});
  const ContactSolution s = solve_at_once(w.bodies, w.contacts, w.wishes);
  ASSERT_EQ(s.status, ComplementarityStatus::solved);
  EXPECT_TRUE(verify::check_complementarity(s.problem(), s.x, 1e-11));
  for (std::size_t level = 0; level < 5; ++level) {
    Vec3 sum{};
    for (std::size_t k = 0; k < 4; ++k) sum += s.impulses[4 * level + k];
    EXPECT_NEAR(sum.z, 2.0 * static_cast<double>(5 - level), 1e-11);
    EXPECT_NEAR(sum.x, 0, 1e-11);
  }
  for (const ResponseBody& b : w.bodies) {
    EXPECT_LT(length(b.velocity), 1e-11);
    EXPECT_LT(length(b.spin), 1e-11);
  }
}

/// A push to the side moves the weight to the corners ahead, and lifts none while the line of force meets the base: friction 1, side 0.6 of the weight at half the height of a cube.
TEST(ContactSolve, WeightGoesToTheCornersAhead) {
  Weight w = tower(1, {0.6, 0, -1}, 1);
  const ContactSolution s = solve_at_once(w.bodies, w.contacts, w.wishes);
  EXPECT_TRUE(verify::check_complementarity(s.problem(), s.x, 1e-11));
  double ahead = 0, behind = 0, side = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    (w.contacts[k].point.x > 0 ? ahead : behind) += s.impulses[k].z;
    side += s.impulses[k].x;
  }
  // About the centre: (ahead - behind) / 2 = 1.2 / 2.
  EXPECT_NEAR(ahead + behind, 2, 1e-9);
  EXPECT_NEAR(ahead - behind, 1.2, 1e-4);
  EXPECT_NEAR(side, -1.2, 1e-4);
  EXPECT_LT(length(w.bodies[1].velocity), 1e-4);
}

/// On a slope a block is held exactly while the tangent is below friction; beyond, what is left is g (sin - mu cos).
TEST(ContactSolve, SlopesHoldUpToFriction) {
  for (const double slope : {0.1, 0.299, 0.301, 0.5}) {
    for (const bool at_once : {true, false}) {
      Weight w = tower(1, {slope, 0, -1}, 0.3);
      // Wide and flat, so that it does not tip.
      for (ContactPoint& c : w.contacts) c.point.z = 0.49;
      if (at_once)
        static_cast<void>(solve_at_once(w.bodies, w.contacts, w.wishes));
      else
        static_cast<void>(solve_one_by_one(w.bodies, w.contacts, w.wishes, 2000, 1e-12));
      EXPECT_NEAR(w.bodies[1].velocity.x, std::max(0.0, slope - 0.3), 1e-5) << slope << at_once;
      EXPECT_NEAR(w.bodies[1].velocity.z, 0, 1e-6);
    }
  }
}

/// One by one comes to the same velocities.
TEST(ContactSolve, OneByOneAgrees) {
  Random random(6);
  for (int round = 0; round < 40; ++round) {
    const Vec3 side = random.in_box({0.2, 0.2, 0});
    Weight a = tower(1 + random.below(3), side + Vec3{0, 0, -1}, 0.6);
    Weight b = a;
    static_cast<void>(solve_at_once(a.bodies, a.contacts, a.wishes));
    static_cast<void>(solve_one_by_one(b.bodies, b.contacts, b.wishes, 20000, 1e-13));
    for (std::size_t i = 0; i < a.bodies.size(); ++i) {
      EXPECT_LT(distance(a.bodies[i].velocity, b.bodies[i].velocity), 1e-3) << round;
      EXPECT_LT(distance(a.bodies[i].spin, b.bodies[i].spin), 1e-3) << round;
    }
  }
}

/// Nothing to push; nothing at all.
TEST(ContactSolve, NothingToDo) {
  ResponseBodies walls(2);
  const std::vector<ContactPoint> contacts{{.a = 0, .b = 1}};
  const std::vector<ContactWish> wishes(1);
  EXPECT_EQ(solve_at_once(walls, contacts, wishes).impulses[0], Vec3{});
  EXPECT_EQ(solve_one_by_one(walls, contacts, wishes, 5, 0).impulses[0], Vec3{});
  EXPECT_EQ(collide(walls, contacts, {}).impulses, 0);
  EXPECT_TRUE(solve_at_once(walls, {}, {}).impulses.empty());
}

} // namespace
} // namespace carom::test
