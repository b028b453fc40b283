// The method, in three steps, each of which keeps a number as an unevaluated sum of two doubles (TwoDoubles), so that only the last
// addition rounds visibly:
//
// 1. sin, cos, tan: bring |x| to r = |x| - n pi/2 with |r| <= pi/4. A double can come as near to a multiple of pi/2 as 2^-60.9
//    (tools/generate/trig_tables --bounds computes this), so that the reduction has to carry 61 bits more than the result.
// 2. Look up the nearest of a row of points a, at which the function is stored to 77 bits. What is left is a small d, and
//       sin(a + d) = sin a + d + (d (cos a - 1) + cos a (sin d - d) + sin a (cos d - 1))
//       cos(a + d) = cos a + (cos a (cos d - 1) - sin a sin d)
//       atan(q)    = atan a + atan t,   t = (q - a) / (1 + a q).
//    The leading sum is exact (sin a + d) or stored (cos a, atan a); the rest is below 1/256 of it, or of order d^3, so its own
//    roundings hardly reach the last place.
// 3. The functions of d or t are their Taylor series, cut where the next term is below 2^-70 of the result. With such small
//    arguments nothing better is needed: the coefficients are the reciprocals of small integers.
//
// asin and acos are the angles of the vectors (sqrt(1 - x^2), x) and (x, sqrt(1 - x^2)), with the root to 100 bits.
#include "carom/math/trig.h"

#include "carom/math/error_free.h"
#include "carom/math/integer.h"
#include "carom/math/trig_tables-inl.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace carom {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// x with its sign flipped where `flip` is odd.
double flip_sign(double x, std::uint64_t flip) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ flip << 63);
}

std::uint64_t sign_bit(double x) { return std::bit_cast<std::uint64_t>(x) >> 63; }

// ---- Argument reduction

/// A number is `quadrant` quarter turns (modulo 4) and the angle r, |r| <= pi/4 (1 + 2^-30).
struct Reduced {
  TwoDoubles r;
  std::uint64_t quadrant;
};

/// Up to here n = x / (pi/2) < 2^20.
constexpr double moderate = 0x1.8p20;

/// For 0 <= x < moderate. n times the first three parts of pi/2 is exact (20 + 33 bits), and so is the first difference: x and
/// n p1 are multiples of 2^-53 (x >= 1/2 where n > 0), the difference is below 1.
Reduced reduce_moderate(double x) {
  if (x <= quarter_pi) return {{x, 0}, 0};
  // Adding 1.5 * 2^52 rounds to an integer, and leaves that in the low bits.
  const double shifted = x * trig_tables::two_over_pi + 0x1.8p52;
  const double n = shifted - 0x1.8p52;
  const std::uint64_t quadrant = std::bit_cast<std::uint64_t>(shifted) & 3;
  const double first = x - n * trig_tables::quarter_turn_1;
  const double part_2 = n * trig_tables::quarter_turn_2; // below 2^-13, a multiple of 2^-66
  const double part_3 = n * trig_tables::quarter_turn_3; // below 2^-48, a multiple of 2^-101
  if (std::fabs(first) > 0x1p-12) {
    // The usual case: r > 2^-13, and the parts are ever smaller. Left out is n p4 < 2^-83.
    const TwoDoubles second = fast_two_sum(first, -part_2);
    return {{second.value, second.error - part_3}, quadrant};
  }
  // Here the second difference is exact, and loses nothing: all are multiples of 2^-66, below 2^-11. The third is kept with its
  // error. n p4 < 2^-83 is rounded by 2^-136, which is 2^-75 of the least r = 2^-60.4.
  const TwoDoubles third = two_diff(first - part_2, part_3);
  return {{third.value, third.error - n * trig_tables::quarter_turn_4}, quadrant};
}

