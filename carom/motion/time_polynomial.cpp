// Sturm's theorem, and Tarski's extension of it. For polynomials p and g let S be the sequence p, p' g mod p, then minus the remainder of each two. With V(x) the changes of
// sign along S at x, V(a) - V(b) is the sum of the signs of g over the distinct roots of p in (a, b), where p(a) and p(b) are not zero. With g = 1 that counts the roots; with
// one root in (a, b) it is the sign of g there. Multiples by positive factors do no harm, so the remainders stay in integers.
//
// Most signs are not decided that way: coefficients that are exact integers, rounded once, give the roots to nearly all digits of a double and the sign of g there with
// an error bound. Sturm's sequence is for the rest: zeros, and what is within 2^-48 of zero.
#include "carom/motion/time_polynomial.h"

#include "carom/math/interval.h"

#include <algorithm>

namespace carom {

namespace {

constexpr double grid_step = 0x1p-62;
using Long = RemainderPolynomial::Coefficient;

/// A sequence of remainders.
struct Chain {
  int count = 0;
  std::array<RemainderPolynomial, 5> p;
};

/// Divides by the greatest power of two that divides all coefficients.
template<int Words>
void reduce(PolynomialInTime<Words>& p) {
  int zeros = 1 << 20;
  for (int i = 0; i <= p.degree; ++i)
    if (p[i].sign() != 0) zeros = std::min(zeros, p[i].trailing_zeros());
  if (p.degree >= 0 && zeros > 0)
    for (int i = 0; i <= p.degree; ++i) p[i].shift_right(zeros);
}

/// The remainder of a by b, times a positive factor. b is not zero.
void remainder(RemainderPolynomial& a, const RemainderPolynomial& b) {
  const Long& lead = b[b.degree];
  while (a.degree >= b.degree) {
    // |lead| a - sign(lead) (a's leading coefficient) s^shift b
    const Long factor = lead.sign() > 0 ? a[a.degree] : -a[a.degree];
    const int shift = a.degree - b.degree;
    for (int i = 0; i < a.degree; ++i) {
      Long scaled = a[i] * lead;
      if (lead.sign() < 0) scaled.negate();
      a[i] = i >= shift ? scaled - factor * b[i - shift] : scaled;
    }
    a[a.degree] = Long();
    a.nominal = a.degree - 1;
    if (a.nominal < 0) a.nominal = 0;
    a.settle();
  }
  reduce(a);
}

RemainderPolynomial derivative(const RemainderPolynomial& p) {
  RemainderPolynomial r;
  r.nominal = std::max(p.degree - 1, 0);
  for (int i = 0; i <= r.nominal; ++i) r[i] = p.degree > 0 ? p[i + 1] * Long(i + 1) : Long();
  r.settle();
  return r;
}

/// The sequence of p and p' g, where g is given, else of p and p'.
void make_chain(const RemainderPolynomial& p, const TimePolynomial* g, Chain& chain) {
  chain.p[0] = p;
  chain.p[1] = g ? derivative(p) * RemainderPolynomial(*g) : derivative(p);
  remainder(chain.p[1], p);
  chain.count = chain.p[1].zero() ? 1 : 2;
  while (chain.count >= 2 && chain.count < 5) {
    RemainderPolynomial& next = chain.p[static_cast<std::size_t>(chain.count)];
    next = chain.p[static_cast<std::size_t>(chain.count) - 2];
    remainder(next, chain.p[static_cast<std::size_t>(chain.count) - 1]);
    if (next.zero()) break;
    for (int i = 0; i <= next.degree; ++i) next[i].negate();
    ++chain.count;
  }
}

/// The sign of the polynomial in s, at s = infinity where time is 1.
template<int Words>
int sign_in_s(const PolynomialInTime<Words>& p, GridTime time) {
  if (p.degree < 0) return 0;
  if (time == 0) return p[0].sign();
  if (time == grid_one) return p[p.degree].sign();
  GridTime m = time;
  GridTime rest = grid_one - time;
  const int zeros = std::countr_zero(m); // those of the rest as well
  m >>= zeros;
  rest >>= zeros;
  const WideInteger<Words> s(m, 0, false);
  const WideInteger<Words> one(rest, 0, false);
  WideInteger<Words> sum = p[p.degree];
  WideInteger<Words> power = one;
  for (int i = p.degree - 1; i >= 0; --i) {
    sum = sum * s;
    sum += p[i] * power;
    if (i > 0) power = power * one;
  }
  return sum.sign();
}

int sign_changes(const Chain& chain, GridTime time) {
  int changes = 0;
  int last = 0;
  for (int i = 0; i < chain.count; ++i) {
    const int sign = sign_in_s(chain.p[static_cast<std::size_t>(i)], time);
    if (sign != 0 && sign == -last) ++changes;
    if (sign != 0) last = sign;
  }
  return changes;
}

/// The coefficients as doubles, on a common scale.
struct Rounded {
  std::size_t n = 0;
  std::array<double, 5> c{};
  double total = 0; ///< the sum of their magnitudes

