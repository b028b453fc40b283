#include "carom/math/expansion.h"

#include "tests/support/property.h"

#include <gmpxx.h>

#include <cmath>

namespace carom {
namespace {

using test::Source;

template<int N>
mpq_class exact(const Expansion<N>& e) {
  mpq_class sum = 0;
  for (int i = 0; i < e.size(); ++i) sum += mpq_class(e[i]);
  return sum;
}

/// A double with random or sparse bits (long runs of zeros and ones) and an exponent in -60 .. 60; sometimes 0.
double number(Source& source) {
  if (source.chance(16)) return 0;
  const double sign = source.index(2) ? -1 : 1;
  const double power = std::ldexp(1.0, source.index(121) - 60);
  switch (source.index(4)) {
  case 0:
    return sign * power;
  case 1:
    return sign * power * (1 + std::ldexp(1.0, -1 - source.index(52)));
  case 2:
    return sign * power * (2 - std::ldexp(1.0, -source.index(53)));
  default:
    return sign * power * (1 + source.unit());
  }
}

Expansion<8> eight(Source& source) {
  const auto two = [&source] {
    const double a = number(source);
    const double b = number(source);
    return exact_product(a, b);
  };
  const auto a = two();
  const auto b = two();
  const auto c = two();
  return a + b + c + two();
}

/// The value of the lowest set bit of x.
double low_bit(double x) {
  int e = 0;
  const auto m = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &e), 53));
  return std::ldexp(static_cast<double>(m & -m), e - 53);
}

/// No zeros, and each term smaller than the lowest bit of the next.
template<int N>
void check_form(const Expansion<N>& e) {
  ASSERT_LE(e.size(), N);
  for (int i = 0; i < e.size(); ++i) {
    ASSERT_NE(e[i], 0);
    if (i > 0) {
      ASSERT_LT(std::fabs(e[i - 1]), low_bit(e[i])) << "term " << i;
    }
  }
}

TEST(ErrorFree, SumAndProductAreExact) {
  test::for_each_seed(20000, [](Source& source) {
    const double a = number(source);
    const double b = number(source);
    const auto sum = [](const TwoDoubles& t) {
      return mpq_class(mpq_class(t.value) + mpq_class(t.error));
    };
    EXPECT_EQ(sum(two_sum(a, b)), mpq_class(a) + mpq_class(b));
    EXPECT_EQ(sum(two_diff(a, b)), mpq_class(a) - mpq_class(b));
    EXPECT_EQ(sum(two_product(a, b)), mpq_class(a) * mpq_class(b));
    EXPECT_EQ(sum(split(a)), mpq_class(a));
    if (std::fabs(a) >= std::fabs(b)) {
      EXPECT_EQ(sum(fast_two_sum(a, b)), mpq_class(a) + mpq_class(b));
    }
  });
}

TEST(ErrorFree, ProductIsExactAtTheStatedEnds) {
  const double a = 0x1.fffffffffffffp-484;
  EXPECT_EQ(mpq_class(two_product(a, a).value) + mpq_class(two_product(a, a).error),
            mpq_class(a) * mpq_class(a));
  const double b = 0x1.fffffffffffffp994;
  EXPECT_EQ(mpq_class(two_product(b, 0x1.8p26).value) + mpq_class(two_product(b, 0x1.8p26).error),
            mpq_class(b) * mpq_class(0x1.8p26));
}

TEST(Expansion, SumDifferenceProductAreExactAndWellFormed) {
  test::for_each_seed(20000, [](Source& source) {
    const Expansion<8> a = eight(source);
    const Expansion<8> b = eight(source);
    const double s = number(source);
    const mpq_class x = exact(a);
    const mpq_class y = exact(b);
    EXPECT_EQ(exact(a + b), x + y);
    EXPECT_EQ(exact(a - b), x - y);
    EXPECT_EQ(exact(-a), -x);
    EXPECT_EQ(exact(a * s), x * mpq_class(s));
    EXPECT_EQ(exact(a * b), x * y); // capacity 128 in full: goes through compression
    EXPECT_EQ(exact(exact_product(s, 3) * exact_difference(s, 7)),
              mpq_class(s) * 3 * (mpq_class(s) - 7));
    check_form(a);
    check_form(a + b);
    check_form(a - b);
    check_form(a * s);
    check_form(a * b);
    EXPECT_EQ(a.sign(), sgn(x));
    EXPECT_EQ((a - b).sign(), cmp(x, y) > 0 ? 1 : cmp(x, y) < 0 ? -1 : 0);
    EXPECT_EQ((a - a).sign(), 0);
    EXPECT_EQ((a - a).size(), 0);
  });
}

TEST(Expansion, LongResultsAreCompressedExactly) {
  // Terms as thin as possible (single bits two apart, all over the range of double) fill the greatest number of terms.
  test::for_each_seed(300, [](Source& source) {
    Expansion<expansion::max_terms> sum;
    mpq_class x = 0;
    for (int i = 0; i < 400; ++i) {
      const double sign = source.index(2) ? -1 : 1;
      const double t = std::ldexp(sign, source.index(2000) - 1050);
      sum = sum + Expansion<1>(t);
      x += mpq_class(t);
    }
    EXPECT_EQ(exact(sum), x);
    EXPECT_GT(sum.size(), 20);
    check_form(sum);
  });
}

TEST(Expansion, EstimateIsCloseAndSigned) {
  test::for_each_seed(4000, [](Source& source) {
    const auto a = eight(source);
    const mpq_class x = exact(a);
    const mpq_class error = abs(mpq_class(a.estimate()) - x);
    EXPECT_LE(error, abs(x) * mpq_class(0x1p-51));
    EXPECT_EQ(sgn(mpq_class(a.estimate())), sgn(x));
  });
}

TEST(Expansion, CapacityIsKnownWhenCompiling) {
  static_assert(decltype(exact_product(1, 2) - exact_product(3, 4))::capacity == 4);
  static_assert(decltype(Expansion<2>() * Expansion<4>())::capacity == 16);
  static_assert(decltype(Expansion<30>() + Expansion<30>())::capacity == expansion::max_terms);
  static_assert(
      (exact_product(0x1p30 + 1, 0x1p30 + 1) - exact_product(0x1p30, 0x1p30 + 2)).sign() ==
      1); // (n + 1)^2 - n (n + 2) = 1, invisible to doubles
  EXPECT_EQ(Expansion<2>(0.0).size(), 0);
  EXPECT_EQ(Expansion<4>(Expansion<2>(3.0)).estimate(), 3);
}

TEST(Expansion, NotFiniteEndsQuietly) {
  for (const double bad : {double{NAN}, double{INFINITY}, 0x1.8p1023, 0x1p-1074}) {
    auto a = exact_product(bad, 3) + exact_product(bad, -bad);
    auto b = (a * a) * (a * a);
    for (int i = 0; i < 10; ++i) b = b * b + b;
    EXPECT_LE(b.size(), b.capacity);
    EXPECT_LE(std::abs(b.sign()), 1);
  }
}

} // namespace
} // namespace carom
