// Numbers of 104 bits and more: the unevaluated sum of two doubles.
//
// Every operation has a relative error below 2^-100, also a sum that cancels. (Dekker 1971; the bounds are those of Joldes, Muller
// and Popescu 2017.) Where 53 bits are too few to decide and exact arithmetic would be too slow.
#pragma once

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

/// high + low, with |low| at most half the spacing of doubles at high.
struct DoubleDouble {
  double high = 0, low = 0;

  /// a + b exactly, where |a| >= |b| or a is 0.
  [[nodiscard]] static constexpr DoubleDouble of_sorted_sum(double a, double b) {
    const double s = a + b;
    return {s, b - (s - a)};
  }
  /// a + b exactly.
  [[nodiscard]] static constexpr DoubleDouble of_sum(double a, double b) {
    const double s = a + b;
    const double t = s - a;
    return {s, (a - (s - t)) + (b - t)};
  }
  /// a b exactly, for |a|, |b|, |a b| between 1e-250 and 1e290 or 0: the halves of each factor have exact products.
  [[nodiscard]] static constexpr DoubleDouble of_product(double a, double b) {
    constexpr double splitter = 0x1p27 + 1;
    const double p = a * b;
    const double ta = splitter * a;
    const double tb = splitter * b;
    const double ah = ta - (ta - a);
    const double bh = tb - (tb - b);
    const double al = a - ah;
    const double bl = b - bh;
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
  }
};

[[nodiscard]] constexpr DoubleDouble operator-(const DoubleDouble& a) {
  return {-a.high, -a.low};
}
[[nodiscard]] constexpr DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble s = DoubleDouble::of_sum(a.high, b.high);
  const DoubleDouble t = DoubleDouble::of_sum(a.low, b.low);
  const DoubleDouble u = DoubleDouble::of_sorted_sum(s.high, s.low + t.high);
  return DoubleDouble::of_sorted_sum(u.high, u.low + t.low);
}
[[nodiscard]] constexpr DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble p = DoubleDouble::of_product(a.high, b.high);
  return DoubleDouble::of_sorted_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}
[[nodiscard]] constexpr DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
  const double first = a.high / b.high;
  const DoubleDouble rest = a + -(b * DoubleDouble{first});
  const double second = rest.high / b.high;
  const DoubleDouble rest2 = rest + -(b * DoubleDouble{second});
  return DoubleDouble::of_sorted_sum(first, second) + DoubleDouble{rest2.high / b.high};
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

} // namespace gnu::visibility("default")]]carom
