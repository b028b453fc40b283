// Bodies that turn fast: eight at a time, and each on its own.
#include "carom/dynamics/integrator.h"
#include "carom/math/random.h"
#include "tests/dynamics/scenes.h"

#include <array>
#include <cmath>

namespace carom::test {
namespace {

constexpr double sub_step = 1.0 / 240;

/// Place 0 is nobody's.
struct EightBodies {
  BodyStore bodies;
  std::vector<BodyMotion> motions{BodyMotion{}};
  std::vector<SolverBody> states{SolverBody{}};
  std::array<std::uint32_t, 8> places{};

  EightBodies(Random& random, std::size_t count, double turn) {
    for (std::size_t i = 0; i < count; ++i) {
      const double thin = std::pow(10, random.uniform(-2, 0));
      const Shape shape = Shape::box({thin, random.uniform(0.3, 1), 1}).value();
      const Quat q = random.rotation();
      const BodyId id = bodies.add({.shape = shape, .pose = {q, {1, 2, 3}}}).value();
      motions.push_back(begin_motion(bodies[id.slot], id.slot, {}, sub_step));
      const Vec3 axis = random.direction();
      const Quat since = turned_by({}, axis * random.uniform(0, 0.5));
      const double numbers[4] = {since.x, since.y, since.z, since.w};
      for (int k = 0; k < 4; ++k) motions.back().turn[k] = static_cast<float>(numbers[k]);
      SolverBody s;
      const Vec3 spin = random.direction() * (turn / sub_step), velocity = random.direction();
      for (int k = 0; k < 3; ++k) {
        s.spin[k] = static_cast<float>(spin[k]);
        s.velocity[k] = static_cast<float>(velocity[k]);
      }
      states.push_back(s);
      places[i] = static_cast<std::uint32_t>(i + 1);
    }
  }
};

TEST(Integrator, EightSwiftBodiesTurnAsEachDoes) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t count = round % 2 == 0 ? 8 : 5;
    const double turn = random.uniform(0.001, 0.299);
    EightBodies swift(random, count, turn);
    EightBodies each = swift;
    for (std::size_t i = 1; i <= count; ++i) {
      const Body& body = each.bodies[each.motions[i].slot];
      ASSERT_TRUE(is_swift(body, each.motions[i], each.states[i], sub_step));
      integrate_fast(body, each.motions[i], each.states[i], sub_step);
    }
    integrate_swift(swift.bodies, swift.motions, swift.states, swift.places.data(), sub_step);
    for (std::size_t i = 0; i <= count; ++i)
      for (int k = 0; k < 3; ++k) {
        const float rate = static_cast<float>(turn / sub_step);
        EXPECT_NEAR(swift.motions[i].turn[k], each.motions[i].turn[k], 3e-7F);
        EXPECT_NEAR(swift.states[i].spin[k], each.states[i].spin[k], 3e-6F * rate);
        EXPECT_NEAR(swift.motions[i].base_spin[k], each.motions[i].base_spin[k], 3e-6F * rate);
        EXPECT_NEAR(swift.states[i].turned[k], each.states[i].turned[k], 1e-6F);
        EXPECT_EQ(swift.states[i].moved[k], each.states[i].moved[k]);
      }
  }
}

TEST(Integrator, FasterBodiesAreLeftToOthers) {
  Random random(2);
  const EightBodies bodies(random, 8, 0.31);
  for (std::size_t i = 1; i <= 8; ++i)
    EXPECT_FALSE(is_swift(bodies.bodies[bodies.motions[i].slot], bodies.motions[i],
                          bodies.states[i], sub_step));
}

} // namespace
} // namespace carom::test
