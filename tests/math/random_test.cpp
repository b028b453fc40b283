#include "carom/math/random.h"

#include "tests/support/property.h"

#include <array>

namespace carom {
namespace {

TEST(Random, ValueIsAFunctionOfSeedAndCounter) {
  Random a(7);
  for (int i = 0; i < 10; ++i) (void)a.bits();
  Random b(7, a.counter());
  const auto bits = a.bits();
  EXPECT_EQ(b.bits(), bits);
  EXPECT_NE(Random(1).bits(), Random(2).bits());
}

TEST(Random, BelowIsUniformAndInRange) {
  Random r(3);
  std::array<int, 6> count{};
  for (int i = 0; i < 60000; ++i) ++count.at(static_cast<std::size_t>(r.below(6)));
  // Binomial, n = 60000, p = 1/6: the standard deviation is 91; six of them.
  for (const int c : count) EXPECT_NEAR(c, 10000, 548);
  EXPECT_EQ(r.below(0), 0u);
  EXPECT_EQ(r.below(1), 0u);
}

TEST(Random, EveryOutputBitDependsOnEveryCounterBit) {
  for (int in = 0; in < 64; ++in) {
    std::array<int, 64> flips{};
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const std::uint64_t c = mix_bits(5, i);
      const std::uint64_t d = mix_bits(9, c) ^ mix_bits(9, c ^ (std::uint64_t{1} << in));
      for (unsigned out = 0; out < 64; ++out) flips.at(out) += static_cast<int>(d >> out & 1);
    }
    for (const int f : flips) EXPECT_NEAR(f, 500, 100) << "input bit " << in;
  }
}

TEST(Random, DirectionsAreUnitAndBalanced) {
  Random r(11);
  Vec3 sum;
  for (int i = 0; i < 20000; ++i) {
    const Vec3 d = r.direction();
    EXPECT_NEAR(length(d), 1, 1e-15);
    sum += d;
  }
  EXPECT_LT(length(sum), 6 * std::sqrt(20000.0));
}

TEST(Random, RotationsTurnAnAxisEverywhereEqually) {
  Random r(12);
  Vec3 sum;
  for (int i = 0; i < 20000; ++i) {
    const Quat q = r.rotation();
    EXPECT_NEAR(length_squared(q), 1, 1e-15);
    sum += to_matrix(q) * Vec3{0, 0, 1};
  }
  EXPECT_LT(length(sum), 6 * std::sqrt(20000.0));
}

} // namespace
} // namespace carom
