// The oracle: square roots in 9,000 bits (MPFR; -b + sqrt(b^2 - 4ac) may lose 6,000 of them), and the discriminant's sign over the rationals.
#include "carom/math/quadratic.h"

#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <gmpxx.h>

#include <algorithm>
#include <limits>
#include <mpfr.h>

namespace carom {
namespace {

using test::Source;

constexpr double u = 0x1p-53;
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double top = std::numeric_limits<double>::max();
constexpr double least = std::numeric_limits<double>::denorm_min();

/// A number of 9,000 bits.
class Wide {
public:
  Wide() { mpfr_init2(x_, 9000); }
  explicit Wide(const mpq_class& q) : Wide() { mpfr_set_q(x_, q.get_mpq_t(), MPFR_RNDN); }
  Wide(const Wide& other) : Wide() { mpfr_set(x_, other.x_, MPFR_RNDN); }
  Wide& operator=(const Wide&) = delete;
  ~Wide() { mpfr_clear(x_); }
  mpfr_t x_;
};

/// |x - root| / |root| in u, where the root (-b + sign sqrt(b^2 - 4ac)) / 2a is a normal double; 0 elsewhere.
double error_in_u(double x, double a, double b, double c, int sign) {
  const mpq_class qa(a), qb(b), qc(c);
  Wide root(mpq_class(qb * qb - 4 * qa * qc));
  mpfr_sqrt(root.x_, root.x_, MPFR_RNDN);
  if (sign < 0) mpfr_neg(root.x_, root.x_, MPFR_RNDN);
  mpfr_sub_q(root.x_, root.x_, qb.get_mpq_t(), MPFR_RNDN);
  mpfr_div_q(root.x_, root.x_, mpq_class(2 * qa).get_mpq_t(), MPFR_RNDN);
  const double size = std::fabs(mpfr_get_d(root.x_, MPFR_RNDN));
  if (mpfr_zero_p(root.x_)) return x == 0 ? 0 : inf;
  if (size == inf || std::fabs(x) == inf)
    return size > 0.99 * top && std::fabs(x) > 0.99 * top ? 0 : inf;
  if (size < 0x1p-1021) return std::fabs(std::fabs(x) - size) <= 2 * least + 8 * u * size ? 0 : inf;
  Wide error;
  mpfr_set_d(error.x_, x, MPFR_RNDN);
  mpfr_sub(error.x_, error.x_, root.x_, MPFR_RNDN);
  mpfr_div(error.x_, error.x_, root.x_, MPFR_RNDN);
  return std::fabs(mpfr_get_d(error.x_, MPFR_RNDN)) / u;
}

/// Checks the promises; returns the worst relative error, in u.
double check(double a, double b, double c) {
  const QuadraticSolution s = solve_quadratic(a, b, c);
  const mpq_class qa(a), qb(b), qc(c);
  if (a == 0) {
    EXPECT_EQ(s.count, b != 0 ? 1 : 0);
    if (b != 0) {
      EXPECT_EQ(s.lo, -c / b);
    }
    return 0;
  }
  const int expected = 1 + sgn(mpq_class(qb * qb - 4 * qa * qc));
  EXPECT_EQ(s.count, expected) << std::hexfloat << a << ' ' << b << ' ' << c;
  if (expected == 0 || s.count != expected) return 0;
  EXPECT_LE(s.lo, s.hi);
  const int first = a > 0 ? -1 : 1;
  const double worst =
      std::max(error_in_u(s.lo, a, b, c, first), error_in_u(s.hi, a, b, c, -first));
  EXPECT_LT(worst, 6) << std::hexfloat << a << ' ' << b << ' ' << c << ": " << s.lo << ' ' << s.hi;
  return worst;
}

double moved(Source& source, double x) {
  for (int i = source.index(3); i > 0; --i) x = std::nextafter(x, source.index(2) ? inf : -inf);
  return x;
}

TEST(Quadratic, CountIsExactAndRootsAreAccurate) {
  double worst = 0;
  test::for_each_seed(10000, [&](Source& source) {
    double a = test::real(source), b = test::real(source), c = test::real(source);
    switch (source.index(5)) {
    case 0: { // nearly a double root
      const double r = test::real(source);
      const double lead = 1 + source.index(7);
      a = moved(source, lead);
      b = moved(source, -2 * lead * r);
      c = moved(source, lead * r * r);
      break;
    }
    case 1: { // integers of 53 bits with h^2 - ac small
      const double h = 0x1p53 - 1 - source.index(1000);
      const double k = source.index(20);
      a = h - k;
      b = -2 * h;
      c = h + k;
      break;
    }
    case 2: // all sizes, far beyond the stated range as well
      a = std::ldexp(a, source.index(2000) - 1000);
      b = std::ldexp(b, source.index(2000) - 1000);
      c = std::ldexp(c, source.index(2000) - 1000);
      break;
    default:
      break;
    }
    if (source.index(4) == 0) {
      const int k = source.index(1800) - 900;
      a = std::ldexp(a, k);
      b = std::ldexp(b, k);
      c = std::ldexp(c, k);
    }
    if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c)) return;
    worst = std::max(worst, check(a, b, c));
  });
  if (std::getenv("CAROM_VERBOSE")) std::printf("worst error: %g u\n", worst);
}

