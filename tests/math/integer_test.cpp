#include "carom/math/integer.h"

#include "tests/support/property.h"

#include <gmpxx.h>

namespace carom {
namespace {

using test::for_each_seed;
using test::Source;

static_assert(multiply_high(0, 5) == 0);
static_assert(multiply_high(std::uint64_t{1} << 63, 2) == 1);
static_assert(multiply_high(~std::uint64_t{0}, ~std::uint64_t{0}) == ~std::uint64_t{0} - 1);

mpz_class big(std::uint64_t x) {
  mpz_class result;
  mpz_import(result.get_mpz_t(), 1, 1, sizeof x, 0, 0, &x);
  return result;
}

/// Full words, words of few bits, and words of long runs of ones: every carry happens.
std::uint64_t word(Source& source) {
  const std::uint64_t high = source.below(std::uint64_t{1} << 32);
  const std::uint64_t random = high << 32 | source.below(std::uint64_t{1} << 32);
  switch (source.index(4)) {
  case 0:
    return random >> source.index(64);
  case 1:
    return ~std::uint64_t{0} << source.index(64);
  case 2:
    return ~(random & (random << 1) >> source.index(64));
  default:
    return random;
  }
}

TEST(Integer, MultiplyHighIsTheUpperWordOfTheProduct) {
  for_each_seed(100000, [](Source& source) {
    const std::uint64_t a = word(source), b = word(source);
    const mpz_class upper = (big(a) * big(b)) >> 64;
    EXPECT_EQ(big(multiply_high(a, b)), upper) << a << " * " << b;
  });
}

} // namespace
} // namespace carom
