// Against MPFR with 200 bits (it reduces huge arguments exactly), in units of the last place of the true value.
#include "carom/math/trig.h"

#include "tests/support/property.h"

#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace carom {
namespace {

using test::for_each_seed;
using test::Source;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double greatest = std::numeric_limits<double>::max();
constexpr double smallest = std::numeric_limits<double>::denorm_min();

// What carom/math/trig.h promises.
constexpr double sin_cos_bound = 0.51;
constexpr double tan_bound = 0.52;
constexpr double arc_bound = 0.51;

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

class Real {
public:
  explicit Real(double x = 0) {
    mpfr_init2(value_, 200);
    mpfr_set_d(value_, x, MPFR_RNDN);
  }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
  ~Real() { mpfr_clear(value_); }
  operator mpfr_ptr() { return value_; }

private:
  mpfr_t value_;
};

/// |result - exact| in units of the last place that a double of exact's size has.
double ulps(double result, Real& exact) {
  if (mpfr_zero_p(exact)) return result == 0 ? 0 : infinity;
  const long last = std::max<long>(mpfr_get_exp(exact) - 53, -1074);
  Real difference;
  mpfr_sub_d(difference, exact, result, MPFR_RNDN);
  mpfr_mul_2si(difference, difference, -last, MPFR_RNDN);
  return std::fabs(mpfr_get_d(difference, MPFR_RNDN));
}

struct Function {
  const char* name;
  double (*ours)(double);
  int (*exact)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  double bound;
  bool odd, even;
};

const Function sine{"sin", sin, mpfr_sin, sin_cos_bound, true, false};
const Function cosine{"cos", cos, mpfr_cos, sin_cos_bound, false, true};
const Function tangent{"tan", tan, mpfr_tan, tan_bound, true, false};
const Function arc_sine{"asin", asin, mpfr_asin, arc_bound, true, false};
const Function arc_cosine{"acos", acos, mpfr_acos, arc_bound, false, false};
const Function arc_tangent{"atan", atan, mpfr_atan, arc_bound, true, false};

void check(const Function& f, double x) {
  Real exact(x);
  f.exact(exact, exact, MPFR_RNDN);
  const double y = f.ours(x);
  EXPECT_LE(ulps(y, exact), f.bound) << std::hexfloat << f.name << "(" << x << ") = " << y;
  if (f.odd) {
    EXPECT_EQ(bits(f.ours(-x)), bits(-y)) << std::hexfloat << f.name << "(" << -x << ")";
  }
  if (f.even) {
    EXPECT_EQ(bits(f.ours(-x)), bits(y)) << std::hexfloat << f.name << "(" << -x << ")";
  }
}

void check_turning(double x) {
  check(sine, x);
  check(cosine, x);
  check(tangent, x);
  const SinCos both = sin_cos(x);
  EXPECT_EQ(bits(both.sin), bits(sin(x)));
  EXPECT_EQ(bits(both.cos), bits(cos(x)));
}

/// x, moved by up to `steps` doubles up or down.
double nudged(Source& source, double x, int steps) {
  return std::bit_cast<double>(bits(x) + static_cast<std::uint64_t>(source.index(2 * steps + 1)) -
                               static_cast<std::uint64_t>(x == 0 ? 0 : steps));
}

/// A positive double with any exponent in [low, high) and a random mantissa.
double with_exponent(Source& source, int low, int high) {
  const int exponent = low + source.index(high - low);
  return std::ldexp(1 + source.unit(), exponent);
}

/// The double nearest to n pi/2.
double near_quarter_turns(double n) {
  Real result;
  mpfr_const_pi(result, MPFR_RNDN);
  mpfr_mul_d(result, result, n, MPFR_RNDN);
  mpfr_div_2ui(result, result, 1, MPFR_RNDN);
  return mpfr_get_d(result, MPFR_RNDN);
}

TEST(Trig, TurningOfSmallArguments) {
  for_each_seed(20000, [](Source& source) { check_turning(source.uniform(0, 0.8)); });
}

/// Before the first breakpoint only the series count, and their rounding is 2^-17 of the result or less: here an error in a
/// late digit of a coefficient shows, which elsewhere would hide below the bound.
TEST(Trig, SeriesAloneRoundAlmostPerfectly) {
  const auto nearly = [](Function f) {
    f.bound = 0.5001;
    return f;
  };
  for_each_seed(20000, [&](Source& source) {
    const double x = source.uniform(0x1p-9, 0x1p-8);
    check(nearly(sine), x);
    check(nearly(cosine), x);
    check(nearly(tangent), x);
    check(nearly(arc_tangent), 2 * x);
  });
}

TEST(Trig, TurningOfModerateArguments) {
  for_each_seed(10000, [](Source& source) { check_turning(source.uniform(0, 100)); });
  for_each_seed(10000, [](Source& source) { check_turning(with_exponent(source, -2, 22)); });
}

TEST(Trig, TurningOfEveryExponent) {
  for_each_seed(20000, [](Source& source) { check_turning(with_exponent(source, 20, 1024)); });
  for_each_seed(5000, [](Source& source) { check_turning(with_exponent(source, -1074, 0)); });
}

TEST(Trig, TurningAcrossTheChangeOfReduction) {
  for_each_seed(1000, [](Source& source) { check_turning(nudged(source, 0x1.8p20, 500)); });
  // The two meet in exact results, so no seam shows: neighbours differ by what the slope allows.
  const double below = std::nextafter(0x1.8p20, 0.0);
  EXPECT_NEAR(sin(0x1.8p20), sin(below), 0x1p-31);
}

TEST(Trig, TurningNearMultiplesOfQuarterTurns) {
  for_each_seed(3000, [](Source& source) {
    check_turning(nudged(source, near_quarter_turns(1.0 + source.index(1 << 20)), 2));
  });
  for_each_seed(3000, [](Source& source) {
    check_turning(nudged(source, near_quarter_turns(1.0 + source.index(64)), 3));
  });
  // Small remainders of large arguments. Rare carries of the wide product (one in 4000) show only in these.
  for_each_seed(20000, [](Source& source) {
    check(tangent, near_quarter_turns(std::floor(with_exponent(source, 21, 40))));
  });
  // Where the nearest multiple of pi/2 changes, at odd multiples of pi/4.
  for_each_seed(3000, [](Source& source) {
    check_turning(nudged(source, near_quarter_turns(0.5 + source.index(1 << 20)), 3));
  });
  // Huge n: the double nearest to n pi/2 may be far from it, but the exponents are all there.
  for_each_seed(3000, [](Source& source) {
    check_turning(
        nudged(source, near_quarter_turns(std::floor(with_exponent(source, 20, 1023))), 2));
  });
}

TEST(Trig, TurningOfTheWorstArguments) {
  // The doubles that come nearest to a multiple of pi/2, of all, and of those below 2^21 (tools/generate/trig_tables --bounds).
  for (const double x :
       {std::ldexp(6381956970095103.0, 797), std::ldexp(6411027962775774.0, -47)}) {
    check_turning(x);
    EXPECT_LT(std::min(std::fabs(sin(x)), std::fabs(cos(x))), 0x1p-60);
  }
  for (const double x : {1e300, greatest, 0x1p1023, 0x1p20, 0x1p21, 0x1p52, 0x1p53, 0x1p64}) {
    check_turning(x);
  }
}

/// For each exponent, the multiple of a convergent of 2^e / (pi/2) that is a mantissa: hard cases in every binade.
TEST(Trig, TurningOfTheHardestOfEveryExponent) {
  for (int exponent = -53; exponent < 971; ++exponent) {
    mpfr_t c, rest;
    mpfr_inits2(1400, c, rest, nullptr);
    mpfr_const_pi(c, MPFR_RNDN);
    mpfr_ui_div(c, 2, c, MPFR_RNDN);
    mpfr_mul_2si(c, c, exponent, MPFR_RNDN);
    mpfr_frac(rest, c, MPFR_RNDN); // whole quarter turns of c do not matter
    double q0 = 0, q1 = 1;         // denominators of convergents: exact below 2^53
    for (int i = 0; i < 200 && q1 < 0x1p53; ++i) {
      const double times = std::ceil(0x1p52 / q1);
      if (times * q1 < 0x1p53) check_turning(std::ldexp(times * q1, exponent));
      mpfr_ui_div(rest, 1, rest, MPFR_RNDN);
      const double a = mpfr_get_d(rest, MPFR_RNDZ);
      mpfr_frac(rest, rest, MPFR_RNDN);
      if (a > 0x1p53) break;
      const double next = std::floor(a) * q1 + q0;
      q0 = q1;
      q1 = next;
    }
    mpfr_clears(c, rest, nullptr);
  }
}

TEST(Trig, TurningAtTheBreakpointsOfTheTable) {
  for_each_seed(10000, [](Source& source) {
    // Points of the table, and the places half-way between them where the nearest one changes.
    check_turning(nudged(source, source.index(204) / 256.0, 3));
  });
}

TEST(Trig, SineAndTangentOfTinyArgumentsAreTheArgument) {
  for_each_seed(2000, [](Source& source) {
    const double x = with_exponent(source, -1074, -28);
    EXPECT_EQ(sin(x), x);
    EXPECT_EQ(tan(x), x);
    EXPECT_EQ(asin(x), x);
    EXPECT_EQ(atan(x), x);
    EXPECT_EQ(cos(x), 1);
    EXPECT_EQ(atan2(x, 1), x);
  });
  EXPECT_EQ(sin(smallest), smallest);
  EXPECT_EQ(tan(smallest), smallest);
  EXPECT_EQ(asin(smallest), smallest);
  EXPECT_EQ(atan(smallest), smallest);
}

TEST(Trig, KnownValues) {
  EXPECT_EQ(cos(0.0), 1);
  EXPECT_EQ(cos(-0.0), 1);
  EXPECT_EQ(sin(half_pi), 1);
  EXPECT_EQ(cos(pi), -1);
  EXPECT_EQ(sin(pi), 0x1.1a62633145c07p-53); // what pi lacks
  EXPECT_EQ(asin(1.0), half_pi);
  EXPECT_EQ(asin(-1.0), -half_pi);
  EXPECT_EQ(acos(1.0), 0);
  EXPECT_EQ(acos(0.0), half_pi);
  EXPECT_EQ(acos(-1.0), pi);
  EXPECT_EQ(atan(1.0), quarter_pi);
  EXPECT_EQ(atan(infinity), half_pi);
  EXPECT_EQ(atan(-infinity), -half_pi);
  EXPECT_EQ(atan(greatest), half_pi);
}

TEST(Trig, ZerosKeepTheirSign) {
  for (double (*const f)(double) : {&sin, &tan, &asin, &atan}) {
    EXPECT_EQ(bits(f(0.0)), bits(0.0));
    EXPECT_EQ(bits(f(-0.0)), bits(-0.0));
  }
  EXPECT_EQ(bits(acos(1.0)), bits(0.0));
}

TEST(Trig, NotANumber) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (double (*const f)(double) : {&sin, &cos, &tan}) {
    for (const double x : {nan, -nan, infinity, -infinity}) EXPECT_EQ(bits(f(x)), bits(nan));
  }
  for (double (*const f)(double) : {&asin, &acos, &atan}) {
    for (const double x : {nan, -nan}) EXPECT_EQ(bits(f(x)), bits(nan));
  }
  for (const double x : {nan, 0.0, 1.0, infinity}) {
    EXPECT_EQ(bits(atan2(nan, x)), bits(nan));
    EXPECT_EQ(bits(atan2(x, -nan)), bits(nan));
  }
  EXPECT_EQ(bits(sin_cos(infinity).sin), bits(nan));
  EXPECT_EQ(bits(sin_cos(nan).cos), bits(nan));
}

