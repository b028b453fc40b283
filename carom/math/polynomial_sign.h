// The sign of a polynomial at a double, exactly: what the certified roots (roots.h) are built on.
#pragma once

#include "carom/math/error_free.h"

#include <array>

namespace [[gnu::visibility("default")]] carom {

/// The sum of weight[i] coefficient[i] x^i. The integer weights let a derivative, 3 a x^2 + 2 b x + c, be written without rounding.
struct WeightedPolynomial {
  int degree = 0; ///< 0 to 3; the coefficients above are zero
  std::array<double, 4> coefficient{};
  std::array<int, 4> weight{1, 1, 1, 1}; ///< 1 to 32

  // Kept for speed, set by the constructor:
  std::array<TwoDoubles, 4> term{}; ///< weight[i] coefficient[i], exactly where `tame`
  bool tame = true;                 ///< coefficients are 0 or of magnitude 2^-240 to 2^240

  WeightedPolynomial(int degree_, const std::array<double, 4>& coefficient_,
                     const std::array<int, 4>& weight_ = {1, 1, 1, 1});
};

/// A value and a bound of its error: |value - exact| <= error, which is infinite where nothing is known.
struct BoundedValue {
  double value, error;
};

/// In plain doubles; `error` is a few roundings of the sum of the magnitudes of the terms.
[[nodiscard]] BoundedValue evaluate(const WeightedPolynomial& p, double x);
/// In doubled precision: as if with twice the digits, then rounded.
[[nodiscard]] BoundedValue evaluate_doubled(const WeightedPolynomial& p, double x);

/// -1, 0 or 1: the exact sign at x, for all finite coefficients and x. At an infinite x, the sign of the limit. 0 at NaN.
[[nodiscard]] int sign_at(const WeightedPolynomial& p, double x);

/// The derivative, with the weights multiplied; of degree 0 the constant 0.
[[nodiscard]] WeightedPolynomial derivative(const WeightedPolynomial& p);

} // namespace carom
