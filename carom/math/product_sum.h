// Exact signs, and accurate values, of sums of products of doubles: determinants, discriminants, polynomials at a point.
//
// Expansions (expansion.h) are exact while exponents stay within the range of double. Here the exponents are kept apart, so the sign
// is exact for *all* finite doubles, from the smallest subnormal to the greatest. It costs some hundred nanoseconds to a few
// microseconds; a filter in plain doubles decides most calls before that.
#pragma once

#include <array>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// weight * factor[0] * factor[1] * factor[2] * factor[3], with |weight| <= 1024.
struct Product {
  int weight = 1;
  std::array<double, 4> factor{1, 1, 1, 1};
};

/// At most this many products in one sum.
inline constexpr int max_products = 6;

/// mantissa * 2^exponent.
struct ScaledDouble {
  double mantissa = 0;
  int exponent = 0;
};

/// The sum of at most six products. Its sign is exact, it is zero only where the sum is, and its relative error is below 2^-50.
/// Where a factor is NaN or infinite, zero.
[[nodiscard]] ScaledDouble sum_of_products(std::span<const Product> terms);

/// -1, 0 or 1: the exact sign of the sum of at most six products. Where a factor is NaN or infinite, 0.
[[nodiscard]] int sign_of_sum(std::span<const Product> terms);

/// a / b, with one rounding besides those of a and b; b is not zero. Overflow gives an infinity, underflow a rounded value or zero.
[[nodiscard]] double quotient(const ScaledDouble& a, const ScaledDouble& b);

} // namespace carom
