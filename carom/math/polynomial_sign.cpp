// Three steps, each for what the one before leaves open: Horner's rule in doubles; Horner's rule with the rounding error of each step
// carried along in a second double; the exact sum of the terms. Close to a root, where root finding ends, the first never decides
// and the second nearly always does.
//
// The first two are used where coefficients are 0 or of magnitude 2^-240 to 2^240, and x of 2^-190 to 2^190. Then every product of the scheme
// is at most 2^(240 + 5 + 3 * 190 + 2) and each error of a product at least 2^(-240 - 3 * 190 - 160): no overflow, no underflow.
#include "carom/math/polynomial_sign.h"

#include "carom/math/error_free.h"
#include "carom/math/product_sum.h"

#include <cmath>
#include <limits>
#include <span>

namespace carom {
namespace {

[[nodiscard]] bool is_between(double x, double least, double greatest) {
  const double a = std::fabs(x);
  return a == 0 || (a >= least && a <= greatest);
}

[[nodiscard]] bool is_tame(const WeightedPolynomial& p, double x) {
  return p.tame && is_between(x, 0x1p-190, 0x1p190);
}

[[nodiscard]] int sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

[[nodiscard]] int sign_at_infinity(const WeightedPolynomial& p, bool positive) {
  for (int i = p.degree; i >= 0; --i) {
    const int s = sign(p.coefficient[static_cast<std::size_t>(i)]);
    if (s != 0) return positive || i % 2 == 0 ? s : -s;
  }
  return 0;
}

[[nodiscard]] int exact_sign_at(const WeightedPolynomial& p, double x) {
  std::array<Product, 4> terms;
  const auto count = static_cast<std::size_t>(p.degree) + 1;
  for (std::size_t i = 0; i < count; ++i) {
    terms[i] = {p.weight[i], {p.coefficient[i], i > 0 ? x : 1, i > 1 ? x : 1, i > 2 ? x : 1}};
  }
  return sign(sum_of_products(std::span(terms).first(count)).mantissa);
}

} // namespace

WeightedPolynomial::WeightedPolynomial(int degree_, const std::array<double, 4>& coefficient_,
                                       const std::array<int, 4>& weight_)
    : degree(degree_), coefficient(coefficient_), weight(weight_) {
  for (std::size_t i = 0; i <= static_cast<std::size_t>(degree); ++i) {
    tame = tame && is_between(coefficient[i], 0x1p-240, 0x1p240);
    term[i] =
        weight[i] == 1 ? TwoDoubles{coefficient[i], 0} : two_product(coefficient[i], weight[i]);
  }
}

BoundedValue evaluate(const WeightedPolynomial& p, double x) {
  if (!is_tame(p, x)) return {0, std::numeric_limits<double>::infinity()};
  const double size = std::fabs(x);
  double value = 0;
  double magnitude = 0;
  for (int i = p.degree; i >= 0; --i) {
    const double c = p.term[static_cast<std::size_t>(i)].value;
    value = value * x + c;
    magnitude = magnitude * size + std::fabs(c);
  }
  // At most 7 roundings touch a term on its way, and as many the magnitude: 16 u and some.
  return {value, magnitude * 0x1p-48};
}

BoundedValue evaluate_doubled(const WeightedPolynomial& p, double x) {
  if (!is_tame(p, x)) return {0, std::numeric_limits<double>::infinity()};
  const double size = std::fabs(x);
  const TwoDoubles x_halves = split(x);
  const TwoDoubles& leading = p.term[static_cast<std::size_t>(p.degree)];
  double value = leading.value;
  double low =
      leading.error; // the exact Horner value is value + low, but for the roundings of `low` itself
  double magnitude = std::fabs(value);
  for (int i = p.degree - 1; i >= 0; --i) {
    const TwoDoubles& c = p.term[static_cast<std::size_t>(i)];
    const TwoDoubles product = two_product(value, x, x_halves);
    const TwoDoubles sum = two_sum(product.value, c.value);
    value = sum.value;
    low = low * x + ((product.error + c.error) + sum.error);
    magnitude = magnitude * size + std::fabs(c.value);
  }
  // Each of the (at most three) steps adds to `low` three errors, of at most u (1 + 4 u) of the magnitude so far each, and rounds
  // four times: 12 u in all, times 16 roundings at most on the way: 192 u^2 < 2^-98, with the magnitude's own roundings.
  // The last sum rounds relative to the result, which does not change its sign: 2 u of it.
  const double result = value + low;
  return {result, magnitude * 0x1p-97 + std::fabs(result) * 0x1p-52};
}

int sign_at(const WeightedPolynomial& p, double x) {
  if (std::isinf(x)) return sign_at_infinity(p, x > 0);
  for (const auto method : {evaluate, evaluate_doubled}) {
    const BoundedValue v = method(p, x);
    if (std::fabs(v.value) > v.error) return sign(v.value);
  }
  return exact_sign_at(p, x);
}

WeightedPolynomial derivative(const WeightedPolynomial& p) {
  std::array<double, 4> coefficient{};
  std::array<int, 4> weight{1, 1, 1, 1};
  for (std::size_t i = 1; i <= static_cast<std::size_t>(p.degree); ++i) {
    coefficient[i - 1] = p.coefficient[i];
    weight[i - 1] = p.weight[i] * static_cast<int>(i);
  }
  return {p.degree > 0 ? p.degree - 1 : 0, coefficient, weight};
}

} // namespace carom