TEST(Trig, ArcsOfSinesClamp) {
  for (const double x : {1 + 0x1p-52, 1.5, greatest, infinity}) {
    EXPECT_EQ(asin(x), half_pi);
    EXPECT_EQ(asin(-x), -half_pi);
    EXPECT_EQ(acos(x), 0);
    EXPECT_EQ(acos(-x), pi);
  }
}

TEST(Trig, ArcsOfSines) {
  const auto check_both = [](double x) {
    check(arc_sine, x);
    check(arc_cosine, x);
    check(arc_cosine, -x);
  };
  for_each_seed(8000, [&](Source& source) { check_both(source.uniform(0, 1)); });
  for_each_seed(3000, [&](Source& source) { check_both(with_exponent(source, -1074, 0)); });
  for_each_seed(3000, [&](Source& source) { check_both(with_exponent(source, -40, 0)); });
  for_each_seed(5000, [&](Source& source) { check_both(1 - with_exponent(source, -54, -1)); });
  for_each_seed(1000, [&](Source& source) { check_both(1 - source.index(2000) * 0x1p-53); });
  for_each_seed(1000, [&](Source& source) { check_both(nudged(source, std::sqrt(0.5), 50)); });
  // sin(atan(k / 128)): where the nearest point of the table, or that point itself, is met.
  for_each_seed(2000, [&](Source& source) {
    const double t = source.index(129) / 128.0;
    check_both(nudged(source, t / std::sqrt(1 + t * t), 3));
    if (t > 0) check_both(nudged(source, 1 / std::sqrt(1 + t * t), 3) - 0x1p-50);
  });
}