/// For finite x >= moderate, x = m 2^e with an integer m < 2^53. In x 2/pi the bits of 2/pi before place e - 1 contribute multiples
/// of 4 quarter turns and can be dropped; of those from there on, 192 are taken. Of the product the first 128 bits
/// below 4 are kept, with overflow wanted: 2 of quadrant, 126 of fraction. The fraction is wrong by less than 2^-125, which is 2^-63 of
/// the least r = 2^-60.8 (2^-61.5 quarter turns), or 0.001 ulp.
Reduced reduce_large(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t m = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  const std::uint64_t place =
      (bits >> 52) - 1075 + 62; // e + 62: where the window begins; 30 .. 1033
  const std::uint64_t* const words = trig_tables::two_over_pi_bits + place / 64;
  const std::uint64_t shift = place % 64;
  const auto window = [&](int i) {
    return words[i] << shift | (words[i + 1] >> 1) >> (63 - shift);
  };
  const std::uint64_t w1 = window(1);
  const std::uint64_t carry = multiply_high(m, window(2));
  const std::uint64_t p1 = m * w1 + carry;
  const std::uint64_t p0 = m * window(0) + multiply_high(m, w1) + (p1 < carry ? 1 : 0);

  // The fraction as a signed number in [-1/2, 1/2), then its size.
  const std::uint64_t quadrant = (p0 + (std::uint64_t{1} << 61)) >> 62;
  const std::uint64_t top = p0 << 2 | p1 >> 62;
  const std::uint64_t negative = top >> 63;
  const std::uint64_t mask = 0 - negative; // one's complement: 2^-128 beside the truth
  const std::uint64_t f0 = top ^ mask, f1 = (p1 << 2) ^ mask;

  // Its first bits as two doubles. f0 > 0, as r is not below 2^-61.
  const auto zeros = static_cast<std::uint64_t>(std::countl_zero(f0));
  const std::uint64_t g0 = f0 << zeros | (f1 >> 1) >> (63 - zeros);
  const std::uint64_t g1 = f1 << zeros;
  const double unit = std::bit_cast<double>((std::uint64_t{1023 - 53} - zeros) << 52);
  const double high = static_cast<double>(g0 >> 11) * unit;
  const double low = static_cast<double>((g0 << 53 | g1 >> 11) >> 11) * unit * 0x1p-53;

  const TwoDoubles product = two_product(high, trig_tables::half_pi_high);
  const TwoDoubles r =
      fast_two_sum(product.value, product.error + (high * trig_tables::half_pi_low +
                                                   low * trig_tables::half_pi_high));
  return {{flip_sign(r.value, negative), flip_sign(r.error, negative)}, quadrant};
}

// ---- Sine and cosine

struct SinCosPair {
  TwoDoubles sin, cos; ///< value + error is the result; value alone is it to a relative 2^-7
};

/// sin(r) and cos(r) for 0 <= r.value <= 101.5/128, |r.error| <= 2^-48, and at most 2^-22 of r.value.
SinCosPair sin_cos_reduced(const TwoDoubles& r) {
  const int k = (static_cast<int>(r.value * 256) + 1) / 2; // adding 1/2 before would round
  const double* const row = trig_tables::sin_cos[k];
  const double sin_a = row[0], sin_a_low = row[1], cos_a = row[2], cos_a_low = row[3];
  const double d = r.value - k * 0x1p-7; // exact; |d| <= 1/256
  const double d2 = d * d;
  // Next terms: d^9 / 362880 < 2^-82 d, and d^8 / 40320 < 2^-79.
  const double sin_rest = d * d2 * (-1.0 / 6 + d2 * (1.0 / 120 - d2 * (1.0 / 5040)));
  const double cos_rest = d2 * (-0.5 + d2 * (1.0 / 24 - d2 * (1.0 / 720)));
  // r.error times the derivative, which is good to d^2.
  const double sin_low = sin_a_low + r.error * (cos_a - sin_a * d);
  const double cos_low = cos_a_low - r.error * (sin_a + cos_a * d);

  const TwoDoubles sum = fast_two_sum(sin_a, d); // sin(1/128) > 1/256, or a = 0
  const double sin_error =
      sum.error +
      (sin_low + (d * ((cos_a - 1) + cos_a_low) + (cos_a * sin_rest + sin_a * cos_rest)));
  const double cos_error = cos_low + (cos_a * cos_rest - sin_a * (d + sin_rest));
  return {{sum.value, sin_error}, {cos_a, cos_error}};
}

/// What whole quarter turns leave of |x|, x finite: the sine and cosine of that angle without its sign.
struct Turned {
  SinCosPair pair;
  std::uint64_t quadrant; ///< the quarter turns, modulo 4
  std::uint64_t negative; ///< 1 where the angle left is negative
};

Turned turn(double x) {
  const double size = std::fabs(x);
  const Reduced reduced = size < moderate ? reduce_moderate(size) : reduce_large(size);
  const std::uint64_t negative = sign_bit(reduced.r.value);
  const TwoDoubles r{std::fabs(reduced.r.value), flip_sign(reduced.r.error, negative)};
  return {sin_cos_reduced(r), reduced.quadrant, negative};
}

// ---- Arc tangent

/// atan(y / x) for 0 <= y <= x, x at least 2^-500 and, where y >= 2^-30 x, at most 2^500. Both are given as sums of two doubles. The result
/// is to about 2^-62 of itself.
TwoDoubles atan_ratio(const TwoDoubles& y, const TwoDoubles& x) {
  const double q = y.value / x.value;
  if (q < 0x1p-30) return {q, 0};                    // atan q = q (1 - q^2/3 ...) to 2^-61
  const int k = (static_cast<int>(q * 128) + 1) / 2; // the nearest of 0 .. 64
  const double a = k * 0x1p-6;
  // t = (y - a x) / (x + a y), as t0 and a correction from what t0 leaves. y - a x is exact in its leading part (y is between half and
  // twice a x, or a = 0), so is the difference to t0 times the divisor.
  const TwoDoubles ax = two_product(a, x.value);
  const double above = y.value - ax.value;
  const TwoDoubles below = fast_two_sum(x.value, a * y.value);
  const double inverse = 1 / below.value;
  const double t0 = above * inverse;
  const TwoDoubles back = two_product(t0, below.value);
  const double left = ((above - back.value) - back.error) +
                      ((y.error - a * x.error) - ax.error - t0 * (below.error + x.error));
  const double t2 = t0 * t0;
  // |t| <= 1/128. The next term is t^11 / 11 < 2^-73 t.
  const double rest = t0 * t2 * (-1.0 / 3 + t2 * (1.0 / 5 - t2 * (1.0 / 7 - t2 * (1.0 / 9))));
  const double* const row = trig_tables::arc_tangent[k];
  const TwoDoubles sum = fast_two_sum(row[0], t0);
  return {sum.value, sum.error + (row[1] + (left * inverse + rest))};
}