TEST(Quadratic, EndsOfTheRange) {
  const double values[] = {0, least, -least, 3 * least, 0x1p-1022, 1e-160, 1e-60, -1,
                           1, 3,     1e60,   -1e160,    0x1p900,   top,    -top};
  for (const double a : values) {
    for (const double b : values) {
      for (const double c : values) (void)check(a, b, c);
    }
  }
}

TEST(Quadratic, CancellationBetweenHugeAndTinyCoefficients) {
  for (const double m : {1.0, 1 + 0x1p-20, 1.5 - 0x1p-51}) {
    for (const double c : {m * m, std::nextafter(m * m, 4), std::nextafter(m * m, 0)}) {
      (void)check(0x1p-1000, -2 * m, c * 0x1p1000);
      (void)check(0x1p1000, -2 * m, c * 0x1p-1000);
      (void)check(0x1p-1000, -2 * m * 0x1p-40, c * 0x1p920);
      (void)check(-0x1p-970, -2 * m, -c * 0x1p970);
    }
  }
}

TEST(Quadratic, KnownRoots) {
  const QuadraticSolution two = solve_quadratic(2, -10, 12);
  EXPECT_EQ(two.count, 2);
  EXPECT_EQ(two.lo, 2);
  EXPECT_EQ(two.hi, 3);
  const QuadraticSolution small =
      solve_quadratic(1, -1e10, 1); // the small root, which the schoolbook formula loses
  EXPECT_EQ(small.lo, 1e-10);
  const QuadraticSolution linear = solve_quadratic(0, 2, -5);
  EXPECT_EQ(linear.count, 1);
  EXPECT_EQ(linear.lo, 2.5);
  EXPECT_EQ(linear.hi, 2.5);
  EXPECT_EQ(solve_quadratic(0, 0, 1).count, 0);
  EXPECT_EQ(solve_quadratic(0, 0, 0).count, 0);
  EXPECT_EQ(solve_quadratic(1, 0, 0).count, 1);
  EXPECT_EQ(solve_quadratic(1, 0, 1).count, 0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {nan, inf, -inf}) {
    EXPECT_EQ(solve_quadratic(bad, 1, 1).count, 0);
    EXPECT_EQ(solve_quadratic(1, bad, 1).count, 0);
    EXPECT_EQ(solve_quadratic(1, 1, bad).count, 0);
    EXPECT_EQ(solve_quadratic(0, 1, bad).count, 0);
  }
}

} // namespace
} // namespace carom
