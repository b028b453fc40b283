// The oracle is exact: Sturm sequences over the rationals count the distinct roots in every enclosure and on the whole line, and
// greatest common divisors with the derivatives give the multiplicities.
#include "carom/math/roots.h"

#include "carom/math/polynomial_sign.h"
#include "tests/math/sturm.h"
#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <gmpxx.h>

#include <limits>
#include <vector>

namespace carom {
namespace {

using test::derivative_of;
using test::Exact;
using test::gcd_of;
using test::sign_of;
using test::Source;
using test::Sturm;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double top = std::numeric_limits<double>::max();
constexpr double least = std::numeric_limits<double>::denorm_min();

Exact exact(const Polynomial& p) {
  return test::trimmed({mpq_class(p.d), mpq_class(p.c), mpq_class(p.b), mpq_class(p.a)});
}

// ---- the check ----

std::string text(const Polynomial& p) {
  char buffer[200];
  (void)std::snprintf(buffer, sizeof buffer, "{%a, %a, %a, %a}", p.a, p.b, p.c, p.d);
  return buffer;
}

void check(const Polynomial& polynomial) {
  SCOPED_TRACE(text(polynomial));
  const Roots found = real_roots(polynomial);
  const Exact p = exact(polynomial);
  EXPECT_TRUE(found.finite);
  EXPECT_EQ(found.everywhere, p.empty());
  const Exact first = p.size() > 1 ? gcd_of(p, derivative_of(p)) : Exact{};
  const Exact second = first.size() > 1 ? gcd_of(first, derivative_of(first)) : Exact{};
  const Sturm simple(p);
  const Sturm at_least_double(first);
  const Sturm triple(second);
  ASSERT_EQ(found.count, simple.inside(-inf, inf));
  for (int i = 0; i < found.count; ++i) {
    const Root& r = found.root.at(static_cast<std::size_t>(i));
    int same = 0;
    int doubled = 0;
    int tripled = 0;
    for (int j = 0; j < found.count; ++j) {
      const Root& other = found.root.at(static_cast<std::size_t>(j));
      if (!(other.x == r.x)) continue;
      ++same;
      doubled += other.multiplicity >= 2;
      tripled += other.multiplicity >= 3;
    }
    EXPECT_TRUE(r.x.lo == r.x.hi || r.x.hi == next_up(r.x.lo)) << r.x.lo << ' ' << r.x.hi;
    EXPECT_TRUE(std::isfinite(r.best) && (r.best == r.x.lo || r.best == r.x.hi));
    EXPECT_EQ(simple.in(r.x), same);
    EXPECT_EQ(at_least_double.in(r.x), doubled);
    EXPECT_EQ(triple.in(r.x), tripled);
    if (i > 0) {
      const Root& before = found.root.at(static_cast<std::size_t>(i - 1));
      EXPECT_TRUE(before.x == r.x || before.x.lo < r.x.lo || before.x.hi < r.x.hi);
    }
  }
}

/// Each end of each enclosure as a range end: closed ranges, by the exact count.
void check_ranges(const Polynomial& polynomial) {
  SCOPED_TRACE(text(polynomial));
  const Sturm sturm(exact(polynomial));
  const Roots all = real_roots(polynomial);
  std::vector<double> ends{-inf, -1, 0, 1, inf};
  for (int i = 0; i < all.count; ++i) {
    const Interval& x = all.root.at(static_cast<std::size_t>(i)).x;
    for (const double e : {next_down(x.lo), x.lo, x.hi, next_up(x.hi)}) ends.push_back(e);
  }
  const Exact p = exact(polynomial);
  for (const double lo : ends) {
    for (const double hi : ends) {
      if (p.size() < 2) continue;
      int expected = 0;
      if (lo < hi) {
        expected = sturm.inside(lo, hi) + (std::isfinite(lo) && sign_of(p, lo) == 0) +
                   (std::isfinite(hi) && sign_of(p, hi) == 0);
      } else if (lo == hi && std::isfinite(lo)) {
        expected = sign_of(p, lo) == 0;
      }
      EXPECT_EQ(real_roots(polynomial, {lo, hi}).count, expected) << lo << ' ' << hi;
    }
  }
}

// ---- cases ----

double moved(Source& source, double x) {
  for (int i = source.index(3); i > 0; --i) x = source.index(2) ? next_up(x) : next_down(x);
  return x;
}

/// (q x - p) with small integers, or with a root of many digits.
struct Factor {
  double q, p;
};
Factor factor(Source& source) {
  if (source.index(3) > 0) return {1.0 + source.index(9), source.index(31) - 15.0};
  const double root = test::real(source);
  return {1, std::ldexp(root, source.index(8) - 4)};
}

/// A product of three factors, some repeated or nearly so. Exact where the numbers are small integers, rounded otherwise.
Polynomial from_roots(Source& source) {
  const Factor f = factor(source);
  Factor g = source.index(3) == 0 ? f : factor(source);
  Factor h = source.index(3) == 0 ? f : factor(source);
  if (source.chance(4)) g.p = moved(source, f.p);
  if (source.chance(6)) h.p = moved(source, f.p);
  switch (source.index(8)) {
  case 0:
    return {0, 0, f.q, -f.p};
  case 1:
    return {0, f.q * g.q, -(f.q * g.p + f.p * g.q), f.p * g.p};
  case 2: { // one real root, or three with two close
    const double at_1 = test::real(source);
    const double e = std::ldexp(at_1, -source.index(60));
    return {f.q, -f.p + f.q * g.p, e * f.q - f.p * g.p, -f.p * e};
  }
  default:
    return {f.q * g.q * h.q, -(f.q * g.q * h.p + f.q * g.p * h.q + f.p * g.q * h.q),
            f.q * g.p * h.p + f.p * g.q * h.p + f.p * g.p * h.q, -f.p * g.p * h.p};
  }
}

Polynomial scaled(const Polynomial& p, int in_p, int in_x) {
  return {std::ldexp(p.a, in_p - 3 * in_x), std::ldexp(p.b, in_p - 2 * in_x),
          std::ldexp(p.c, in_p - in_x), std::ldexp(p.d, in_p)};
}

Polynomial polynomial(Source& source) {
  Polynomial p = from_roots(source);
  if (source.index(3) == 0)
    p = {moved(source, p.a), moved(source, p.b), moved(source, p.c), moved(source, p.d)};
  if (source.chance(8)) {
    p = {test::real(source), test::real(source), test::real(source), test::real(source)};
  }
  switch (source.index(8)) {
  case 0: {
    const int in_p = source.index(400) - 200;
    return scaled(p, in_p, source.index(60) - 30);
  }
  case 1: { // each coefficient at a scale of its own, within the stated 1e-60 .. 1e60 and far beyond
    const int spread = source.index(2) ? 200 : 1000;
    const auto any = [&] { return source.index(2 * spread) - spread; };
    const int i = any(), j = any(), k = any(), l = any();
    return {std::ldexp(p.a, i), std::ldexp(p.b, j), std::ldexp(p.c, k), std::ldexp(p.d, l)};
  }
  case 2: // a leading coefficient next to nothing
    p.a = std::ldexp(p.a, -source.index(1000));
    return p;
  default:
    return p;
  }
}

TEST(Roots, EveryRootEnclosedAndNoneInvented) {
  test::for_each_seed(1500, [](Source& source) { check(polynomial(source)); });
}

TEST(Roots, RangesAreClosed) {
  test::for_each_seed(25, [](Source& source) { check_ranges(polynomial(source)); });
}

PROPERTY(Roots, OfQuadraticsAreThoseOfCubicsWithoutALeadingTerm) {
  Polynomial p = polynomial(source);
  p.a = 0;
  check(p);
  const Roots a = real_roots(p);
  const Roots b = quadratic_roots(p.b, p.c, p.d);
  REQUIRE(a.count == b.count);
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.count); ++i)
    REQUIRE(a.root[i].x == b.root[i].x);
  REQUIRE(!::testing::Test::HasFailure());
}