TEST(Trig, ArcTangent) {
  for_each_seed(10000, [](Source& source) { check(arc_tangent, source.uniform(0, 2)); });
  for_each_seed(5000, [](Source& source) { check(arc_tangent, with_exponent(source, -40, 70)); });
  for_each_seed(3000,
                [](Source& source) { check(arc_tangent, with_exponent(source, -1074, 1024)); });
  for_each_seed(5000, [](Source& source) {
    const double breakpoint = source.index(130) / 128.0;
    check(arc_tangent, nudged(source, breakpoint, 3));
    if (breakpoint > 0) check(arc_tangent, nudged(source, 1 / breakpoint, 3));
  });
}

void check_atan2(double y, double x) {
  Real exact, exact_x(x);
  mpfr_set_d(exact, y, MPFR_RNDN);
  mpfr_atan2(exact, exact, exact_x, MPFR_RNDN);
  const double angle = atan2(y, x);
  EXPECT_LE(ulps(angle, exact), arc_bound)
      << std::hexfloat << "atan2(" << y << ", " << x << ") = " << angle;
  EXPECT_EQ(bits(atan2(-y, x)), bits(-angle));
}

double signed_choice(Source& source, double x) { return source.index(2) ? -x : x; }

TEST(Trig, ArcTangentOfTwo) {
  for_each_seed(8000, [](Source& source) {
    const double y = source.uniform(-1, 1), x = source.uniform(-1, 1);
    check_atan2(y, x);
  });
  for_each_seed(8000, [](Source& source) { // every ratio
    const double y = with_exponent(source, -1074, 1024), x = with_exponent(source, -1074, 1024);
    check_atan2(y, signed_choice(source, x));
  });
  for_each_seed(8000, [](Source& source) { // moderate ratios, every size
    const double y = with_exponent(source, -1074, 1024);
    const double x = y * with_exponent(source, -40, 40);
    check_atan2(y, signed_choice(source, std::min(x, greatest)));
  });
  for_each_seed(5000, [](Source& source) { // on and beside the points of the table
    const double x = with_exponent(source, -1074, 1020);
    const double y = nudged(source, x * (source.index(129) / 128.0), 2);
    check_atan2(y, signed_choice(source, x));
    check_atan2(x, signed_choice(source, y));
  });
}

