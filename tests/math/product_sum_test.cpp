// The oracle: the same sums over the rationals.
#include "carom/math/product_sum.h"

#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <gmpxx.h>

#include <limits>
#include <vector>

namespace carom {
namespace {

using test::Source;

constexpr double top = std::numeric_limits<double>::max();
constexpr double least = std::numeric_limits<double>::denorm_min();

mpq_class exact(const std::vector<Product>& terms) {
  mpq_class sum = 0;
  for (const Product& p : terms) {
    mpq_class product = p.weight;
    for (const double f : p.factor) product *= mpq_class(f);
    sum += product;
  }
  return sum;
}

mpq_class exact(const ScaledDouble& x) {
  mpq_class power = 1;
  if (x.exponent >= 0) {
    mpq_mul_2exp(power.get_mpq_t(), power.get_mpq_t(), static_cast<unsigned>(x.exponent));
  } else {
    mpq_div_2exp(power.get_mpq_t(), power.get_mpq_t(), static_cast<unsigned>(-x.exponent));
  }
  return mpq_class(x.mantissa) * power;
}

void check(const std::vector<Product>& terms) {
  const mpq_class e = exact(terms);
  EXPECT_EQ(sign_of_sum(terms), sgn(e));
  const ScaledDouble s = sum_of_products(terms);
  EXPECT_EQ(s.mantissa == 0, e == 0);
  EXPECT_LE(abs(exact(s) - e), abs(e) * mpq_class(0x1p-50));
}

double number(Source& source, int spread) {
  const double x = test::real(source);
  return spread == 0 ? x : std::ldexp(x, source.index(2 * spread) - spread);
}

TEST(ProductSum, SignAndValueOverTheWholeRange) {
  test::for_each_seed(4000, [](Source& source) {
    static constexpr int spreads[] = {0, 5, 60, 300, 1020};
    const int spread = spreads[source.index(5)];
    std::vector<Product> terms(static_cast<std::size_t>(source.index(max_products + 1)));
    for (Product& p : terms) {
      p.weight = source.index(55) - 27;
      for (double& f : p.factor) f = source.index(4) == 0 ? 1 : number(source, spread);
    }
    // Make most of it cancel: a term repeated with the opposite sign, its factors in another order, or one moved by an ulp.
    if (terms.size() >= 2 && source.index(2)) {
      terms[1] = terms[0];
      terms[1].weight *= -1;
      std::swap(terms[1].factor[0], terms[1].factor[3]);
      if (source.index(2)) terms[1].factor[2] = std::nextafter(terms[1].factor[2], top);
    }
    if (terms.size() >= 4 && source.index(2)) {
      terms[3] = terms[2];
      terms[3].weight *= -1;
      std::swap(terms[3].factor[1], terms[3].factor[2]);
    }
    check(terms);
  });
}

TEST(ProductSum, EndsOfTheRange) {
  check({});
  check({{1, {top, top, top, top}}, {-1, {top, top, top, top}}});
  check({{1, {top, top, top, top}}, {-1, {top, top, top, top}}, {1, {least, least, least, least}}});
  check({{1, {top, top, top, top}}, {1, {least, least, least, least}}, {-1, {top, top, top, top}}});
  check({{1, {least, least, least, least}}});
  check({{-27, {least, 1, 1, 1}}, {26, {least, 1, 1, 1}}});
  check({{1, {0, top, top, top}}, {1, {-least, least, 1, 1}}});
  // In plain doubles the first product underflows on its way, and the second, a thousandth of it, would win.
  check({{1, {0x1p-500, 0x1p-500, 0x1p-200, 0x1p240}}, {-1, {0x1p-485, 0x1p-485, 1, 1}}});
  // A chain of terms, each just below the last bit of the one before, and a sum that cancels from the top.
  std::vector<Product> chain;
  const double full = 2 - 0x1p-52;
  for (int i = 0; i < max_products; ++i) {
    const double low = std::ldexp(full, -70 * i);
    chain.push_back({i % 2 ? -1 : 1, {low, low, low, low}});
    check(chain);
  }
}

TEST(ProductSum, TermsThatAgreeInTwoHundredBits) {
  // x(x + 4)(x + 7)(x + 11) - (x + 1)(x + 2)(x + 9)(x + 10) = -180 for every x: of two products of 2^212 only that is left.
  for (const double scale : {1.0, 0x1p-240, 0x1p240, 0x1p-900, 0x1p900}) {
    const double x = 0x1p53 - 12;
    const Product high{1, {x * scale, x + 4, x + 7, x + 11}};
    const Product low{-1, {(x + 1) * scale, x + 2, x + 9, x + 10}};
    for (const int rest : {0, 179, 180, 181}) check({high, low, {rest, {scale, 1, 1, 1}}});
    check({{180, {scale, 1, 1, 1}}, low, {-1, {least * scale, least, 1, 1}}, high});
    // And again, below the 180: what is left is -180 e^8, with e = 2^-52.
    const double e = 0x1p-52;
    check({high,
           low,
           {180, {scale * (1 + e), 1 - e, 1 + e, 1 - e}},
           {360, {scale * e, e, 1, 1}},
           {-180, {scale * e * (1 + e), e * (1 - e), e * (1 + e), e * (1 - e)}},
           {-360, {scale * e * e, e * e, e * e, 1}}});
  }
}

TEST(ProductSum, NotFiniteIsZero) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const std::vector<Product> terms{{1, {1, 2, 3, 4}}, {1, {bad, 1, 1, 0}}};
    EXPECT_EQ(sign_of_sum(terms), 0);
    EXPECT_EQ(sum_of_products(terms).mantissa, 0);
  }
}

TEST(ProductSum, Quotients) {
  EXPECT_EQ(quotient({1, 0}, {3, 0}), 1.0 / 3);
  EXPECT_EQ(quotient({1, 5000}, {2, 5000}), 0.5);
  EXPECT_EQ(quotient({-1, 5000}, {1, 0}), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(quotient({1, -5000}, {1, 0}), 0);
  EXPECT_EQ(quotient({0, 0}, {1, 0}), 0);
  EXPECT_EQ(quotient({top, 0}, {least, 2000}), std::ldexp(top, -1000) * 0x1p74);
}

} // namespace
} // namespace carom
