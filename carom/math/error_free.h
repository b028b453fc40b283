// Error-free transformations: the rounding error of +, - and * of two doubles, as a double.
//
// For round-to-nearest-even, p = 53 bits, the error of a sum or product is itself a double (Dekker 1971, Knuth 1969) as long as
// nothing overflows and the low part of a product does not fall below the smallest subnormal, 2^-1074:
//   sums         always exact when `value` is finite and no operand is the greatest double;
//   products     exact when |a|, |b| < 2^995, |a b| < 2^1022, and a b is a multiple of 2^-1074 (enough: |a b| >= 2^-968, or 0).
// Outside of that the functions return some numbers, perhaps NaN, and no more is promised.
//
// No fused multiply-add: WebAssembly has none, and the bits must be the same everywhere. They need -ffp-contract=off, which
// carom::carom carries.
#pragma once

namespace [[gnu::visibility("default")]] carom {

/// An unevaluated sum: value = the rounded result of an operation, error = the exact result - value.
struct TwoDoubles {
  double value, error;
};

/// a + b for any a, b.
[[nodiscard]] constexpr TwoDoubles two_sum(double a, double b) {
  const double value = a + b;
  const double b_part = value - a;
  const double a_part = value - b_part;
  return {value, (a - a_part) + (b - b_part)};
}

/// a + b where |a| >= |b|, or a = 0, or more generally where a is a multiple of ulp(b).
[[nodiscard]] constexpr TwoDoubles fast_two_sum(double a, double b) {
  const double value = a + b;
  return {value, b - (value - a)};
}

/// a - b for any a, b.
[[nodiscard]] constexpr TwoDoubles two_diff(double a, double b) {
  return two_sum(a, -b);
}

/// a = value + error, where both halves have at most 26 significant bits, so that products of halves are exact.
[[nodiscard]] constexpr TwoDoubles split(double a) {
  constexpr double splitter = 0x1p27 + 1;
  const double c = splitter * a;
  const double high = c - (c - a);
  return {high, a - high};
}

/// a b, where b has been split before.
[[nodiscard]] constexpr TwoDoubles two_product(double a, double b, const TwoDoubles& b_halves) {
  const TwoDoubles a_halves = split(a);
  const double value = a * b;
  // Each difference is exact: it removes from the product, highest first, what the halves account for.
  const double rest =
      ((a_halves.value * b_halves.value - value) + a_halves.error * b_halves.value) +
      a_halves.value * b_halves.error;
  return {value, a_halves.error * b_halves.error + rest};
}

/// a b.
[[nodiscard]] constexpr TwoDoubles two_product(double a, double b) {
  return two_product(a, b, split(b));
}

} // namespace gnu::visibility("default")]]carom