PROPERTY(Roots, SignsAreExact) {
  const Polynomial p = polynomial(source);
  const Exact e = exact(p);
  const Roots r = real_roots(p);
  std::vector<double> points{0,   1,    test::real(source),
                             top, -top, least,
                             inf, -inf, std::ldexp(1.5, source.index(2000) - 1000)};
  for (std::size_t i = 0; i < static_cast<std::size_t>(r.count); ++i) {
    points.push_back(r.root[i].x.lo);
    points.push_back(r.root[i].x.hi);
  }
  for (const double x : points) REQUIRE(sign_of_polynomial(p, x) == sign_of(e, x));
}

PROPERTY(Roots, ErrorBoundsOfTheFiltersHold) {
  const Polynomial p = polynomial(source);
  const Roots r = real_roots(p);
  WeightedPolynomial w{3, {p.d, p.c, p.b, p.a}};
  if (source.index(2)) w = derivative(w);
  if (source.index(2)) w = {w.degree, w.coefficient, {1 + source.index(32), 3, 5, 7}};
  Exact e;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(w.degree); ++i)
    e.push_back(mpq_class(w.coefficient[i]) * w.weight[i]);
  const double x = r.count > 0 && source.index(2) ? r.root[0].best : test::real(source);
  mpq_class v = 0;
  for (std::size_t i = e.size(); i-- > 0;) v = v * mpq_class(x) + e[i];
  for (const BoundedValue& b : {evaluate(w, x), evaluate_doubled(w, x)}) {
    if (b.error < inf) REQUIRE(abs(mpq_class(b.value) - v) <= mpq_class(b.error));
  }
}

