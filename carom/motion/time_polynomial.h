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

struct TimePolynomial {
  static constexpr int most = 4;
  int degree = -1; ///< of the polynomial in s: that of its highest coefficient which is not zero. -1: the polynomial is zero
  int nominal = 0; ///< n: coefficients up to this one are set
  std::array<WideInteger, most + 1> c;

  TimePolynomial() = default;
  /// {from, to}: linear.
  TimePolynomial(const WideInteger& from, const WideInteger& to);
  [[nodiscard]] bool zero() const { return degree < 0; }
  /// Finds the degree anew.
  void settle();
};

[[nodiscard]] TimePolynomial operator+(const TimePolynomial& a, const TimePolynomial& b);
[[nodiscard]] TimePolynomial operator-(const TimePolynomial& a, const TimePolynomial& b);
[[nodiscard]] TimePolynomial operator*(const TimePolynomial& a, const TimePolynomial& b);
[[nodiscard]] TimePolynomial operator-(const TimePolynomial& a);

/// -1, 0 or 1: the sign of p at a time.
[[nodiscard]] int sign_at(const TimePolynomial& p, GridTime time);

/// One root of a polynomial: the only one in the open interval from lo to hi, where it changes sign; or lo = hi is the root itself.
struct TimeRoot {
  GridTime lo = 0, hi = 0;
  /// Several roots less than 2^-62 apart: nothing can be said about signs there.
  bool crowded = false;
  /// What has this root, as a simple one or with a change of sign at least.
  TimePolynomial of;
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
