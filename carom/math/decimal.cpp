// Reading. A decimal is m 10^e with an integer m. There are three ways to round it, each used where the one before cannot be sure:
//   1. m < 2^53 and |e| <= 22: m and 10^|e| are doubles, so one product or quotient of them is the answer, rounded once by IEEE.
//   2. The first 19 digits as a sum of two doubles, times or divided by powers of ten in that arithmetic. The relative error is known
//      (2^-103 a step, 10^-18 for digits left out): where both ends of the error's interval round to one double, that is it.
//   3. Long division of natural numbers, exact: 64 bits of the quotient and whether anything remains.
// Writing is the free-format algorithm of Steele and White (1990) in natural numbers: digits are made until no other double is as
// near. Most coordinates come from short decimals; these are found by one product and proved by the quotient of way 1.
#include "carom/math/decimal.h"

#include "carom/math/big_natural.h"
#include "carom/math/error_free.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace carom {
namespace {

// The powers of ten that are doubles.
constexpr int exact_powers = 22;
constexpr double power_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
// Ten to this power is the greatest that a mantissa of 64 bits always holds the digits of.
constexpr int mantissa_digits = 19;
// A decimal that is no double and halfway between none has at most 767 digits that matter; digits after 800 matter only as 'not zero'.
constexpr int longest_decimal = 800;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A number's text in its parts. The value is digits 10^exponent, where digits are those of `first` .. `last` without the point.
struct Scanned {
  bool negative = false;
  const char* first = nullptr; ///< the first digit that is not 0; null where there is none
  const char* last = nullptr;  ///< behind the last digit
  std::int64_t digits = 0;     ///< from `first` on
  std::int64_t exponent = 0;
  std::uint64_t mantissa = 0; ///< of all digits, modulo 2^64
};

// Exponents beyond this are kept as this: no text is so long that its digits could make up for it.
constexpr std::int64_t exponent_limit = 1'000'000'000'000'000;

/// Reads digits from p on into s.
const char* scan_digits(const char* p, const char* end, Scanned& s) {
  while (p != end && *p == '0' && !s.first) ++p;
  if (p != end && is_digit(*p) && !s.first) s.first = p;
  const char* begin = p;
  for (; p != end && is_digit(*p); ++p) {
    s.mantissa = s.mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
  }
  s.digits += p - begin;
  return p;
}

/// Reads 'e', a sign and digits into s, or nothing.
const char* scan_exponent(const char* p, const char* end, Scanned& s) {
  if (p == end || (*p != 'e' && *p != 'E')) return p;
  const char* q = p + 1;
  const bool negative = q != end && *q == '-';
  if (q != end && (*q == '-' || *q == '+')) ++q;
  if (q == end || !is_digit(*q)) return p;
  std::int64_t exponent = 0;
  for (; q != end && is_digit(*q); ++q) {
    if (exponent < exponent_limit) exponent = exponent * 10 + (*q - '0');
  }
  s.exponent += negative ? -exponent : exponent;
  return q;
}

/// Reads the number at the start of the text into s; returns its length, 0 where there is none.
std::size_t scan(std::string_view text, Scanned& s) {
  const char* p = text.data();
  const char* const end = p + text.size();
  s.negative = p != end && *p == '-';
  if (p != end && (*p == '-' || *p == '+')) ++p;
  const char* const whole = p;
  p = scan_digits(p, end, s);
  std::int64_t count = p - whole;
  s.last = p;
  if (p != end && *p == '.') {
    const char* const fraction = p + 1;
    p = scan_digits(fraction, end, s);
    count += p - fraction;
    s.exponent = fraction - p;
    s.last = p;
  }
  if (count == 0) return 0;
  p = scan_exponent(p, end, s);
  return static_cast<std::size_t>(p - text.data());
}

/// Keeps the first 19 digits in the mantissa.
void shorten(Scanned& s) {
  s.mantissa = 0;
  int taken = 0;
  for (const char* p = s.first; taken < mantissa_digits; ++p) {
    if (*p == '.') continue;
    s.mantissa = s.mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
    ++taken;
  }
}

/// Way 2: the answer, or a negative number where this arithmetic cannot tell. mantissa > 0.
double round_by_two_doubles(std::uint64_t mantissa, int exponent, bool shortened) {
  double high = static_cast<double>(mantissa);
  double low =
      static_cast<double>(static_cast<std::int64_t>(mantissa - static_cast<std::uint64_t>(high)));
  // Each step: a product of the high part, exact, and three roundings of parts below 2^-52 of it. Some more for the test below.
  double error = (shortened ? 1.1e-18 : 0) + 0x1p-100;
  for (; exponent != 0; error += 0x1p-103) {
    const int step = exponent > exact_powers    ? exact_powers
                     : exponent < -exact_powers ? -exact_powers
                                                : exponent;
    exponent -= step;
    TwoDoubles scaled{};
    if (step > 0) {
      const double p = power_of_ten[step];
      scaled = two_product(high, p);
      scaled.error += low * p;
    } else {
      const double p = power_of_ten[-step];
      scaled.value = high / p;
      const TwoDoubles back = two_product(scaled.value, p);
      scaled.error = ((high - back.value) - back.error + low) / p; // the remainder is exact
    }
    const TwoDoubles sum = fast_two_sum(scaled.value, scaled.error);
    high = sum.value;
    low = sum.error;
  }
  const double least = high + (low - error * high);
  const double most = high + (low + error * high);
  return least == most ? least : -1;
}

/// quotient * 2^exponent, and a little more where `more`, rounded to the nearest double. The quotient's highest bit is set.
double round_bits(std::uint64_t quotient, int exponent, bool more) {
  constexpr int least_exponent = -1074;
  const int top = exponent + 63; // the value is at least 2^top
  if (top > 1023) return INFINITY;
  const int unit = top - 52 > least_exponent ? top - 52 : least_exponent; // of the last bit
  const int dropped = unit - exponent;                                    // at least 11
  if (dropped > 64) return 0;
  std::uint64_t kept = dropped == 64 ? 0 : quotient >> dropped;
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  const std::uint64_t rest = quotient - (dropped == 64 ? 0 : kept << dropped);
  if (rest > half || (rest == half && (more || (kept & 1) != 0))) ++kept;
  // The bits of a double count on from the fraction into the exponent: a carry is right by itself, up to infinity.
  return std::bit_cast<double>((static_cast<std::uint64_t>(unit - least_exponent) << 52) + kept);
}

/// Way 3, for values from 1e-342 to 1e310.
double round_by_division(const Scanned& s) {
  BigNatural numerator;
  std::int64_t taken = 0;
  const char* p = s.first;
  for (; p != s.last && taken < longest_decimal; ++p) {
    if (*p == '.') continue;
    numerator.multiply_add(10, static_cast<std::uint32_t>(*p - '0'));
    ++taken;
  }
  std::int64_t exponent = s.exponent + (s.digits - taken);
  while (p != s.last && (*p == '0' || *p == '.')) ++p;
  if (p != s.last) { // a digit that is not 0: any will do, so far behind
    numerator.multiply_add(10, 1);
    --exponent;
  }
  BigNatural denominator(1);
  if (exponent >= 0) {
    numerator.multiply_power_of_ten(static_cast<int>(exponent));
  } else {
    denominator.multiply_power_of_ten(static_cast<int>(-exponent));
  }
  // Shifted so that 2^63 <= numerator / denominator < 2^64, or one bit more; then bit by bit.
  int shift = 63 - (numerator.bits() - denominator.bits());
  if (shift >= 0) {
    numerator.shift_left(shift);
  } else {
    denominator.shift_left(-shift);
  }
  denominator.shift_left(63);
  if (compare(numerator, denominator) < 0) {
    numerator.shift_left(1);
    ++shift;
  }
  std::uint64_t quotient = 0;
  for (int bit = 0; bit < 64; ++bit) {
    quotient <<= 1;
    if (compare(numerator, denominator) >= 0) {
      numerator.subtract(denominator);
      quotient |= 1;
    }
    numerator.shift_left(1);
  }
  return round_bits(quotient, -shift, !numerator.zero());
}

double nearest_double(Scanned& s) {
  if (!s.first) return 0;
  const bool shortened = s.digits > mantissa_digits;
  std::int64_t exponent = s.exponent;
  if (shortened) {
    shorten(s);
    exponent += s.digits - mantissa_digits;
  } else if (s.mantissa <= std::uint64_t{1} << 53 && exponent >= -exact_powers &&
             exponent <= exact_powers) {
    const auto m = static_cast<double>(s.mantissa);
    return exponent < 0 ? m / power_of_ten[-exponent] : m * power_of_ten[exponent];
  }
  // The value is at least 10^(point - 1) and below 10^point. Doubles go from 4.9e-324 to 1.8e308.
  const std::int64_t point = s.exponent + s.digits;
  if (point > 310) return INFINITY;
  if (point < -330) return 0;
  // Far enough from the ends that no part of a product or a remainder overflows or underflows.
  if (point < 280 && point > -260) {
    const double value = round_by_two_doubles(s.mantissa, static_cast<int>(exponent), shortened);
    if (value > 0) return value;
  }
  return round_by_division(s);
}

} // namespace

