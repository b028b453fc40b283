#include "carom/math/interval.h"
#include "carom/math/interval_vec3.h"

#include "tests/support/property.h"

#include <gmpxx.h>

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

using test::Source;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double greatest = std::numeric_limits<double>::max();
constexpr double smallest = std::numeric_limits<double>::denorm_min();

/// The greatest double <= q, by comparison with its neighbours only.
double round_down(const mpq_class& q) {
  if (q > mpq_class(greatest)) return greatest;
  if (q < mpq_class(-greatest)) return -inf;
  double d = q.get_d(); // truncated
  while (mpq_class(d) > q) d = std::nextafter(d, -inf);
  while (d < greatest && mpq_class(std::nextafter(d, inf)) <= q) d = std::nextafter(d, inf);
  return d;
}
double round_up(const mpq_class& q) { return -round_down(-q); }

/// A finite double: zeros of both signs, small integers, random bits over the whole range, subnormals, the greatest.
double number(Source& source) {
  const double sign = source.index(2) ? -1 : 1;
  switch (source.index(8)) {
  case 0:
    return sign * source.index(4);
  case 1: {
    const double mantissa = 1 + source.unit();
    return sign * std::ldexp(mantissa, source.index(2045) - 1022);
  }
  case 2:
    return sign * std::ldexp(source.unit(), -1022); // subnormal
  case 3:
    return sign * smallest * source.index(4);
  case 4:
    return sign * (greatest - std::ldexp(1.0, 971) * source.index(4));
  case 5: { // with a square near an end of the range
    const double mantissa = 1 + source.unit();
    const int exponent = source.index(2) ? 511 : -537;
    return sign * std::ldexp(mantissa, exponent + source.index(3) - 1);
  }
  default:
    return sign * (1 + source.unit());
  }
}

Interval interval(Source& source) {
  const double a = number(source);
  const double b = source.chance(4) ? a : number(source);
  return {std::min(a, b), std::max(a, b)};
}

/// A random real of the interval, exactly: a point between the ends, or an end.
mpq_class member(Source& source, const Interval& a) {
  const mpq_class t(source.index(5), 4);
  return mpq_class(a.lo) + t * (mpq_class(a.hi) - mpq_class(a.lo));
}

struct Range {
  mpq_class lo, hi;
};

void expect_tightest(const Interval& got, const Range& range, const char* what) {
  EXPECT_EQ(got.lo, round_down(range.lo)) << what;
  EXPECT_EQ(got.hi, round_up(range.hi)) << what;
}

/// The hull of op over the four pairs of ends: the exact range of an operation monotone in each argument.
template<class Op>
Range corners(const Interval& a, const Interval& b, Op op) {
  Range r{op(mpq_class(a.lo), mpq_class(b.lo)), 0};
  r.hi = r.lo;
  for (const double x : {a.lo, a.hi}) {
    for (const double y : {b.lo, b.hi}) {
      const mpq_class v = op(mpq_class(x), mpq_class(y));
      r.lo = std::min(r.lo, v);
      r.hi = std::max(r.hi, v);
    }
  }
  return r;
}

TEST(Interval, SumAndProductAreTheTightestOverAllDoubles) {
  test::for_each_seed(20000, [](Source& source) {
    const Interval a = interval(source);
    const Interval b = interval(source);
    using Q = const mpq_class&;
    expect_tightest(a + b, corners(a, b, [](Q x, Q y) { return mpq_class(x + y); }), "+");
    expect_tightest(a - b, corners(a, b, [](Q x, Q y) { return mpq_class(x - y); }), "-");
    expect_tightest(a * b, corners(a, b, [](Q x, Q y) { return mpq_class(x * y); }), "*");
    expect_tightest(square(a), corners(abs(a), abs(a), [](Q x, Q y) { return mpq_class(x * y); }),
                    "square");
    if (certainly_nonzero(b)) {
      expect_tightest(a / b, corners(a, b, [](Q x, Q y) { return mpq_class(x / y); }), "/");
    }
    EXPECT_EQ(width(a), round_up(mpq_class(a.hi) - mpq_class(a.lo)));
    EXPECT_TRUE(contains(a, midpoint(a)));
  });
}

