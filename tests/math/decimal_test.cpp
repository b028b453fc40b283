#include "carom/math/decimal.h"

#include "tests/support/property.h"

#include <gmpxx.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace carom {
namespace {

using test::fewer_when_sanitized;
using test::for_each_seed;
using test::Source;

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

/// The C library's strtod is right in the C locale, in which tests run. (glibc: correctly rounded.)
void expect_as_strtod(const std::string& text) {
  const ParsedDouble parsed = parse_double(text);
  ASSERT_EQ(parsed.length, text.size()) << text;
  ASSERT_EQ(bits(parsed.value), bits(std::strtod(text.c_str(), nullptr))) << text;
}

/// Any finite double: all exponents alike.
double any_double(Source& source) {
  for (;;) {
    const std::uint64_t high = source.below(std::uint64_t{1} << 32);
    const std::uint64_t low = source.below(std::uint64_t{1} << 32);
    const auto x = std::bit_cast<double>(high << 32 | low);
    if (std::isfinite(x)) return x;
  }
}

/// A coordinate as meshes have it: up to seven digits.
double coordinate(Source& source) {
  const double n = static_cast<double>(source.below(10'000'000)) - 5e6;
  return n / std::pow(10.0, source.index(8));
}

std::string printed(const char* format, int precision, double x) {
  char text[1600];
  const int n = std::snprintf(text, sizeof text, format, precision, x);
  return {text, static_cast<std::size_t>(n)};
}

/// Digits, a point among them, an exponent, at random.
std::string random_text(Source& source) {
  std::string text = source.index(2) ? "-" : "";
  const int digits = 1 + source.index(source.index(2) ? 40 : 18);
  const int point = source.index(digits + 2);
  const bool sparse = source.chance(4);
  for (int i = 0; i < digits; ++i) {
    if (i == point) text += '.';
    const int digit = source.index(10);
    text += static_cast<char>('0' + (sparse && digit < 8 ? 0 : digit));
  }
  switch (source.index(3)) {
  case 0:
    return text;
  case 1:
    return text + 'e' + std::to_string(source.index(61) - 30);
  default:
    return text + 'E' + std::to_string(source.index(701) - 350);
  }
}

/// The exact decimal of the number halfway between x and the next double away from zero, as digits and an exponent.
std::string halfway_text(double x) {
  int exponent = 0;
  static_cast<void>(std::frexp(std::fabs(x), &exponent));
  if (exponent < -1021) exponent = -1021; // subnormal: the last bit is 2^-1074
  mpz_class n(std::ldexp(std::fabs(x), 53 - exponent));
  n = 2 * n + 1;
  const int power = exponent - 54; // the number is n 2^power
  int ten = 0;
  if (power >= 0) {
    n <<= static_cast<mp_bitcnt_t>(power);
  } else {
    mpz_class five;
    mpz_ui_pow_ui(five.get_mpz_t(), 5, static_cast<unsigned long>(-power));
    n *= five;
    ten = power;
  }
  return n.get_str() + 'e' + std::to_string(ten);
}

TEST(Decimal, ReadsAMillionRandomTexts) {
  for_each_seed(fewer_when_sanitized(1'000'000),
                [](Source& source) { expect_as_strtod(random_text(source)); });
}

TEST(Decimal, ReadsDoublesPrintedWithAnyPrecision) {
  for_each_seed(fewer_when_sanitized(400'000), [](Source& source) {
    const double x = source.index(2) ? any_double(source) : coordinate(source);
    expect_as_strtod(printed("%.*g", 1 + source.index(25), x));
  });
}

// Halfway is the hardest: the tie goes to even; one digit more or less, however far behind, decides otherwise.
TEST(Decimal, ReadsHalfwayAndNearlyHalfway) {
  for_each_seed(fewer_when_sanitized(10'000), [](Source& source) {
    const double x = source.chance(3) ? any_double(source) : coordinate(source);
    if (std::fabs(x) == 0x1.fffffffffffffp1023) return;
    const std::string text = halfway_text(x);
    expect_as_strtod(text);
    const std::size_t e = text.find('e');
    const int ten = std::atoi(text.c_str() + e + 1);
    const std::string digits = text.substr(0, e);
    const int zeros = source.index(900);
    const std::string tail(static_cast<std::size_t>(zeros), '0');
    expect_as_strtod(digits + tail + 'e' + std::to_string(ten - zeros));
    expect_as_strtod(digits + tail + "1e" + std::to_string(ten - zeros - 1));
    expect_as_strtod("0." + tail + digits + 'e' +
                     std::to_string(ten + zeros + static_cast<int>(digits.size())));
    std::string less = digits;
    if (less.back() != '0') {
      --less.back();
      expect_as_strtod(less + "9e" + std::to_string(ten - 1));
    }
  });
}

TEST(Decimal, ReadsTheEndsOfTheRange) {
  for (const char* text : {"1.7976931348623157e308",
                           "1.7976931348623158e308",
                           "1.7976931348623159e308",
                           "1e308",
                           "1e309",
                           "1e310",
                           "1e311",
                           "-1e400",
                           "1e999999999999999999999",
                           "1e-999999999999999999999",
                           "0e999999999999999999999",
                           "2.2250738585072011e-308",
                           "2.2250738585072014e-308",
                           "4.9406564584124654e-324",
                           "2.4703282292062327e-324",
                           "2.4703282292062328e-324",
                           "1e-324",
                           "3e-324",
                           "-1e-400",
                           "0",
                           "-0",
                           "0.0",
                           "00000",
                           "+1",
                           "9007199254740993",
                           "9007199254740992",
                           "9007199254740991",
                           "18446744073709551615",
                           "18446744073709551616",
                           "9999999999999999999",
                           "10000000000000000000",
                           "123456789012345678901234567890"}) {
    expect_as_strtod(text);
  }
  EXPECT_TRUE(std::signbit(parse_double("-0").value));
  EXPECT_TRUE(std::signbit(parse_double("-1e-400").value));
  expect_as_strtod("0." + std::string(100'000, '0') + "1e100001");
  expect_as_strtod("1" + std::string(100'000, '0') + "e-100000");
}

TEST(Decimal, ReadsTheLongestStartThatIsANumber) {
  const auto length = [](std::string_view text) { return parse_double(text).length; };
  EXPECT_EQ(length("1.5abc"), 3u);
  EXPECT_EQ(length("1e+x"), 1u);
  EXPECT_EQ(length("1e"), 1u);
  EXPECT_EQ(length("1.e5"), 4u);
  EXPECT_EQ(length("5."), 2u);
  EXPECT_EQ(length(".5"), 2u);
  EXPECT_EQ(length("1.2.3"), 3u);
  EXPECT_EQ(length("1,5"), 1u);
  EXPECT_EQ(length("0x10"), 1u);
  for (const char* text :
       {"", "-", "+", ".", "-.", "e5", ".e5", "nan", "inf", "-inf", " 1", "--1"}) {
    EXPECT_EQ(length(text), 0u) << text;
  }
  EXPECT_EQ(parse_double(".5").value, 0.5);
  EXPECT_EQ(parse_double("-.5e1").value, -5);
  // The text ends where the view does.
  EXPECT_EQ(parse_double(std::string_view("123456").substr(0, 3)).value, 123);
}

/// As many digits as the standard library's shortest form has, and read back to the bit.
void expect_shortest(double x) {
  const DecimalText text = format_double(x);
  ASSERT_LE(text.length, 25u) << text.view();
  const ParsedDouble back = parse_double(text.view());
  ASSERT_EQ(back.length, text.length) << text.view();
  ASSERT_EQ(bits(back.value), bits(x)) << text.view();
  char shortest[64];
  const auto end =
      std::to_chars(shortest, shortest + sizeof shortest, x, std::chars_format::scientific);
  const auto digits = [](std::string_view s) {
    std::string d;
    for (const char c : s.substr(0, s.find('e'))) {
      if (c >= '0' && c <= '9' && (c != '0' || !d.empty())) d += c;
    }
    while (!d.empty() && d.back() == '0') d.pop_back();
    return d;
  };
  ASSERT_EQ(digits(text.view()), digits({shortest, static_cast<std::size_t>(end.ptr - shortest)}));
}

TEST(Decimal, WritesTheShortestText) {
  for_each_seed(fewer_when_sanitized(100'000), [](Source& source) {
    expect_shortest(any_double(source));
    expect_shortest(coordinate(source));
    expect_shortest(source.uniform(-1000, 1000));
    expect_shortest(static_cast<float>(source.uniform(-1, 1)));
  });
  for (int e = -1074; e < 1024; ++e) { // powers of two: the double below is half as far
    const double x = std::ldexp(1.0, e);
    expect_shortest(x);
    expect_shortest(std::nextafter(x, 0));
    expect_shortest(std::nextafter(x, 4e307));
  }
  for (int e = -323; e < 309; ++e) {
    const double x = std::strtod(("1e" + std::to_string(e)).c_str(), nullptr);
    expect_shortest(x);
    expect_shortest(std::nextafter(x, 0));
    expect_shortest(9.5 * x < INFINITY ? 9.5 * x : x);
  }
}

TEST(Decimal, WritesPlainly) {
  const auto text = [](double x) { return std::string(format_double(x).view()); };
  EXPECT_EQ(text(0), "0");
  EXPECT_EQ(text(-0.0), "-0");
  EXPECT_EQ(text(0.1), "0.1");
  EXPECT_EQ(text(-1.5), "-1.5");
  EXPECT_EQ(text(1234567), "1234567");
  EXPECT_EQ(text(1e20), "100000000000000000000");
  EXPECT_EQ(text(1e21), "1e+21");
  EXPECT_EQ(text(1e-6), "0.000001");
  EXPECT_EQ(text(2.5e-7), "2.5e-7");
  EXPECT_EQ(text(5e-324), "5e-324");
  EXPECT_EQ(text(0x1.fffffffffffffp1023), "1.7976931348623157e+308");
  EXPECT_EQ(text(NAN), "nan");
  EXPECT_EQ(text(-INFINITY), "-inf");
}

} // namespace
} // namespace carom
