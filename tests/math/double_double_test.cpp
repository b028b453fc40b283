#include "carom/math/double_double.h"

#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <gmpxx.h>

namespace carom {
namespace {

using test::Source;

mpq_class exact(const DoubleDouble& x) { return mpq_class(x.high) + mpq_class(x.low); }

// Two parts of any relative size, often cancelling each other's neighbours.
DoubleDouble any(Source& source) {
  const double x = test::real(source);
  const double high = std::ldexp(x, source.index(100) - 50);
  const TwoDoubles t = two_sum(high, high * source.uniform(-1, 1) * 0x1p-53);
  return {t.value, t.error};
}

void expect_close(const DoubleDouble& result, const mpq_class& truth) {
  const mpq_class off = abs(exact(result) - truth);
  REQUIRE(off <= abs(truth) * mpq_class(0x1p-100));
}

PROPERTY(DoubleDouble, OperationsKeepAHundredBits) {
  const DoubleDouble a = any(source);
  DoubleDouble b = any(source);
  if (source.chance(3)) b = {-a.high, source.chance(2) ? a.low : -a.low * 0.5}; // cancels
  expect_close(a + b, exact(a) + exact(b));
  expect_close(a * b, exact(a) * exact(b));
  if (b.high != 0) expect_close(a / b, exact(a) / exact(b));
  REQUIRE(sign(a) == sgn(exact(a)));
}

TEST(DoubleDouble, DifferenceForgetsTheRoundingOfItsOrigins) {
  const DoubleDouble third = DoubleDouble{1} / DoubleDouble{3};
  const DoubleDouble one = third + third + third;
  EXPECT_EQ(difference(one, {1}).high, 0);
  EXPECT_EQ(difference({1, 0x1p-90}, {1}).high, 0x1p-90);
}

} // namespace
} // namespace carom
