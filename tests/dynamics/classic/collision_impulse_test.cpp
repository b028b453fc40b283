// One collision in one point: the formula, the cone of friction, energy, and answers that are known.
#include "carom/dynamics/classic/collision_impulse.h"

#include "tests/dynamics/classic/scenes.h"

#include "carom/math/random.h"

namespace carom::test {
namespace {

using namespace classic;

struct Pair {
  ResponseBodies bodies;
  ContactPoint contact;
  Vec3 principal[2];
  Quat turn[2];
  double mass[2] = {};
};

/// Two bodies of any shape that come together, or one against a wall.
Pair random_pair(Random& random) {
  Pair p;
  for (int i = 0; i < 2; ++i) {
    const double x = random.uniform(0.1, 2), y = random.uniform(0.1, 2);
    // The third moment is between the difference and the sum of the others, as a body's is.
    const double low = std::fabs(x - y), z = random.uniform(low, x + y);
    p.principal[i] = {x, y, std::max(z, 0.02)};
    p.turn[i] = random.rotation();
    p.mass[i] = random.uniform(0.2, 5);
    const Vec3 inverse{1 / p.principal[i].x, 1 / p.principal[i].y, 1 / p.principal[i].z};
    const Vec3 center = random.in_box({1, 1, 1}), velocity = random.in_box({3, 3, 3});
    const Vec3 spin = random.in_box({3, 3, 3});
    p.bodies.push_back(
        loose(p.mass[i], turned_inertia(p.turn[i], inverse), center, velocity, spin));
  }
  p.contact = {.a = 0, .b = 1, .point = random.in_box({1, 1, 1}), .normal = random.direction()};
  p.contact.friction = random.uniform(0, 2);
  p.contact.restitution = random.uniform(0, 1);
  if (random.below(3) == 0) {
    // At rest: a wall that moves does work.
    p.bodies[0] = {.center = p.bodies[0].center};
  }
  return p;
}

/// Nothing slides when they meet, and friction is too little to keep it so: it begins in a direction of its own.
void meet_head_on(Pair& p) {
  p.contact.friction *= 0.1;
  const Vec3 v = relative_velocity(p.bodies, p.contact), n = p.contact.normal;
  p.bodies[1].velocity -= v - n * dot(v, n);
}

double kinetic(const Pair& p) {
  double sum = 0;
  for (int i = 0; i < 2; ++i) {
    const ResponseBody& b = p.bodies[static_cast<std::size_t>(i)];
    if (!(b.inverse_mass > 0)) continue;
    sum += 0.5 * p.mass[i] * length_squared(b.velocity) +
           0.5 * dot(b.spin, turned_inertia(p.turn[i], p.principal[i]) * b.spin);
  }
  return sum;
}

PointCollision of(const Pair& p) {
  return {impulse_matrix(p.bodies, p.contact), p.contact.normal,
          relative_velocity(p.bodies, p.contact), p.contact.friction, p.contact.restitution};
}

/// j = -(1 + e) v_n / (1/m_A + 1/m_B + n . ((I_A^-1 (r_A x n)) x r_A) + n . ((I_B^-1 (r_B x n)) x r_B)), term by term.
TEST(CollisionImpulse, IsThatOfTheFormula) {
  Random random(1);
  for (int round = 0; round < 2000; ++round) {
    Pair p = random_pair(random);
    const Vec3 n = p.contact.normal;
    const PointCollision c = of(p);
    const double closing = dot(c.velocity, n);
    double below = 0;
    for (const ResponseBody& b : p.bodies) {
      const Vec3 r = p.contact.point - b.center;
      below += b.inverse_mass + dot(n, cross(b.inverse_inertia * cross(r, n), r));
    }
    const double j = closing < 0 ? -(1 + c.restitution) * closing / below : 0;
    EXPECT_NEAR(length(newton_impulse(c) - n * j), 0, 1e-12 * (1 + j));
    push(p.bodies, p.contact, newton_impulse(c));
    const double after = dot(relative_velocity(p.bodies, p.contact), n);
    EXPECT_NEAR(after, closing < 0 ? -c.restitution * closing : closing, 1e-12) << round;
  }
}

/// Momentum stays, energy does not grow, friction is within its cone, nothing comes nearer afterwards; without friction it is Newton's.
TEST(CollisionImpulse, WithFrictionOnRandomPairs) {
  Random random(2);
  int slid = 0, stuck = 0;
  for (int round = 0; round < static_cast<int>(fewer_when_sanitized(20000)); ++round) {
    Pair p = random_pair(random);
    if (round % 4 == 0) meet_head_on(p);
    PointCollision c = of(p);
    if (!(dot(c.velocity, c.normal) < 0)) continue;
    const double before = kinetic(p);
    const Vec3 momentum = p.bodies[0].velocity * p.mass[0] + p.bodies[1].velocity * p.mass[1];
    const Vec3 j = mirtich_impulse(c);
    push(p.bodies, p.contact, j);
    ASSERT_LE(kinetic(p), before * (1 + 1e-9)) << round;
    const double normal = dot(j, c.normal);
    ASSERT_GT(normal, 0) << round;
    ASSERT_LE(length(j - c.normal * normal), c.friction * normal * (1 + 1e-6)) << round;
    const Vec3 after = relative_velocity(p.bodies, p.contact);
    ASSERT_GE(dot(after, c.normal), -1e-7) << round;
    (length(after - c.normal * dot(after, c.normal)) > 1e-5 ? slid : stuck) += 1;
    if (p.bodies[0].inverse_mass > 0) {
      const Vec3 now = p.bodies[0].velocity * p.mass[0] + p.bodies[1].velocity * p.mass[1];
      ASSERT_LT(distance(now, momentum), 1e-12 * (1 + length(j))) << round;
    }
    c.friction = 0;
    ASSERT_LT(distance(mirtich_impulse(c), newton_impulse(c)), 1e-12);
  }
  EXPECT_GT(slid, 500);
  EXPECT_GT(stuck, 500);
}

/// Followed in a hundred thousand small pieces, by Euler's rule: the same.
TEST(CollisionImpulse, AgreesWithSmallSteps) {
  Random random(3);
  double worst = 0;
  for (int round = 0; round < static_cast<int>(fewer_when_sanitized(60)); ++round) {
    Pair p = random_pair(random);
    if (round % 2 == 0) meet_head_on(p);
    const PointCollision c = of(p);
    const double closing = dot(c.velocity, c.normal);
    if (!(closing < -0.5)) continue;
    Vec3 u = c.velocity, j{};
    double work = 0, least = 0;
    bool out = false;
    const double trace = c.k.x.x + c.k.y.y + c.k.z.z;
    const double step = -closing / dot(c.normal, c.k * c.normal) * 1e-5;
    for (int i = 0; i < 3'000'000; ++i) {
      const double un = dot(u, c.normal);
      out = out || un >= 0;
      if (!out) least = work;
      if (out && work >= least * (1 - c.restitution * c.restitution)) break;
      const Vec3 slide = u - c.normal * un;
      const double speed = length(slide);
      // Within a piece of the stop, friction falls off: so it holds still where it can.
      const double full = std::min(1.0, speed / (20 * step * trace));
      const Vec3 d = (c.normal - slide * (speed > 0 ? full * c.friction / speed : 0)) * step;
      work += (un + 0.5 * dot(c.k * d, c.normal)) * step;
      u += c.k * d;
      j += d;
    }
    worst = std::max(worst, distance(mirtich_impulse(c), j) / length(j));
  }
  EXPECT_LT(worst, 2e-3);
}

/// A ball that hits the floor aslant: it leaves at 5/7 of its speed along the floor where friction can hold it, and loses mu (1 + e) v_n where not.
TEST(CollisionImpulse, ABallAslant) {
  const double r = 0.5, m = 3;
  for (const double mu : {0.05, 0.1, 0.2, 0.5, 1.0}) {
    for (const double e : {0.0, 0.4, 1.0}) {
      const Vec3 inverse = Vec3{1, 1, 1} / (0.4 * m * r * r);
      ResponseBodies bodies{{}, loose(m, Mat3::diagonal(inverse), {0, 0, r}, {2, 0, -3})};
      ContactPoint c{.a = 0, .b = 1, .point = {}, .normal = {0, 0, 1}};
      const PointCollision collision{impulse_matrix(bodies, c), c.normal,
                                     relative_velocity(bodies, c), mu, e};
      push(bodies, c, mirtich_impulse(collision));
      // To stop the point takes 2/7 m v_t.
      const bool sticks = mu * (1 + e) * 3 >= 2.0 * 2 / 7;
      EXPECT_NEAR(bodies[1].velocity.z, 3 * e, 1e-9);
      EXPECT_NEAR(bodies[1].velocity.x, sticks ? 2 * 5.0 / 7 : 2 - mu * (1 + e) * 3, 1e-6)
          << mu << ' ' << e;
    }
  }
}

/// A rod that slides on its tip: friction alone draws the tip into the floor (Painleve). There is an impulse all the same, and it stops the tip.
TEST(CollisionImpulse, PainlevesRod) {
  const double l = 1, m = 1, inertia = m * 4 * l * l / 12;
  for (const double angle : {0.8, 1.0, 1.1}) {
    const Vec3 tip{-l * std::cos(angle), 0, -l * std::sin(angle)};
    ResponseBodies bodies{{},
                          loose(m, Mat3::diagonal(Vec3{1, 1, 1} / inertia), -tip, {-2, 0, -0.1})};
    ContactPoint c{.a = 0, .b = 1, .point = {}, .normal = {0, 0, 1}};
    for (const double mu : {0.5, 2.0, 10.0}) {
      const PointCollision p{impulse_matrix(bodies, c), c.normal, relative_velocity(bodies, c), mu,
                             0.5};
      const Vec3 j = mirtich_impulse(p), after = p.velocity + p.k * j;
      EXPECT_TRUE(is_finite(j));
      EXPECT_GE(after.z, -1e-9);
      const double work = dot(j, (p.velocity + after) * 0.5);
      EXPECT_LE(work, 1e-9);
    }
  }
  // Nothing to push, nothing to do; apart already.
  EXPECT_EQ(mirtich_impulse({Mat3::zero(), {0, 0, 1}, {0, 0, -1}, 0.5, 0.5}), Vec3{});
  EXPECT_EQ(mirtich_impulse({Mat3::identity(), {0, 0, 1}, {1, 0, 1}, 0.5, 0.5}), Vec3{});
}

} // namespace
} // namespace carom::test
