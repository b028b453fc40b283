// Interval arithmetic: sets of reals [lo, hi] that surely hold the true result.
//
// For every function here: whatever reals are taken from the arguments, the exact real result lies in the interval returned. And
// each end is the tightest double that allows: the exact end of the range, rounded down for lo and up for hi. So [1,1] + [2,2] is
// [3,3]. The processor's rounding mode is left alone (WebAssembly has only one): an operation is done to nearest, its error is
// found exactly (error_free.h), and the end is moved by one double only where it was rounded inward. That holds for the whole range
// of double, subnormals included.
//
// Ends: lo <= hi, lo < +infinity, hi > -infinity; an infinite end means unbounded (infinity itself is not in the set). Overflow gives
// an infinite end on the outer side and the greatest double on the inner one. No operation on such intervals gives NaN. The empty
// set cannot be written: intersect returns an optional. An interval made with NaN or with lo > hi gives meaningless ends, no more.
//
// An expression with a variable used twice gives too much: x (6 - x) over [1,3] gives [3,15], and the range is [5,9]. Split the
// interval and join the results (hull), or write each variable once.
#pragma once

#include "carom/math/error_free.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace [[gnu::visibility("default")]] carom {

/// The least double above x; the greatest double and +infinity give +infinity. NaN gives NaN.
[[nodiscard]] constexpr double next_up(double x) {
  if (x == 0) return std::numeric_limits<double>::denorm_min();
  if (!(x < std::numeric_limits<double>::infinity())) return x;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return std::bit_cast<double>(x > 0 ? bits + 1 : bits - 1);
}
/// The greatest double below x: -next_up(-x).
[[nodiscard]] constexpr double next_down(double x) {
  return -next_up(-x);
}

struct Interval {
  double lo = 0, hi = 0;

  constexpr Interval() = default;
  /// The single number x, finite.
  constexpr Interval(double x) : lo(x), hi(x) {}
  constexpr Interval(double low, double high) : lo(low), hi(high) {}

  /// All reals.
  [[nodiscard]] static constexpr Interval whole() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  constexpr bool operator==(const Interval&) const = default;
};

namespace rounding {

/// The sign of x y - z, exactly, for all finite doubles.
[[nodiscard]] inline int compare_product(double x, double y, double z) {
  const auto decide = [](const TwoDoubles& product, double against) {
    // Rounding is monotone: where the rounded product differs from a double, so does the product, to the same side.
    const double d = product.value != against ? product.value - against : product.error;
    return d > 0 ? 1 : d < 0 ? -1 : 0;
  };
  const double ax = std::fabs(x);
  const double ay = std::fabs(y);
  const double size = ax * ay;
  if (ax < 0x1p995 && ay < 0x1p995 && size < 0x1p1000 && size > 0x1p-960) {
    return decide(two_product(x, y), z);
  }
  if (x == 0 || y == 0) return z < 0 ? 1 : z > 0 ? -1 : 0;
  // Near the ends of the exponent range: scale both factors to [1/2, 1). Then z scales exactly too, unless it is so far from the
  // product that its rounding does not matter.
  int ex = 0;
  int ey = 0;
  const double mx = std::frexp(x, &ex);
  const double my = std::frexp(y, &ey);
  return decide(two_product(mx, my), std::ldexp(z, -ex - ey));
}

// x rounded to nearest, moved to the wanted side of the exact value; `error` has the sign of exact - x. Infinite x from finite operands
// is an overflow: its inner side is the greatest double, which is what next_down and next_up make of it.
[[nodiscard]] inline double down(double x, double error) {
  return error >= 0 ? x : next_down(x);
}
[[nodiscard]] inline double up(double x, double error) {
  return error <= 0 ? x : next_up(x);
}

/// What each operation leaves: the result to nearest, and a number with the sign of exact - value.
struct Rounded {
  double value, error;
  [[nodiscard]] double lower() const { return down(value, error); }
  [[nodiscard]] double upper() const { return up(value, error); }
};

/// For a value that is infinite: 0 when an operand was (the result is right), else the way back to the finite.
[[nodiscard]] inline Rounded unbounded(double value, bool operand_infinite) {
  return {value, operand_infinite ? 0 : -value};
}

[[nodiscard]] inline Rounded add(double a, double b) {
  const double value = a + b;
  if (std::isinf(value)) return unbounded(value, std::isinf(a) || std::isinf(b));
  // With the greater operand first the error is found without overflow, even at the top of the range.
  const bool ordered = std::fabs(a) >= std::fabs(b);
  return {value, fast_two_sum(ordered ? a : b, ordered ? b : a).error};
}

[[nodiscard]] inline Rounded multiply(double a, double b) {
  if (a == 0 || b == 0) return {0, 0}; // also 0 times infinity: every number of the set times 0
  const double value = a * b;
  if (std::isinf(value)) return unbounded(value, std::isinf(a) || std::isinf(b));
  return {value, static_cast<double>(compare_product(a, b, value))};
}

/// b is not 0, and not both are infinite.
[[nodiscard]] inline Rounded divide(double a, double b) {
  const double value = a / b;
  if (std::isinf(value)) return unbounded(value, std::isinf(a));
  if (std::isinf(b)) return {0, 0}; // the limit
  const int excess = compare_product(value, b, a);
  return {value, static_cast<double>(b > 0 ? -excess : excess)};
}

/// x >= 0.
[[nodiscard]] inline Rounded root(double x) {
  const double value = std::sqrt(x);
  if (std::isinf(value)) return {value, 0};
  return {value, static_cast<double>(-compare_product(value, value, x))};
}

} // namespace rounding

