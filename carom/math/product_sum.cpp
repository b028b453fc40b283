// Each factor is written as mantissa * 2^exponent, with mantissa in [1/2, 1). The product of the mantissas and the weight is an
// expansion far from the ends of double's range; the exponents add up as integers. Such a term, with exponent E, is
//   below 2^(E + 10) in magnitude, and a multiple of 2^(E - 212).
//
// The terms are added in descending order of E. Let the sum so far be nonzero, and its last term have exponent E. Then it is at least
// 2^(E - 212). If the next exponent F is so low that all the rest, below 6 * 2^(F + 10), is less than 2^-60 of that, then
// the rest changes neither the sign nor the value: done. Otherwise E - F < 285. So six terms in a row reach over at most
// 5 * 285 + 212 < 1640 bits: with the first at 2^900, the last bit is at 2^-740. Everything stays exact. And where the sum so far
// is zero, the next term starts afresh at 2^900.
#include "carom/math/product_sum.h"

#include "carom/math/expansion.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr int start_exponent = 900;
constexpr int safe_gap = 285; // 212 + 60 + 10 + 3

struct Term {
  Expansion<16> mantissa;
  int exponent = 0;
};

[[nodiscard]] Term term_of(const Product& p) {
  Term term;
  std::array<double, 4> m{};
  for (std::size_t i = 0; i < 4; ++i) {
    int exponent = 0;
    m[i] = std::frexp(p.factor[i], &exponent);
    term.exponent += exponent;
  }
  term.mantissa = exact_product(m[0], m[1]) * exact_product(m[2], m[3]) * Expansion<1>(p.weight);
  return term;
}

[[nodiscard]] bool all_finite(std::span<const Product> terms) {
  return std::all_of(terms.begin(), terms.end(), [](const Product& p) {
    return std::all_of(p.factor.begin(), p.factor.end(), [](double x) { return std::isfinite(x); });
  });
}

/// 0, or far enough from the ends of the range that products of four neither overflow nor underflow.
[[nodiscard]] bool is_tame(double x) {
  const double a = std::fabs(x);
  return a == 0 || (a >= 0x1p-240 && a <= 0x1p240);
}

} // namespace

ScaledDouble sum_of_products(std::span<const Product> terms) {
  if (!all_finite(terms)) return {};
  // Insertion keeps equal exponents in the order given: the same bits whatever the library's sort does.
  std::array<Term, max_products> all;
  std::size_t count = 0;
  for (const Product& p : terms) {
    const Term term = term_of(p);
    if (term.mantissa.sign() == 0 || count == all.size()) continue;
    std::size_t at = count++;
    for (; at > 0 && all[at - 1].exponent < term.exponent; --at) all[at] = all[at - 1];
    all[at] = term;
  }

  Expansion<expansion::max_terms> sum;
  int origin = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (sum.sign() == 0) {
      origin = all[i].exponent - start_exponent;
    } else if (all[i - 1].exponent - all[i].exponent >= safe_gap) {
      break;
    }
    sum = sum + all[i].mantissa * Expansion<1>(std::ldexp(1.0, all[i].exponent - origin));
  }
  return {sum.estimate(), origin};
}

int sign_of_sum(std::span<const Product> terms) {
  // Five roundings for each product, five more for the sum: (1 + u)^10 - 1 < 16 u. The sum of magnitudes rounds no worse.
  double sum = 0;
  double magnitude = 0;
  bool tame = true;
  for (const Product& p : terms) {
    double product = p.weight;
    for (const double f : p.factor) {
      tame = tame && is_tame(f);
      product *= f;
    }
    sum += product;
    magnitude += std::fabs(product);
  }
  const double error = magnitude * 0x1p-48;
  if (tame && std::fabs(sum) > error) return sum > 0 ? 1 : -1;
  if (tame && magnitude == 0) return 0;
  const double exact = sum_of_products(terms).mantissa;
  return exact > 0 ? 1 : exact < 0 ? -1 : 0;
}

double quotient(const ScaledDouble& a, const ScaledDouble& b) {
  // Mantissas brought to [1/2, 1) first: their quotient rounds once, and ldexp rounds again only into the subnormals.
  int ea = 0;
  int eb = 0;
  const double ma = std::frexp(a.mantissa, &ea);
  const double mb = std::frexp(b.mantissa, &eb);
  return std::ldexp(ma / mb, (ea + a.exponent) - (eb + b.exponent));
}

} // namespace carom
