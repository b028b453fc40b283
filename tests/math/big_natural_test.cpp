#include "carom/math/big_natural.h"

#include "tests/support/property.h"

#include <gmpxx.h>

namespace carom {
namespace {

using test::Source;

/// The same number twice, built by the same steps; up to some 1,500 bits.
struct Pair {
  BigNatural ours;
  mpz_class theirs;
};
Pair number(Source& source) {
  Pair p;
  for (int steps = source.index(12); steps > 0; --steps) {
    const auto factor = static_cast<std::uint32_t>(source.below(std::uint64_t{1} << 32));
    const auto addend = static_cast<std::uint32_t>(source.below(std::uint64_t{1} << 32));
    const int count = source.index(70), ten = source.index(15);
    p.ours.multiply_add(factor, addend);
    p.theirs = p.theirs * factor + addend;
    p.ours.shift_left(count);
    p.theirs <<= static_cast<mp_bitcnt_t>(count);
    p.ours.multiply_power_of_ten(ten);
    mpz_class power;
    mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(ten));
    p.theirs *= power;
  }
  return p;
}

/// Equal where each bit is: compared by taking both apart from the top.
bool same(BigNatural ours, mpz_class theirs) {
  while (theirs != 0) {
    const auto bits = static_cast<int>(mpz_sizeinbase(theirs.get_mpz_t(), 2));
    if (ours.bits() != bits) return false;
    BigNatural top(1);
    top.shift_left(bits - 1);
    ours.subtract(top);
    theirs -= mpz_class(1) << static_cast<mp_bitcnt_t>(bits - 1);
  }
  return ours.zero() && ours.bits() == 0;
}

PROPERTY(BigNatural, AgreesWithGmp) {
  const Pair a = number(source), b = number(source);
  REQUIRE(same(a.ours, a.theirs));
  REQUIRE(compare(a.ours, b.ours) == (a.theirs > b.theirs) - (a.theirs < b.theirs));
  REQUIRE(compare(a.ours, a.ours) == 0);
  BigNatural sum = a.ours;
  sum.add(b.ours);
  REQUIRE(same(sum, a.theirs + b.theirs));
  sum.subtract(a.ours);
  REQUIRE(same(sum, b.theirs));
  REQUIRE(compare(sum, b.ours) == 0);
}

// Beyond 4,096 bits upper bits are lost, and nothing else happens.
TEST(BigNatural, StaysInItsMemory) {
  BigNatural n(1);
  n.shift_left(4095);
  EXPECT_EQ(n.bits(), 4096);
  n.shift_left(1);
  EXPECT_TRUE(n.zero());
  BigNatural all(UINT64_MAX);
  for (int i = 0; i < 1000; ++i) all.multiply_add(UINT32_MAX, UINT32_MAX);
  EXPECT_LE(all.bits(), 4096);
  all.add(all);
  all.shift_left(100'000);
  EXPECT_TRUE(all.zero());
}

} // namespace
} // namespace carom
