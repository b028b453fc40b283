// Numbers of 104 bits and more: the unevaluated sum of two doubles.
//
// Every operation has a relative error below 2^-100, also a sum that cancels. (Dekker 1971; the bounds are those of Joldes, Muller
// and Popescu 2017.) Where 53 bits are too few to decide and exact arithmetic would be too slow.
#pragma once

#include "carom/math/error_free.h"

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

/// high + low, with |low| at most half the spacing of doubles at high.
struct DoubleDouble {
  double high = 0, low = 0;
};

[[nodiscard]] constexpr DoubleDouble operator-(const DoubleDouble& a) { return {-a.high, -a.low}; }
[[nodiscard]] constexpr DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
  const TwoDoubles s = two_sum(a.high, b.high);
  const TwoDoubles t = two_sum(a.low, b.low);
  const TwoDoubles u = fast_two_sum(s.value, s.error + t.value);
  const TwoDoubles v = fast_two_sum(u.value, u.error + t.error);
  return {v.value, v.error};
}
[[nodiscard]] constexpr DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) {
  return a + -b;
}
[[nodiscard]] constexpr DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
  const TwoDoubles p = two_product(a.high, b.high);
  const TwoDoubles r = fast_two_sum(p.value, p.error + (a.high * b.low + a.low * b.high));
  return {r.value, r.error};
}
[[nodiscard]] constexpr DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
  const double first = a.high / b.high;
  const DoubleDouble rest = a + -(b * DoubleDouble{first});
  const double second = rest.high / b.high;
  const DoubleDouble rest2 = rest + -(b * DoubleDouble{second});
  const TwoDoubles q = fast_two_sum(first, second);
  return DoubleDouble{q.value, q.error} + DoubleDouble{rest2.high / b.high};
}
[[nodiscard]] constexpr int sign(const DoubleDouble& a) {
  return a.high > 0 ? 1 : a.high < 0 ? -1 : 0;
}

/// a - b, and zero where that is the rounding of what a and b come from. A few operations of 2^-104 each leave 2^-96.
[[nodiscard]] inline DoubleDouble difference(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble d = a + -b;
  return std::fabs(d.high) <= 0x1p-96 * (std::fabs(a.high) + std::fabs(b.high)) ? DoubleDouble{}
                                                                                : d;
}

} // namespace carom
