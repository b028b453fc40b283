// Integers of fixed capacity against GMP.
#include "carom/math/wide_integer.h"

#include "tests/support/property.h"

#include <gmpxx.h>

#include <cmath>

namespace carom::test {
namespace {

using Integer = WideInteger<32>;

struct Both {
  Integer ours;
  mpz_class theirs;
};

/// Of up to 900 bits: also words that are all ones or zeros, where carries run far.
Both number(Source& source) {
  Both r{Integer(0), 0};
  const int words = source.index(15);
  for (int i = 0; i < words; ++i) {
    static constexpr std::uint64_t special[] = {0, 1, ~std::uint64_t{0}, std::uint64_t{1} << 63};
    const int kind = source.index(6);
    const std::uint64_t random = source.below(UINT64_MAX);
    const std::uint64_t word = kind < 4 ? special[kind] : random;
    const int shift = 64 * i > 0 ? 64 * i - source.index(64) : 0;
    r.ours += Integer(word, shift, false);
    mpz_class theirs(static_cast<unsigned long>(word));
    theirs <<= static_cast<unsigned long>(shift);
    r.theirs += theirs;
  }
  if (source.index(2)) {
    r.ours.negate();
    r.theirs = -r.theirs;
  }
  return r;
}

/// Word by word, from outside: by halving.
bool same(Integer a, const mpz_class& b) {
  mpz_class rest = abs(b);
  if (a.sign() != sgn(b)) return false;
  if (a.sign() == 0) return true;
  if (a.bits() != static_cast<int>(mpz_sizeinbase(rest.get_mpz_t(), 2))) return false;
  mpz_class rebuilt = 0;
  if (a.sign() < 0) a.negate();
  while (a.sign() != 0) {
    const int zeros = a.trailing_zeros();
    rebuilt += mpz_class(1) << static_cast<unsigned long>(zeros);
    a -= Integer(1, zeros, false);
  }
  return rebuilt == rest;
}

PROPERTY(WideInteger, ArithmeticIsThatOfIntegers) {
  const Both a = number(source);
  const Both b = number(source);
  REQUIRE(same(a.ours, a.theirs));
  REQUIRE(same(a.ours + b.ours, a.theirs + b.theirs));
  REQUIRE(same(a.ours - b.ours, a.theirs - b.theirs));
  REQUIRE(same(a.ours * b.ours, a.theirs * b.theirs));
  REQUIRE(same(-a.ours, -a.theirs));
  REQUIRE(same(a.ours - a.ours, 0));
  REQUIRE((a.ours == b.ours) == (a.theirs == b.theirs));
  Integer c = a.ours;
  c += a.ours;
  REQUIRE(same(c, 2 * a.theirs));
  c -= b.ours;
  REQUIRE(same(c, 2 * a.theirs - b.theirs));
  const Integer& itself = c;
  c += itself;
  REQUIRE(same(c, 4 * a.theirs - 2 * b.theirs));
  c -= itself;
  REQUIRE(c.sign() == 0);
  const WideInteger<64> wider = a.ours;
  REQUIRE(wider.sign() == a.ours.sign() && wider.bits() == a.ours.bits());
}

PROPERTY(WideInteger, ShiftsAndRounds) {
  Both a = number(source);
  ASSUME(a.theirs != 0);
  const int zeros = a.ours.trailing_zeros();
  REQUIRE(zeros == static_cast<int>(mpz_scan1(a.theirs.get_mpz_t(), 0)));
  Integer odd = a.ours;
  odd.shift_right(zeros);
  REQUIRE(same(odd, a.theirs / (mpz_class(1) << static_cast<unsigned long>(zeros))));
  // Rounded to a double, on a scale where it is below 1.
  const int bits = a.ours.bits();
  const double rounded = a.ours.times_power_of_two(-bits);
  const mpq_class exact =
      mpq_class(a.theirs) / mpq_class(mpz_class(1) << static_cast<unsigned long>(bits));
  REQUIRE(abs(mpq_class(rounded) - exact) <= abs(exact) * mpq_class(0x1p-52));
}

TEST(WideInteger, KeepsWithinItsCapacity) {
  // What does not fit is lost, and nothing else happens.
  WideInteger<2> a(~std::uint64_t{0}, 63, false);
  for (int i = 0; i < 10; ++i) a += a;
  EXPECT_LE(a.bits(), 128);
  EXPECT_EQ((a * a).sign(), 0);
  EXPECT_EQ(WideInteger<2>(1, 500, false).sign(), 0);
  EXPECT_EQ(WideInteger<2>(INT64_MIN).bits(), 64);
  EXPECT_EQ(WideInteger<2>(INT64_MIN).sign(), -1);
  EXPECT_EQ(WideInteger<2>(1).times_power_of_two(-5000), 0);
  EXPECT_EQ(WideInteger<2>(-1).times_power_of_two(5000), -INFINITY);
}

} // namespace
} // namespace carom::test