TEST(Trig, ArcTangentOfTwoAtTheEndsOfTheRange) {
  const double sizes[] = {smallest, 2 * smallest, 0x1p-1022, 0x1p-500, 0x1p-30,
                          1,        0x1p30,       0x1p500,   0x1p1000, greatest};
  for (const double y : sizes) {
    for (const double x : sizes) {
      for (const int step : {-1, 0, 1}) {
        const double beside = step < 0 ? std::nextafter(x, 0) : step ? std::nextafter(x, 1) : x;
        check_atan2(y, beside);
        check_atan2(y, -beside);
      }
    }
  }
}

TEST(Trig, ArcTangentOfZerosAndInfinities) {
  const double quarter = quarter_pi, three_quarters = 3 * quarter_pi;
  const struct {
    double y, x, angle;
  } cases[] = {
      {0, 0, 0},
      {0, -0.0, pi},
      {0, 1, 0},
      {0, smallest, 0},
      {0, -smallest, pi},
      {0, -1, pi},
      {0, infinity, 0},
      {0, -infinity, pi},
      {smallest, 0, half_pi},
      {1, 0, half_pi},
      {1, -0.0, half_pi},
      {infinity, 0, half_pi},
      {infinity, -0.0, half_pi},
      {greatest, infinity, 0},
      {smallest, infinity, 0},
      {1, -infinity, pi},
      {greatest, -infinity, pi},
      {infinity, 1, half_pi},
      {infinity, -greatest, half_pi},
      {infinity, infinity, quarter},
      {infinity, -infinity, three_quarters},
      {1, 1, quarter},
      {1, -1, three_quarters},
      {smallest, smallest, quarter},
      {greatest, greatest, quarter},
      {greatest, -greatest, three_quarters},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(bits(atan2(c.y, c.x)), bits(c.angle)) << c.y << ", " << c.x;
    EXPECT_EQ(bits(atan2(-c.y, c.x)), bits(-c.angle)) << -c.y << ", " << c.x;
  }
}

