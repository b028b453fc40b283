// Polynomials in time against rationals with known roots.
#include "carom/motion/time_polynomial.h"

#include "tests/support/property.h"

#include <gmpxx.h>

#include <algorithm>
#include <set>
#include <vector>

namespace carom::test {
namespace {

using Integer = TimePolynomial::Coefficient;

/// The polynomial d t - n: zero at n / d, and -n (1 - t) + (d - n) t.
TimePolynomial zero_at(std::int64_t n, std::int64_t d) { return {Integer(-n), Integer(d - n)}; }

TimePolynomial constant(std::int64_t x) {
  TimePolynomial p;
  p.c[0] = Integer(x);
  p.settle();
  return p;
}

/// A root of a few: the same ones often, also the ends, and beyond.
mpq_class some_root(Source& source) {
  const std::int64_t d = 1 + source.index(12);
  const std::int64_t n = source.index(16) - 2;
  mpq_class q(static_cast<long>(n), static_cast<long>(d));
  q.canonicalize();
  // Hairs apart from it.
  if (source.chance(4)) q += mpq_class(1, 1L << (1 + source.index(56)));
  return q;
}

TimePolynomial with_root(const mpq_class& q) {
  return zero_at(q.get_num().get_si(), q.get_den().get_si());
}

mpq_class exact(GridTime time) {
  return mpq_class(mpz_class(static_cast<unsigned long>(time)), mpz_class(1) << 62);
}

TEST(TimePolynomial, FindsRootsAndSignsThere) {
  for_each_seed(fewer_when_sanitized(20000), [](Source& source) {
    const int degree = 1 + source.index(3);
    TimePolynomial p = constant(source.index(2) ? 1 : -3);
    std::set<mpq_class> inside;
    for (int i = 0; i < degree; ++i) {
      const mpq_class q = some_root(source);
      if (q > 0 && q < 1) inside.insert(q);
      p = p * with_root(q);
    }
    const mpq_class a = some_root(source);
    const mpq_class b = source.index(2) && !inside.empty() ? *inside.begin() : some_root(source);
    const TimePolynomial g = with_root(a) * with_root(b);
    TimeRoots roots;
    find_roots(p, roots);
    const bool crowded = std::any_of(roots.root.begin(), roots.root.begin() + roots.count,
                                     [](const TimeRoot& r) { return r.crowded; });
    // Roots that are nearer than 2^-62 to each other.
    if (crowded) return;
    ASSERT_EQ(static_cast<std::size_t>(roots.count), inside.size());
    auto next = inside.begin();
    for (int i = 0; i < roots.count; ++i, ++next) {
      const TimeRoot& r = roots.root[static_cast<std::size_t>(i)];
      EXPECT_TRUE(exact(r.lo) <= *next && *next <= exact(r.hi)) << *next;
      EXPECT_LE(r.hi - r.lo, GridTime{1} << 13);
      EXPECT_EQ(sign_at(g, r), sgn(*next - a) * sgn(*next - b)) << *next << ' ' << a << ' ' << b;
    }
  });
}

TEST(TimePolynomial, SignsAtTimesOfTheGrid) {
  for_each_seed(fewer_when_sanitized(20000), [](Source& source) {
    const mpq_class a = some_root(source);
    const mpq_class b = some_root(source);
    const TimePolynomial p = with_root(a) * with_root(b);
    const GridTime times[] = {0, grid_one, grid_one / 2, grid_one / 4 * 3, source.below(grid_one)};
    const GridTime t = times[source.index(5)];
    EXPECT_EQ(sign_at(p, t), sgn(exact(t) - a) * sgn(exact(t) - b));
    const double below = time_below(t);
    const double above = time_above(t);
    EXPECT_LE(mpq_class(below), exact(t));
    EXPECT_GE(mpq_class(above), exact(t));
    EXPECT_LE(above - below, 0x1p-52);
  });
}

/// Irrational roots, and signs that are decided by less than a double can hold.
TEST(TimePolynomial, ToldApartFromARootByAHair) {
  // 2 t^2 - 1 has the root 0.7071...; so has its multiple by (3 t - 1).
  const TimePolynomial two = zero_at(0, 1) * zero_at(0, 1);
  TimePolynomial p = two + two;
  const TimePolynomial one = zero_at(0, 1) - zero_at(1, 1); // t - (t - 1)
  p = p - one * one;
  TimeRoots roots;
  find_roots(p * zero_at(1, 3), roots);
  ASSERT_EQ(roots.count, 2);
  const TimeRoot& r = roots.root[1];
  EXPECT_EQ(sign_at(p, r), 0);
  // Convergents of its continued fraction lie on either side, nearer and nearer: 1/1, 2/3, 5/7, 12/17, 29/41 ...
  std::int64_t n = 1;
  std::int64_t d = 1;
  for (int i = 0; i < 45; ++i) {
    EXPECT_EQ(sign_at(zero_at(n, d), r), i % 2 == 0 ? -1 : 1) << n << '/' << d;
    const std::int64_t next = n + d;
    d = 2 * n + d;
    n = next;
  }
}

} // namespace
} // namespace carom::test