TEST(Roots, KnownRoots) {
  const Roots three = real_roots({1, -6, 11, -6});
  ASSERT_EQ(three.count, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(three.root.at(i).x, Interval(1.0 + static_cast<double>(i)));
    EXPECT_EQ(three.root.at(i).best, 1.0 + static_cast<double>(i));
    EXPECT_EQ(three.root.at(i).multiplicity, 1);
  }
  const Roots third = quadratic_roots(9, -6, 1); // (3x - 1)^2
  ASSERT_EQ(third.count, 1);
  EXPECT_EQ(third.root[0].multiplicity, 2);
  EXPECT_EQ(third.root[0].x, Interval(1.0 / 3, next_up(1.0 / 3)));
  EXPECT_EQ(third.root[0].best, 1.0 / 3); // 1/3 rounds down: its error is a third of the gap
  const Roots triple = real_roots({27, -27, 9, -1}); // (3x - 1)^3
  ASSERT_EQ(triple.count, 1);
  EXPECT_EQ(triple.root[0].multiplicity, 3);
  EXPECT_EQ(triple.root[0].x, third.root[0].x);
  const Roots touching = real_roots({1, 0, -3, 2}); // (x - 1)^2 (x + 2)
  ASSERT_EQ(touching.count, 2);
  EXPECT_EQ(touching.root[0].x, Interval(-2));
  EXPECT_EQ(touching.root[0].multiplicity, 1);
  EXPECT_EQ(touching.root[1].x, Interval(1));
  EXPECT_EQ(touching.root[1].multiplicity, 2);
  const Roots two = quadratic_roots(1, 0, -2);
  ASSERT_EQ(two.count, 2);
  EXPECT_EQ(two.root[1].best, std::sqrt(2.0));
  EXPECT_EQ(two.root[0].best, -std::sqrt(2.0));
  EXPECT_EQ(quadratic_roots(1, 0, 1).count, 0);
}

TEST(Roots, DiscriminantsOneUlpEitherSideOfZero) {
  for (const double m : {1.0, 3.0, 1.5, 1e8 + 1, 67108859.0}) {
    const double a = 1, b = -2 * m, c = m * m;
    for (const Polynomial& p : {Polynomial{0, a, b, c}, Polynomial{0, a, b, next_up(c)},
                                Polynomial{0, a, b, next_down(c)}, Polynomial{0, next_up(a), b, c},
                                Polynomial{0, next_down(a), b, c}, Polynomial{0, a, next_up(b), c},
                                Polynomial{0, a, next_down(b), c}}) {
      check(p);
    }
    EXPECT_EQ(quadratic_roots(a, b, next_up(c)).count, 0);
    EXPECT_EQ(quadratic_roots(a, b, next_down(c)).count, 2);
  }
}

TEST(Roots, ClustersOfNeighbouringDoubles) {
  // h^2 - a c = 1 with 53-bit integers: (h - 1) x^2 - 2 h x + (h + 1) has the roots 1 and 1 + 2 / (h - 1).
  for (const double h : {0x1p52, 0x1p53 - 1, 0x1p53 - 3, 0x1.8p52}) {
    check({0, h - 1, -2 * h, h + 1});
    const Roots r = quadratic_roots(h - 1, -2 * h, h + 1);
    ASSERT_EQ(r.count, 2);
    EXPECT_EQ(r.root[0].x, Interval(1));
    EXPECT_GT(r.root[1].x.hi, 1);
    EXPECT_LT(r.root[1].x.hi, 1 + 0x1p-49);
  }
  const double e = 0x1p-51; // two doubles apart near 1
  check({0, 1, -(2 + e), 1 + e});
  // Three roots 1, 1 + 2^-17, 1 - 2^-17, exactly.
  check({1, -3, 3 - 0x1p-34, -1 + 0x1p-34});
  for (int k = 1; k < 30; ++k) check({1, -3, 3 - std::ldexp(1, -k), -1 + std::ldexp(1, -k)});
}