/// Neighbouring arguments never give results in the wrong order, seams of the tables included.
TEST(Trig, Monotone) {
  for_each_seed(30000, [](Source& source) {
    const double x = nudged(source, (1 + source.index(255)) / 256.0, 4);
    const double next = std::nextafter(x, 2);
    EXPECT_LE(sin(x), sin(next));
    EXPECT_GE(cos(x), cos(next));
    EXPECT_LE(tan(x), tan(next));
    EXPECT_LE(asin(x), asin(next));
    EXPECT_GE(acos(x), acos(next));
    EXPECT_LE(atan(x), atan(next));
    EXPECT_LE(atan(1 / next), atan(1 / x));
  });
}

TEST(Trig, StaysInRange) {
  for_each_seed(100000, [](Source& source) {
    const double x = near_quarter_turns(1.0 + source.index(1 << 20));
    const SinCos both = sin_cos(x);
    EXPECT_LE(std::fabs(both.sin), 1);
    EXPECT_LE(std::fabs(both.cos), 1);
  });
}

/// Hashes of many results: the same on every compiler and machine, or determinism is lost.
TEST(Trig, SameBitsEverywhere) {
  std::uint64_t hash = 0;
  Random random(1);
  const auto add = [&](double x) { hash = mix_bits(hash, bits(x)); };
  for (int i = 0; i < 100000; ++i) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    const double large = std::ldexp(x, static_cast<int>(random.below(1024)));
    add(sin(10 * x));
    add(cos(10 * x));
    add(tan(10 * x));
    add(sin(large));
    add(tan(large));
    add(asin(x));
    add(acos(x));
    add(atan(large));
    add(atan2(y, x));
  }
  EXPECT_EQ(hash, 0xe74d7cf6fbfd5b9au);
}

} // namespace
} // namespace carom
