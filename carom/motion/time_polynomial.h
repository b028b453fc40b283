// Polynomials in time with integer coefficients, their roots in (0, 1), and the signs of others there: exactly.
//
// p(t) = sum of c[i] t^i (1 - t)^(n - i). Divided by (1 - t)^n it is the polynomial with the same coefficients in s = t / (1 - t), and s runs from 0 to infinity as t runs
// from 0 to 1. So c[0] is its value at 0 and c[n] its value at 1; Descartes' rule of signs counts roots by the coefficients as they stand; and what moves linearly from a to b
// is simply the polynomial {a, b}.
#pragma once

#include "carom/math/wide_integer.h"

#include <array>

namespace [[gnu::visibility("default")]] carom {

/// A time is a multiple of 2^-62 in [0, 1].
using GridTime = std::uint64_t;
inline constexpr GridTime grid_one = GridTime{1} << 62;

/// The time as a double, rounded down or up.
[[nodiscard]] double time_below(GridTime time);
[[nodiscard]] double time_above(GridTime time);

template<int Words>
struct PolynomialInTime {
  static constexpr int most = 4;
  using Coefficient = WideInteger<Words>;

  int degree =
      -1; ///< of the polynomial in s: that of its highest coefficient which is not zero. -1: the polynomial is zero
  int nominal = 0; ///< n: coefficients up to this one are set
  std::array<Coefficient, most + 1> c;

  PolynomialInTime() = default;
  /// {from, to}: linear.
  PolynomialInTime(const Coefficient& from, const Coefficient& to) : nominal(1) {
    c[0] = from;
    c[1] = to;
    settle();
  }
  /// The same in a greater capacity.
  template<int Less>
  requires(Less < Words) PolynomialInTime(const PolynomialInTime<Less>& p)
      : degree(p.degree), nominal(p.nominal) {
    for (std::size_t i = 0; i <= static_cast<std::size_t>(nominal); ++i) c[i] = p.c[i];
  }

  [[nodiscard]] const Coefficient& operator[](int i) const {
    return c[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] Coefficient& operator[](int i) { return c[static_cast<std::size_t>(i)]; }
  [[nodiscard]] bool zero() const { return degree < 0; }
  /// Finds the degree anew.
  void settle() {
    degree = nominal;
    while (degree >= 0 && (*this)[degree].sign() == 0) --degree;
  }

  [[nodiscard]] friend PolynomialInTime operator-(const PolynomialInTime& a) {
    PolynomialInTime r = a;
    for (int i = 0; i <= r.nominal; ++i) r[i].negate();
    return r;
  }
  /// Of the same nominal degree.
  [[nodiscard]] friend PolynomialInTime operator+(const PolynomialInTime& a,
                                                  const PolynomialInTime& b) {
    PolynomialInTime r;
    r.nominal = a.nominal;
    for (int i = 0; i <= r.nominal; ++i) r[i] = a[i] + b[i];
    r.settle();
    return r;
  }
  [[nodiscard]] friend PolynomialInTime operator-(const PolynomialInTime& a,
                                                  const PolynomialInTime& b) {
    PolynomialInTime r;
    r.nominal = a.nominal;
    for (int i = 0; i <= r.nominal; ++i) r[i] = a[i] - b[i];
    r.settle();
    return r;
  }
  [[nodiscard]] friend PolynomialInTime operator*(const PolynomialInTime& a,
                                                  const PolynomialInTime& b) {
    PolynomialInTime r;
    r.nominal = a.nominal + b.nominal;
    for (int i = 0; i <= a.nominal; ++i)
      for (int j = 0; j <= b.nominal; ++j) r[i + j] += a[i] * b[j];
    r.settle();
    return r;
  }
};

/// Of coordinates, areas and volumes. A coordinate in range (tolerance.h) is a multiple of 2^-152 below 2^100; a difference has 254 bits, a volume's coefficient 767, and its value at a
/// time, times 2^186, 955.
using TimePolynomial = PolynomialInTime<16>;
/// Of remainders. Those of p' g by p, for a volume p and an area g, have up to 1,281 + 2 768 bits, then 767 + 2 2,818, then 2,818 + 2 6,404 = 15,626, and 62 more at a time.
using RemainderPolynomial = PolynomialInTime<256>;

/// -1, 0 or 1: the sign of p at a time.
[[nodiscard]] int sign_at(const TimePolynomial& p, GridTime time);

/// One root of a polynomial: the only one in the open interval from lo to hi, where it changes sign; or lo = hi is the root itself.
struct TimeRoot {
  GridTime lo = 0, hi = 0;
  /// Several roots less than 2^-62 apart: nothing can be said about signs there.
  bool crowded = false;
  /// What has this root, as a simple one or with a change of sign at least.
  RemainderPolynomial of;
};

struct TimeRoots {
  int count = 0;
  std::array<TimeRoot, 3> root;
};

/// The distinct roots of p in 0 < t < 1, in ascending order, to within about 2^-49. p is of degree 3 at most, and not zero.
void find_roots(const TimePolynomial& p, TimeRoots& roots);

/// -1, 0 or 1: the sign of g, of degree 2 at most, at the root, exactly. The root is not crowded.
[[nodiscard]] int sign_at(const TimePolynomial& g, const TimeRoot& root);

} // namespace carom