  template<int Words>
  explicit Rounded(const PolynomialInTime<Words>& p) : n(static_cast<std::size_t>(p.nominal)) {
    int bits = 0;
    for (std::size_t i = 0; i <= n; ++i) bits = std::max(bits, p.c[i].bits());
    for (std::size_t i = 0; i <= n; ++i) {
      c[i] = p.c[i].times_power_of_two(-bits);
      total += std::fabs(c[i]);
    }
  }
  [[nodiscard]] double at(double t) const {
    const double rest = 1 - t;
    double sum = c[n];
    double power = rest;
    for (std::size_t i = n; i-- > 0;) {
      sum = sum * t + c[i] * power;
      power *= rest;
    }
    return sum;
  }
};

/// About where p changes sign between a and b, where its signs differ: the secant, kept between the ends, with the end that stays weighted less and less.
double sign_change(const Rounded& p, double a, double b) {
  double fa = p.at(a);
  double fb = p.at(b);
  if (!((fa < 0) != (fb < 0))) return (a + b) / 2;
  int side = 0;
  for (int i = 0; i < 40 && b - a > 0x1p-52; ++i) {
    double x = i % 8 == 7 ? (a + b) / 2 : a - fa * (b - a) / (fb - fa);
    if (!(x > a && x < b)) x = (a + b) / 2;
    const double f = p.at(x);
    if (f == 0) return x;
    if ((f < 0) == (fa < 0)) {
      if (x - a < 0x1p-52 && side == -1) return x;
      a = x;
      fa = f;
      if (side == -1) fb /= 2;
      side = -1;
    } else {
      if (b - x < 0x1p-52 && side == 1) return x;
      b = x;
      fb = f;
      if (side == 1) fa /= 2;
      side = 1;
    }
  }
  return (a + b) / 2;
}

/// Narrows the interval of a root where p changes sign. First around where the doubles say; each guess is confirmed by exact signs.
template<int Words>
void narrow(const PolynomialInTime<Words>& p, TimeRoot& root) {
  constexpr GridTime close = GridTime{1} << 13; // 2^-49
  const int below = sign_in_s(p, root.lo);
  const auto cut = [&](GridTime at) {
    if (at <= root.lo || at >= root.hi) return;
    const int sign = sign_in_s(p, at);
    if (sign == 0)
      root.lo = root.hi = at;
    else if (sign == below)
      root.lo = at;
    else
      root.hi = at;
  };
  const double guess = sign_change(Rounded(p), static_cast<double>(root.lo) * grid_step,
                                   static_cast<double>(root.hi) * grid_step);
  const auto middle = static_cast<GridTime>(guess * 0x1p62);
  for (int bits = 12; bits < 50 && root.hi - root.lo > close; bits += 12) {
    const GridTime reach = GridTime{1} << bits;
    cut(middle > reach ? middle - reach : 0);
    cut(middle + reach);
  }
  while (root.hi - root.lo > close) cut(root.lo + (root.hi - root.lo) / 2);
  root.of = p;
}

void add_exact(const TimePolynomial& p, GridTime at, TimeRoots& roots) {
  if (roots.count == 3) return;
  TimeRoot& exact = roots.root[static_cast<std::size_t>(roots.count++)];
  exact.lo = exact.hi = at;
  exact.crowded = false;
  exact.of = p;
}

void add_crowd(GridTime lo, GridTime hi, TimeRoots& roots) {
  if (roots.count == 3) return;
  TimeRoot& crowd = roots.root[static_cast<std::size_t>(roots.count++)];
  crowd.lo = lo;
  crowd.hi = hi;
  crowd.crowded = true;
}

/// Splits the interval until each has one root. The chain is Sturm's of p.
void isolate(const TimePolynomial& p, const Chain& chain, GridTime lo, GridTime hi, int changes_lo,
             int changes_hi, TimeRoots& roots) {
  const int count = changes_lo - changes_hi;
  if (count == 0 || roots.count == 3) return;
  if (count > 1 && hi - lo > 1) {
    const GridTime middle = lo + (hi - lo) / 2;
    if (sign_in_s(p, middle) == 0) {
      // A root itself. The theorem needs ends that are none, so the count goes on left and right of it.
      GridTime left = middle - 1;
      GridTime right = middle + 1;
      while (left > lo && sign_in_s(p, left) == 0) --left;
      while (right < hi && sign_in_s(p, right) == 0) ++right;
      const int changes_left = sign_changes(chain, left);
      const int changes_right = sign_changes(chain, right);
      isolate(p, chain, lo, left, changes_lo, changes_left, roots);
      // The roots that are times of the grid; or one place for all, where there are more between them.
      if (changes_left - changes_right == static_cast<int>(right - left) - 1) {
        for (GridTime at = left + 1; at < right; ++at) add_exact(p, at, roots);
      } else {
        add_crowd(left, right, roots);
      }
      isolate(p, chain, right, hi, changes_right, changes_hi, roots);
      return;
    }
    const int changes = sign_changes(chain, middle);
    isolate(p, chain, lo, middle, changes_lo, changes, roots);
    isolate(p, chain, middle, hi, changes, changes_hi, roots);
    return;
  }
  if (count > 1) {
    add_crowd(lo, hi, roots);
    return;
  }
  TimeRoot& root = roots.root[static_cast<std::size_t>(roots.count++)];
  root.lo = lo;
  root.hi = hi;
  root.crowded = false;
  // Where the sign is the same on both sides it is a double root, and then a simple one of the greatest common divisor of p and p'.
  if (sign_in_s(p, lo) != sign_in_s(p, hi))
    narrow(p, root);
  else
    narrow(chain.p[static_cast<std::size_t>(chain.count) - 1], root);
}

} // namespace

double time_below(GridTime time) {
  const double t = static_cast<double>(time) * grid_step;
  return static_cast<GridTime>(t * 0x1p62) > time ? next_down(t) : t;
}
double time_above(GridTime time) {
  const double t = static_cast<double>(time) * grid_step;
  return static_cast<GridTime>(t * 0x1p62) < time ? next_up(t) : t;
}

int sign_at(const TimePolynomial& p, GridTime time) {
  return time == grid_one ? p[p.nominal].sign() : sign_in_s(p, time);
}

void find_roots(const TimePolynomial& p, TimeRoots& roots) {
  roots.count = 0;
  // Without the roots at the ends: divided by s, and without the coefficients that are zero at infinity.
  int low = 0;
  while (low < p.degree && p[low].sign() == 0) ++low;
  TimePolynomial inner;
  inner.nominal = inner.degree = p.degree - low;
  for (int i = low; i <= p.degree; ++i) inner[i - low] = p[i];
  reduce(inner);
  int changes = 0;
  int last = inner[0].sign();
  for (int i = 1; i <= inner.degree; ++i) {
    const int sign = inner[i].sign();
    if (sign != 0 && sign != last) ++changes;
    if (sign != 0) last = sign;
  }
  if (changes == 0) return;
  if (changes == 1) {
    TimeRoot& root = roots.root[static_cast<std::size_t>(roots.count++)];
    root.lo = 0;
    root.hi = grid_one;
    root.crowded = false;
    narrow(inner, root);
    return;
  }
  Chain chain;
  make_chain(inner, nullptr, chain);
  isolate(inner, chain, 0, grid_one, sign_changes(chain, 0), sign_changes(chain, grid_one), roots);
}

int sign_at(const TimePolynomial& g, const TimeRoot& root) {
  if (g.zero()) return 0;
  if (root.lo == root.hi) return sign_at(g, root.lo);
  const Rounded rounded(g);
  const double lo = static_cast<double>(root.lo) * grid_step;
  const double hi = static_cast<double>(root.hi) * grid_step;
  const double value = rounded.at((lo + hi) / 2);
  // What it may change by within the interval, and a dozen roundings.
  const double error = (2 * (hi - lo) + 0x1p-48) * rounded.total;
  if (std::fabs(value) > error) return value > 0 ? 1 : -1;
  Chain chain;
  make_chain(root.of, &g, chain);
  return sign_changes(chain, root.lo) - sign_changes(chain, root.hi);
}

} // namespace carom