[[nodiscard]] constexpr bool contains(const Interval& a, double x) {
  return a.lo <= x && x <= a.hi;
}
/// b is a subset of a.
[[nodiscard]] constexpr bool contains(const Interval& a, const Interval& b) {
  return a.lo <= b.lo && b.hi <= a.hi;
}

// What is true of every number in the interval. Two of these may both be false; use the negation of the opposite for 'possibly'.
[[nodiscard]] constexpr bool certainly_positive(const Interval& a) {
  return a.lo > 0;
}
[[nodiscard]] constexpr bool certainly_negative(const Interval& a) {
  return a.hi < 0;
}
[[nodiscard]] constexpr bool certainly_nonnegative(const Interval& a) {
  return a.lo >= 0;
}
[[nodiscard]] constexpr bool certainly_nonpositive(const Interval& a) {
  return a.hi <= 0;
}
[[nodiscard]] constexpr bool certainly_zero(const Interval& a) {
  return a.lo == 0 && a.hi == 0;
}
[[nodiscard]] constexpr bool certainly_nonzero(const Interval& a) {
  return a.lo > 0 || a.hi < 0;
}
/// Every number of a is less than every number of b.
[[nodiscard]] constexpr bool certainly_less(const Interval& a, const Interval& b) {
  return a.hi < b.lo;
}

/// hi - lo, rounded up; infinite where unbounded.
[[nodiscard]] inline double width(const Interval& a) {
  return rounding::add(a.hi, -a.lo).upper();
}
/// A finite number in the interval, the middle where it is bounded (to within rounding). Whole line: 0. Half-line: its greatest double
/// in magnitude.
[[nodiscard]] constexpr double midpoint(const Interval& a) {
  constexpr double greatest = std::numeric_limits<double>::max();
  if (a.lo < -greatest) return a.hi > greatest ? 0 : -greatest;
  if (a.hi > greatest) return greatest;
  const double middle = a.lo * 0.5 + a.hi * 0.5;
  return middle < a.lo ? a.lo : middle > a.hi ? a.hi : middle; // halves of subnormals round
}