/// The angle of the vector (x, y), y >= 0, given as sizes and whether x is negative; in [0, pi].
double angle(const TwoDoubles& y, const TwoDoubles& x, bool x_negative) {
  using namespace trig_tables;
  if (y.value <= x.value) {
    const TwoDoubles a = atan_ratio(y, x);
    if (!x_negative) return a.value + a.error;
    const TwoDoubles sum = fast_two_sum(pi_high, -a.value);
    return sum.value + (sum.error + (pi_low - a.error));
  }
  const std::uint64_t before = x_negative ? 0 : 1; // or beyond the y axis
  const TwoDoubles a = atan_ratio(x, y);
  const TwoDoubles sum = fast_two_sum(half_pi_high, flip_sign(a.value, before));
  return sum.value + (sum.error + (half_pi_low + flip_sign(a.error, before)));
}

/// sqrt(1 - x^2) for |x| < 1.
TwoDoubles complement(double x) {
  const TwoDoubles square = two_product(x, x);
  const TwoDoubles difference = fast_two_sum(1, -square.value);
  const TwoDoubles p = fast_two_sum(difference.value, difference.error - square.error);
  const double root = std::sqrt(p.value);
  const TwoDoubles back = two_product(root, root);
  return {root, (((p.value - back.value) - back.error) + p.error) / (2 * root)};
}

} // namespace

SinCos sin_cos(double x) {
  if (!std::isfinite(x)) return {not_a_number, not_a_number};
  const Turned t = turn(x);
  const double s = t.pair.sin.value + t.pair.sin.error;
  const double c = t.pair.cos.value + t.pair.cos.error;
  // Quarter turns take (c, s) to (-s, c), (-c, -s), (s, -c).
  const std::uint64_t odd = t.quadrant & 1, half = t.quadrant >> 1;
  return {flip_sign(odd ? c : s, half ^ sign_bit(x) ^ (t.negative & ~odd)),
          flip_sign(odd ? s : c, half ^ odd ^ (t.negative & odd))};
}

double sin(double x) { return sin_cos(x).sin; }

double cos(double x) { return sin_cos(x).cos; }

double tan(double x) {
  if (!std::isfinite(x)) return not_a_number;
  const Turned t = turn(x);
  TwoDoubles above = fast_two_sum(t.pair.sin.value, t.pair.sin.error);
  TwoDoubles below = fast_two_sum(t.pair.cos.value, t.pair.cos.error);
  if (t.quadrant & 1) std::swap(above, below); // tan(r + pi/2) = -cos r / sin r
  const double quotient = above.value / below.value;
  const TwoDoubles back = two_product(quotient, below.value);
  const double left =
      ((above.value - back.value) - back.error) + (above.error - quotient * below.error);
  return flip_sign(quotient + left / below.value, t.quadrant ^ t.negative ^ sign_bit(x));
}

double asin(double x) {
  if (std::isnan(x)) return not_a_number;
  const double size = std::fabs(x);
  return flip_sign(size < 1 ? angle({size, 0}, complement(size), false) : half_pi, sign_bit(x));
}

double acos(double x) {
  if (std::isnan(x)) return not_a_number;
  if (x >= 1) return 0;
  if (x <= -1) return pi;
  return angle(complement(x), {std::fabs(x), 0}, x < 0);
}

double atan(double x) {
  if (std::isnan(x)) return not_a_number;
  // Above 2^64, half_pi is the nearest double whatever x.
  const double size = std::fabs(x);
  return flip_sign(size < 0x1p64 ? angle({size, 0}, {1, 0}, false) : half_pi, sign_bit(x));
}

double atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return not_a_number;
  double height = std::fabs(y), width = std::fabs(x);
  const double larger = height > width ? height : width;
  const double smaller = height > width ? width : height;
  if (smaller == INFINITY) {
    height = width = 1; // a diagonal
  } else if (larger == 0) {
    width = 1; // along the x axis, to the side of its sign
  } else if (larger < 0x1p-500) {
    height *= 0x1p600;
    width *= 0x1p600;
  } else if (larger > 0x1p500 && smaller > 1) { // otherwise their ratio is all that matters
    height *= 0x1p-600;
    width *= 0x1p-600;
  }
  return flip_sign(angle({height, 0}, {width, 0}, sign_bit(x) != 0), sign_bit(y));
}

} // namespace carom