TEST(Interval, EveryOperationHoldsTheExactResult) {
  test::for_each_seed(20000, [](Source& source) {
    const Interval a = interval(source);
    const Interval b = interval(source);
    const mpq_class x = member(source, a);
    const mpq_class y = member(source, b);
    const auto holds = [](const Interval& i, const mpq_class& q) {
      return (i.lo == -inf || mpq_class(i.lo) <= q) && (i.hi == inf || q <= mpq_class(i.hi));
    };
    EXPECT_TRUE(holds(a + b, x + y));
    EXPECT_TRUE(holds(a - b, x - y));
    EXPECT_TRUE(holds(a * b, x * y));
    if (y != 0) {
      EXPECT_TRUE(holds(a / b, x / y));
    }
    EXPECT_TRUE(holds(square(a), x * x));
    EXPECT_TRUE(holds(abs(a), abs(x)));
    EXPECT_TRUE(holds(min(a, b), std::min(x, y)));
    EXPECT_TRUE(holds(max(a, b), std::max(x, y)));
    EXPECT_TRUE(holds(hull(a, b), x) && holds(hull(a, b), y));
    const auto both = intersect(a, b);
    if (holds(b, x)) {
      ASSERT_TRUE(both.has_value());
      EXPECT_TRUE(holds(*both, x));
    } else {
      EXPECT_FALSE(both.has_value() && holds(*both, x));
    }
    if (certainly_positive(a)) {
      EXPECT_GT(x, 0);
    }
    if (certainly_negative(a)) {
      EXPECT_LT(x, 0);
    }
    if (certainly_nonnegative(a)) {
      EXPECT_GE(x, 0);
    }
    if (certainly_nonpositive(a)) {
      EXPECT_LE(x, 0);
    }
    if (certainly_zero(a)) {
      EXPECT_EQ(x, 0);
    }
    if (certainly_nonzero(a)) {
      EXPECT_NE(x, 0);
    }
    if (certainly_less(a, b)) {
      EXPECT_LT(x, y);
    }
  });
}

TEST(Interval, RootIsTheTightest) {
  test::for_each_seed(20000, [](Source& source) {
    const Interval a = interval(source);
    const Interval r = sqrt(a);
    const mpq_class low = std::max(mpq_class(a.lo), mpq_class(0));
    const mpq_class high = std::max(mpq_class(a.hi), mpq_class(0));
    const auto squared = [](double x) { return mpq_class(mpq_class(x) * mpq_class(x)); };
    EXPECT_LE(squared(r.lo), low);
    EXPECT_GE(squared(r.hi), high);
    EXPECT_GT(squared(std::nextafter(r.lo, inf)), low);
    if (r.hi > 0) {
      EXPECT_LT(squared(std::nextafter(r.hi, 0.0)), high);
    }
  });
  EXPECT_EQ(sqrt(Interval(4, 9)), Interval(2, 3));
  EXPECT_EQ(sqrt(Interval(-1, 4)), Interval(0, 2));
  EXPECT_EQ(sqrt(Interval(-2, -1)), Interval(0));
  EXPECT_EQ(sqrt(Interval(0, inf)), Interval(0, inf));
}

TEST(Interval, ASubsetGivesASubset) {
  test::for_each_seed(20000, [](Source& source) {
    const Interval a = interval(source);
    const Interval b = interval(source);
    const auto inside = [&source](const Interval& outer) {
      const double x = std::clamp(number(source), outer.lo, outer.hi);
      const double y = std::clamp(number(source), outer.lo, outer.hi);
      return Interval(std::min(x, y), std::max(x, y));
    };
    const Interval c = inside(a);
    const Interval d = inside(b);
    EXPECT_TRUE(contains(a + b, c + d));
    EXPECT_TRUE(contains(a - b, c - d));
    EXPECT_TRUE(contains(a * b, c * d));
    if (!certainly_zero(d)) {
      EXPECT_TRUE(contains(a / b, c / d));
    }
    EXPECT_TRUE(contains(square(a), square(c)));
    EXPECT_TRUE(contains(sqrt(a), sqrt(c)));
    EXPECT_TRUE(contains(abs(a), abs(c)));
    EXPECT_TRUE(contains(a * a, square(a)));
  });
}

TEST(Interval, ExactWhereTheResultIs) {
  EXPECT_EQ(Interval(1) + Interval(2), Interval(3));
  EXPECT_EQ(Interval(0x1p-1074) * Interval(2), Interval(0x1p-1073));
  EXPECT_EQ(Interval(0x1p-1073) / Interval(2), Interval(0x1p-1074));
  EXPECT_EQ(Interval(1) / Interval(3), Interval(0x1.5555555555555p-2, 0x1.5555555555556p-2));
  EXPECT_EQ(Interval(0x1p-1074) * Interval(0.5), Interval(0, 0x1p-1074));
  EXPECT_EQ(Interval(greatest) + Interval(greatest), Interval(greatest, inf));
  EXPECT_EQ(Interval(-greatest) * Interval(2), Interval(-inf, -greatest));
}

TEST(Interval, AVariableUsedTwiceWidensAndSplittingHelps) {
  const auto f = [](const Interval& x) { return x * (Interval(6) - x); };
  EXPECT_EQ(f({1, 3}), Interval(3, 15));
  EXPECT_EQ(hull(f({1, 2}), f({2, 3})), Interval(4, 12));
  // The range itself, from x (6 - x) = 9 - (x - 3)^2, which uses x once.
  EXPECT_EQ(Interval(9) - square(Interval(1, 3) - Interval(3)), Interval(5, 9));
}