/// The least interval that holds both.
[[nodiscard]] constexpr Interval hull(const Interval& a, const Interval& b) {
  return {a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}
/// What both hold; none where they are disjoint. Touching intervals share a point.
[[nodiscard]] constexpr std::optional<Interval> intersect(const Interval& a, const Interval& b) {
  const Interval r = {a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
  return r.lo <= r.hi ? std::optional<Interval>(r) : std::nullopt;
}

[[nodiscard]] constexpr Interval operator-(const Interval& a) {
  return {-a.hi, -a.lo};
}
[[nodiscard]] inline Interval operator+(const Interval& a, const Interval& b) {
  return {rounding::add(a.lo, b.lo).lower(), rounding::add(a.hi, b.hi).upper()};
}
[[nodiscard]] inline Interval operator-(const Interval& a, const Interval& b) {
  return a + -b;
}

/// [0,0] times anything, unbounded or not, is [0,0].
[[nodiscard]] inline Interval operator*(const Interval& a, const Interval& b) {
  using rounding::multiply;
  if (a.lo >= 0) {
    return {multiply(b.lo >= 0 ? a.lo : a.hi, b.lo).lower(),
            multiply(b.hi >= 0 ? a.hi : a.lo, b.hi).upper()};
  }
  if (a.hi <= 0) return -(-a * b);
  if (b.lo >= 0 || b.hi <= 0) return b * a;
  // Both straddle 0: each end is the greater of two products of its sign.
  return hull({multiply(a.lo, b.hi).lower(), multiply(a.lo, b.lo).upper()},
              {multiply(a.hi, b.lo).lower(), multiply(a.hi, b.hi).upper()});
}

/// All q with q y = x for some x of a and y of b. Where b holds 0 that is unbounded:
///   a holds 0 too, or b has 0 in its interior: the whole line;
///   b = [0, h] or [l, 0] with 0 not in a: the half-line of the quotient's sign;
///   b = [0, 0]: there is no quotient unless a holds 0; the whole line is returned in either case.
[[nodiscard]] inline Interval operator/(const Interval& a, const Interval& b) {
  using rounding::divide;
  constexpr double inf = std::numeric_limits<double>::infinity();
  if (b.lo > 0) {
    return {divide(a.lo, a.lo >= 0 ? b.hi : b.lo).lower(),
            divide(a.hi, a.hi >= 0 ? b.lo : b.hi).upper()};
  }
  if (b.hi < 0 || (b.hi == 0 && b.lo < 0)) return -a / -b;
  if (b.lo < 0 || b.hi == 0 || contains(a, 0.0)) return Interval::whole();
  if (a.lo > 0) return {divide(a.lo, b.hi).lower(), inf};
  return {-inf, divide(a.hi, b.hi).upper()};
}

/// |x|.
[[nodiscard]] constexpr Interval abs(const Interval& a) {
  if (a.lo >= 0) return a;
  if (a.hi <= 0) return -a;
  return {0, -a.lo > a.hi ? -a.lo : a.hi};
}
/// x^2; unlike x * x it is never negative.
[[nodiscard]] inline Interval square(const Interval& a) {
  const Interval m = abs(a);
  return {rounding::multiply(m.lo, m.lo).lower(), rounding::multiply(m.hi, m.hi).upper()};
}
/// The square roots of the numbers >= 0 in a. The negative part is clamped to 0: sqrt([-1,4]) = [0,2], sqrt([-2,-1]) = [0,0]. (A
/// sum of squares minus another may go below 0 by what the intervals are too wide; its true root is real.)
[[nodiscard]] inline Interval sqrt(const Interval& a) {
  return {a.lo > 0 ? rounding::root(a.lo).lower() : 0, a.hi > 0 ? rounding::root(a.hi).upper() : 0};
}
[[nodiscard]] constexpr Interval min(const Interval& a, const Interval& b) {
  return {a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}
[[nodiscard]] constexpr Interval max(const Interval& a, const Interval& b) {
  return {a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

} // namespace gnu::visibility("default")]]carom