ParsedDouble parse_double(std::string_view text) {
  Scanned s;
  const std::size_t length = scan(text, s);
  if (length == 0) return {};
  const double value = nearest_double(s);
  return {s.negative ? -value : value, length};
}

namespace {

/// The value 0.d1 d2 d3 ... 10^point.
struct Digits {
  std::array<char, 20> digit{};
  int count = 0;
  int point = 0;

  void push(int d) { digit[static_cast<std::size_t>(count++)] = static_cast<char>('0' + d); }
  void drop_zeros() {
    while (count > 1 && digit[static_cast<std::size_t>(count - 1)] == '0') --count;
  }
};

/// At most 15 digits that give x, where there are such; count is 0 where not. x from 1e-7 to 1e15.
///
/// If x is the double nearest to n / 10^k with n < 10^15, then x 10^k is n to within 2^-53 n < 1/8, and the product's rounding adds as much:
/// n is the nearest integer. It is proved by the quotient, which is rounded as reading would. Different decimals of 15 digits are
/// different doubles, so there is no other, and without its zeros it is the shortest.
Digits short_digits(double x) {
  Digits result;
  int k = 15; // so that x 10^k has 15 digits
  while (k > 0 && x >= power_of_ten[15 - k]) --k;
  for (; k < exact_powers && x * power_of_ten[k] < 1e14; ++k) {
  }
  const double n = std::floor(x * power_of_ten[k] + 0.5);
  if (!(n < 1e15) || n / power_of_ten[k] != x) return result;
  auto rest = static_cast<std::uint64_t>(n);
  std::array<char, 20> backwards{};
  int count = 0;
  for (; rest > 0; rest /= 10) {
    backwards[static_cast<std::size_t>(count++)] = static_cast<char>('0' + rest % 10);
  }
  result.point = count - k;
  while (count > 0)
    result.digit[static_cast<std::size_t>(result.count++)] =
        backwards[static_cast<std::size_t>(--count)];
  result.drop_zeros();
  return result;
}

/// The shortest digits of x > 0, finite. x = value / scale; all that lies within `below` and `above` of it (over the same scale) is nearer
/// to x than to any other double, ends included where the last bit of x is 0, since reading rounds to even.
Digits shortest_digits(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  constexpr std::uint64_t hidden = std::uint64_t{1} << 52;
  const auto biased = static_cast<int>(bits >> 52);
  const std::uint64_t fraction = biased == 0 ? bits : (bits & (hidden - 1)) | hidden;
  const int exponent = (biased == 0 ? 1 : biased) - 1075; // x = fraction 2^exponent
  const bool closed = fraction % 2 == 0;
  const bool narrow_below = fraction == hidden && biased > 1; // the double below is half as far
  const int extra = narrow_below ? 2 : 1;
  BigNatural value(fraction), scale(1), below(1), above(1);
  value.shift_left(extra + (exponent > 0 ? exponent : 0));
  scale.shift_left(extra + (exponent < 0 ? -exponent : 0));
  below.shift_left(exponent > 0 ? exponent : 0);
  above.shift_left((exponent > 0 ? exponent : 0) + extra - 1);
  // The number of digits before the point, or one less: 0.30103 is log10(2), rounded up at the sixth digit, and |top| <= 1074.
  const int top = exponent + static_cast<int>(std::bit_width(fraction)) - 1;
  Digits result;
  result.point = static_cast<int>(std::floor(top * 0.30103 - 0.01)) + 1;
  if (result.point >= 0) {
    scale.multiply_power_of_ten(result.point);
  } else {
    for (BigNatural* n : {&value, &below, &above}) n->multiply_power_of_ten(-result.point);
  }
  const auto reaches_scale = [&] {
    BigNatural sum = value;
    sum.add(above);
    const int c = compare(sum, scale);
    return c > 0 || (closed && c == 0);
  };
  while (reaches_scale()) {
    scale.multiply_add(10, 0);
    ++result.point;
  }
  for (bool low = false, high = false; !low && !high;) {
    for (BigNatural* n : {&value, &below, &above}) n->multiply_add(10, 0);
    int digit = 0;
    for (; compare(value, scale) >= 0; ++digit) value.subtract(scale);
    const int c = compare(value, below);
    low = c < 0 || (closed && c == 0); // the digits so far are near enough
    high = reaches_scale();            // so are they with the last digit one greater
    if (low && high) {
      BigNatural twice = value;
      twice.shift_left(1);
      const int middle =
          compare(twice, scale); // the nearer of the two; of both equally near, the even
      low = middle < 0 || (middle == 0 && digit % 2 == 0);
    }
    result.push(low || !high ? digit : digit + 1);
  }
  return result;
}

void append(DecimalText& out, std::string_view text) {
  for (const char c : text) out.text[out.length++] = c;
}
void append_zeros(DecimalText& out, int count) {
  for (int i = 0; i < count; ++i) append(out, "0");
}

void append_exponent(DecimalText& out, int exponent) {
  append(out, exponent < 0 ? "e-" : "e+");
  const int magnitude = exponent < 0 ? -exponent : exponent;
  for (int unit = magnitude >= 100 ? 100 : magnitude >= 10 ? 10 : 1; unit > 0; unit /= 10) {
    out.text[out.length++] = static_cast<char>('0' + magnitude / unit % 10);
  }
}

} // namespace

DecimalText format_double(double value) {
  DecimalText out;
  if (std::isnan(value)) {
    append(out, "nan");
    return out;
  }
  if (std::signbit(value)) append(out, "-");
  const double x = std::fabs(value);
  if (x == 0 || x == INFINITY) {
    append(out, x == 0 ? "0" : "inf");
    return out;
  }
  Digits d;
  if (x >= 1e-7 && x < 1e15) d = short_digits(x);
  if (d.count == 0) d = shortest_digits(x);
  const std::string_view digits(d.digit.data(), static_cast<std::size_t>(d.count));
  if (d.point > 21 || d.point < -5) {
    append(out, digits.substr(0, 1));
    if (d.count > 1) append(out, ".");
    append(out, digits.substr(1));
    append_exponent(out, d.point - 1);
  } else if (d.point <= 0) {
    append(out, "0.");
    append_zeros(out, -d.point);
    append(out, digits);
  } else if (d.point >= d.count) {
    append(out, digits);
    append_zeros(out, d.point - d.count);
  } else {
    append(out, digits.substr(0, static_cast<std::size_t>(d.point)));
    append(out, ".");
    append(out, digits.substr(static_cast<std::size_t>(d.point)));
  }
  return out;
}

} // namespace carom