TEST(Interval, DivisionByZero) {
  const Interval whole = Interval::whole();
  EXPECT_EQ(Interval(1, 2) / Interval(-1, 1), whole);
  EXPECT_EQ(Interval(1, 2) / Interval(0), whole);
  EXPECT_EQ(Interval(0) / Interval(0, 1), whole);
  EXPECT_EQ(Interval(1, 2) / Interval(0, 4), Interval(0.25, inf));
  EXPECT_EQ(Interval(1, 2) / Interval(-0.0, 4), Interval(0.25, inf));
  EXPECT_EQ(Interval(1, 2) / Interval(-4, 0), Interval(-inf, -0.25));
  EXPECT_EQ(Interval(-2, -1) / Interval(0, 4), Interval(-inf, -0.25));
  EXPECT_EQ(Interval(-2, -1) / Interval(-4, -0.0), Interval(0.25, inf));
}

TEST(Interval, UnboundedEndsStaySound) {
  const Interval whole = Interval::whole();
  const Interval above(1, inf);
  const Interval cases[] = {whole,
                            above,
                            -above,
                            Interval(0),
                            Interval(-1, 2),
                            Interval(3, 4),
                            Interval(-inf, 2),
                            Interval(0, inf),
                            Interval(-0.0, 0.0),
                            Interval(greatest, inf),
                            Interval(-greatest, greatest)};
  for (const Interval& a : cases) {
    for (const Interval& b : cases) {
      for (const Interval& r : {a + b, a - b, a * b, a / b, square(a), sqrt(a), abs(a), min(a, b),
                                max(a, b), hull(a, b)}) {
        EXPECT_LE(r.lo, r.hi); // and so neither is NaN
        EXPECT_LT(r.lo, inf);
        EXPECT_GT(r.hi, -inf);
      }
      EXPECT_TRUE(std::isfinite(midpoint(a)) && contains(a, midpoint(a)));
    }
  }
  EXPECT_EQ(Interval(0) * whole, Interval(0));
  EXPECT_EQ(whole * Interval(0), Interval(0));
  EXPECT_EQ(above * above, above);
  EXPECT_EQ(above / above, Interval(0, inf));
  EXPECT_EQ(Interval(0, 1) * whole, whole);
  EXPECT_EQ(width(above), inf);
}

// Every operation ends, whatever the ends; between valid intervals beside them (lo <= hi, not all at infinity) the result is valid.
TEST(Interval, InvalidEndsReturn) {
  const double values[] = {NAN, -inf, -2, -0.0, 1, inf};
  const auto valid = [](double lo, double hi) { return lo <= hi && lo < inf && hi > -inf; };
  for (const double a : values) {
    for (const double b : values) {
      for (const double c : values) {
        for (const double d : values) {
          const Interval x(a, b);
          const Interval y(c, d);
          const bool both = valid(a, b) && valid(c, d);
          for (const Interval& r : {x + y, x * y, x / y, square(x)}) {
            EXPECT_TRUE(!both || r.lo <= r.hi) << a << " " << b << " " << c << " " << d;
          }
          EXPECT_TRUE(!both || b < 0 || sqrt(x).lo <= sqrt(x).hi);
          const auto common = intersect(x, y);
          EXPECT_TRUE(!both || !common || common->lo <= common->hi);
        }
      }
    }
  }
}

TEST(IntervalVec3, HoldsTheExactVectorResults) {
  test::for_each_seed(5000, [](Source& source) {
    Interval c[6];
    mpq_class m[6];
    for (int i = 0; i < 6; ++i) {
      c[i] = interval(source);
      m[i] = member(source, c[i]);
    }
    const IntervalVec3 a(c[0], c[1], c[2]);
    const IntervalVec3 b(c[3], c[4], c[5]);
    const auto holds = [](const Interval& i, const mpq_class& q) {
      return (i.lo == -inf || mpq_class(i.lo) <= q) && (i.hi == inf || q <= mpq_class(i.hi));
    };
    EXPECT_TRUE(holds(dot(a, b), m[0] * m[3] + m[1] * m[4] + m[2] * m[5]));
    EXPECT_TRUE(holds(length_squared(a), m[0] * m[0] + m[1] * m[1] + m[2] * m[2]));
    EXPECT_GE(length_squared(a).lo, 0);
    const IntervalVec3 n = cross(a, b);
    EXPECT_TRUE(holds(n.x, m[1] * m[5] - m[2] * m[4]));
    EXPECT_TRUE(holds(n.y, m[2] * m[3] - m[0] * m[5]));
    EXPECT_TRUE(holds(n.z, m[0] * m[4] - m[1] * m[3]));
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(holds((a + b)[i], m[i] + m[i + 3]));
      EXPECT_TRUE(holds((a - b)[i], m[i] - m[i + 3]));
      EXPECT_TRUE(holds((-a)[i], -m[i]));
      EXPECT_TRUE(holds((c[5] * a)[i], m[5] * m[i]));
    }
  });
  const IntervalVec3 exact(Vec3{1, 2, 3});
  EXPECT_EQ(cross(exact, IntervalVec3(Vec3{4, 5, 6})), IntervalVec3(Vec3{-3, 6, -3}));
  EXPECT_EQ(dot(exact, exact), Interval(14));
  EXPECT_TRUE(contains(exact, Vec3{1, 2, 3}));
}

} // namespace
} // namespace carom