TEST(Roots, SeveralBetweenTheSameNeighbours) {
  // Roots beyond the greatest double: 2^1030 and 2^1031, and 2^1030 twice.
  const Polynomial two{0, 0x1p-1074, -3 * 0x1p-44, 0x1p987};
  const Polynomial twice{0, 0x1p-1074, -2 * 0x1p-44, 0x1p986};
  for (const Polynomial& p : {two, twice}) {
    check(p);
    check({0, p.b, -p.c, p.d});
  }
  const Roots r = real_roots(two);
  ASSERT_EQ(r.count, 2);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(r.root.at(i).x, Interval(top, inf));
    EXPECT_EQ(r.root.at(i).best, top);
  }
  EXPECT_EQ(real_roots(two, {-top, top}).count, 0);
  check({0x1p-1074, -3 * 0x1p-44, 0x1p987, 0});
  check({0x1p-1074, -3 * 0x1p-44, 0x1p987, 1});
  check({0x1p-1074, -3 * 0x1p-44, 0x1p987, -0x1p1000});
  check({0x1p-1074, -2 * 0x1p-44, 0x1p986, 0});
  check({0x1p-1074, -2 * 0x1p-44, 0x1p986, -0x1p1000});
}

TEST(Roots, LeadingCoefficientsThatVanish) {
  EXPECT_TRUE(real_roots({0, 0, 0, 0}).everywhere);
  EXPECT_TRUE(real_roots({-0.0, 0, -0.0, 0}).everywhere);
  EXPECT_EQ(real_roots({0, 0, 0, 0}).count, 0);
  EXPECT_FALSE(real_roots({0, 0, 0, 5}).everywhere);
  EXPECT_EQ(real_roots({0, 0, 0, 5}).count, 0);
  EXPECT_EQ(real_roots({0, 0, 2, -5}).root[0].x, Interval(2.5));
  for (const double tiny : {1e-60, -1e-60, 1e-300, least, -least}) {
    const Roots r = real_roots({tiny, 1, -3, 2});
    ASSERT_EQ(r.count, 3);
    int near_one = 0;
    int near_two = 0;
    for (const Root& x : r.root) {
      near_one += x.x.lo >= next_down(1) && x.x.hi <= next_up(1);
      near_two += x.x.lo >= next_down(2) && x.x.hi <= next_up(2);
    }
    EXPECT_EQ(near_one, 1);
    EXPECT_EQ(near_two, 1);
    EXPECT_EQ(real_roots({tiny, 1, -3, 2}, {0, 10}).count, 2);
    check({tiny, 1, -3, 2});
    check({tiny, 0, -1, 1});
    check({0, tiny, -1, 1});
    check({tiny, 0, 0, 1});
    check({1, 0, 0, tiny});
    check({1, 0, tiny, 0});
    check({1, tiny, 0, 0});
    check({tiny, tiny, tiny, tiny});
    check({tiny, top, -top, tiny});
    check({top, tiny, tiny, -top});
  }
}

TEST(Roots, NotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {nan, inf, -inf}) {
    for (const Polynomial& p : {Polynomial{bad, 1, 1, 1}, Polynomial{1, bad, 1, 1},
                                Polynomial{1, 1, bad, 1}, Polynomial{0, 0, 0, bad}}) {
      EXPECT_FALSE(real_roots(p).finite);
      EXPECT_EQ(real_roots(p).count, 0);
      EXPECT_FALSE(real_roots(p).everywhere);
      EXPECT_EQ(sign_of_polynomial(p, 1), 0);
    }
  }
  EXPECT_EQ(sign_of_polynomial({1, 1, 1, 1}, nan), 0);
  EXPECT_EQ(sign_of_polynomial({0, 0, 0, 0}, inf), 0);
  EXPECT_EQ(real_roots({0, 0, 1, -1}, {nan, 2}).count, 0);
  EXPECT_EQ(real_roots({0, 0, 1, -1}, {2, 0}).count, 0);
}

} // namespace
} // namespace carom
