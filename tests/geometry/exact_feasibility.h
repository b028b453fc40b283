// Exact linear feasibility on integers: the oracle of the exact tests. Nothing in it knows of triangles, planes or crossings.
//
// Coordinates are doubles, hence integers after multiplication by one power of two. A point common to two convex sets is a solution of
// linear equations and inequalities; the equations are solved by Gauss and Jordan without fractions, the inequalities by the
// elimination of one variable after the other (Fourier and Motzkin). Exponential in the worst case, quick for few variables.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/triangle.h"

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace carom::test {

using IntegerRow = std::vector<mpz_class>; ///< coefficients, and the constant at the end

/// The number times 2^shift, which must be an integer.
inline mpz_class scaled(double x, int shift) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  mpz_class m(std::ldexp(mantissa, 53));
  const int up = exponent - 53 + shift;
  if (up >= 0) return m << static_cast<unsigned>(up);
  return m >> static_cast<unsigned>(-up);
}

/// A shift that makes all of the numbers integers.
inline int common_shift(const std::vector<double>& numbers) {
  int least = 0;
  for (const double x : numbers) {
    int exponent = 0;
    if (x != 0) {
      static_cast<void>(std::frexp(x, &exponent));
      least = std::min(least, exponent - 53);
    }
  }
  return -least;
}

/// What remains of inequalities sum(coefficient * y) + constant >= 0 after eliminating all variables but the last: bounds on it.
struct Bounds {
  bool feasible = true;
  std::optional<mpq_class> low, high;
};

inline Bounds eliminate(std::vector<IntegerRow> rows, std::size_t variables) {
  for (std::size_t v = 0; v + 1 < variables; ++v) {
    std::vector<IntegerRow> next;
    for (const IntegerRow& r : rows) {
      if (r[v] == 0) next.push_back(r);
    }
    for (const IntegerRow& p : rows) {
      if (p[v] <= 0) continue;
      for (const IntegerRow& n : rows) {
        if (n[v] >= 0) continue;
        IntegerRow sum(p.size());
        mpz_class divisor = 0;
        for (std::size_t i = 0; i < p.size(); ++i) {
          sum[i] = p[i] * -n[v] + n[i] * p[v];
          divisor = gcd(divisor, sum[i]);
        }
        if (divisor > 1) {
          for (mpz_class& x : sum) x /= divisor;
        }
        if (std::find(next.begin(), next.end(), sum) == next.end()) next.push_back(sum);
      }
    }
    rows = std::move(next);
  }
  Bounds b;
  for (const IntegerRow& r : rows) {
    const mpz_class zero = 0;
    const mpz_class& c = variables > 0 ? r[variables - 1] : zero;
    if (c == 0) {
      if (r.back() < 0) b.feasible = false;
      continue;
    }
    mpq_class at(-r.back(), c);
    at.canonicalize();
    if (c > 0 && (!b.low || at > *b.low)) b.low = at;
    if (c < 0 && (!b.high || at < *b.high)) b.high = at;
  }
  if (b.low && b.high && *b.low > *b.high) b.feasible = false;
  return b;
}

/// The range of d . x over the points x common to the convex hulls of p and q, for a direction d of integers: empty where they are
/// disjoint.
struct CommonRange {
  bool any = false;
  mpq_class low = 0, high = 0;
};

inline CommonRange common_range(const std::vector<Vec3>& p, const std::vector<Vec3>& q,
                                const std::array<int, 3>& d) {
  std::vector<double> numbers;
  for (const Vec3& v : p) numbers.insert(numbers.end(), {v.x, v.y, v.z});
  for (const Vec3& v : q) numbers.insert(numbers.end(), {v.x, v.y, v.z});
  const int shift = common_shift(numbers);
  // Unknowns: the weights of p, those of q, and z = d . x. Equations: the points agree (3), the weights sum to 1 (2), z (1).
  const std::size_t n = p.size() + q.size() + 1;
  std::vector<IntegerRow> rows(6, IntegerRow(n + 1));
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const bool of_p = i < p.size();
    const Vec3& v = of_p ? p[i] : q[i - p.size()];
    for (int k = 0; k < 3; ++k) {
      const mpz_class x = scaled(v[k], shift);
      rows[static_cast<std::size_t>(k)][i] = of_p ? x : mpz_class(-x);
      if (of_p) rows[5][i] += d[static_cast<std::size_t>(k)] * x;
    }
    rows[of_p ? 3 : 4][i] = 1;
  }
  rows[5][n - 1] = -1;
  rows[3][n] = rows[4][n] = 1;

  std::vector<std::size_t> pivot_column;
  mpz_class previous = 1;
  std::size_t rank = 0;
  for (std::size_t c = 0; c < n && rank < rows.size(); ++c) {
    std::size_t r = rank;
    while (r < rows.size() && rows[r][c] == 0) ++r;
    if (r == rows.size()) continue;
    std::swap(rows[r], rows[rank]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == rank) continue;
      const mpz_class factor = rows[i][c];
      for (std::size_t k = 0; k <= n; ++k) {
        rows[i][k] =
            (rows[i][k] * rows[rank][c] - factor * rows[rank][k]) / previous; // exact (Bareiss)
      }
    }
    previous = rows[rank][c];
    pivot_column.push_back(c);
    ++rank;
  }
  for (std::size_t r = rank; r < rows.size(); ++r) {
    if (rows[r][n] != 0) return {};
  }
  // Each pivot unknown in terms of the free ones; z is the last of those, or fixed.
  std::vector<std::size_t> free_column;
  for (std::size_t c = 0; c < n; ++c) {
    if (std::find(pivot_column.begin(), pivot_column.end(), c) == pivot_column.end()) {
      free_column.push_back(c);
    }
  }
  std::vector<IntegerRow> inequalities;
  std::optional<mpq_class> fixed;
  for (std::size_t r = 0; r < rank; ++r) {
    if (pivot_column[r] == n - 1) {
      fixed = mpq_class(rows[r][n], rows[r][n - 1]);
      fixed->canonicalize();
      continue;
    }
    const int s = sgn(rows[r][pivot_column[r]]);
    IntegerRow row;
    for (const std::size_t c : free_column) row.push_back(-s * rows[r][c]);
    row.push_back(s * rows[r][n]);
    inequalities.push_back(row);
  }
  for (std::size_t i = 0; i < free_column.size(); ++i) {
    if (free_column[i] == n - 1) continue;
    IntegerRow row(free_column.size() + 1);
    row[i] = 1;
    inequalities.push_back(row);
  }
  const Bounds b = eliminate(inequalities, free_column.size());
  if (!b.feasible) return {};
  mpq_class unit(1);
  unit >>= static_cast<unsigned>(shift);
  if (fixed) return {true, *fixed * unit, *fixed * unit};
  return {true, b.low.value_or(0) * unit, b.high.value_or(0) * unit};
}

inline std::vector<Vec3> corners(const Triangle& t) {
  return {t.a, t.b, t.c};
}

/// The distance of a point from a triangle, in rationals up to the final root: for slivers, whose normal doubles cannot tell.
inline double exact_distance(const Vec3& p, const Triangle& t) {
  using Row = std::array<mpq_class, 3>;
  const auto from = [](const Vec3& a, const Vec3& b) {
    return Row{mpq_class(b.x) - a.x, mpq_class(b.y) - a.y, mpq_class(b.z) - a.z};
  };
  const auto inner = [](const Row& u, const Row& v) {
    return mpq_class(u[0] * v[0] + u[1] * v[1] + u[2] * v[2]);
  };
  const Row ab = from(t.a, t.b);
  const Row ac = from(t.a, t.c);
  const Row ap = from(t.a, p);
  mpq_class best = inner(ap, ap);
  for (int i = 0; i < 3; ++i) {
    const Row edge = from(t[i], t[(i + 1) % 3]);
    const Row to_p = from(t[i], p);
    const mpq_class l = inner(edge, edge);
    const mpq_class along = inner(edge, to_p);
    best = std::min(best, inner(to_p, to_p));
    if (along > 0 && along < l)
      best = std::min(best, mpq_class(inner(to_p, to_p) - along * along / l));
  }
  // Over the inside: p - a = u ab + v ac + a normal part.
  const mpq_class bb = inner(ab, ab), bc = inner(ab, ac), cc = inner(ac, ac);
  const mpq_class pb = inner(ap, ab), pc = inner(ap, ac);
  const mpq_class det = bb * cc - bc * bc;
  if (det > 0) {
    const mpq_class u = (pb * cc - pc * bc) / det;
    const mpq_class v = (pc * bb - pb * bc) / det;
    if (u >= 0 && v >= 0 && u + v <= 1)
      best = std::min(best, mpq_class(inner(ap, ap) - u * pb - v * pc));
  }
  return std::sqrt(best.get_d());
}

/// Whether two triangles meet, exactly.
inline bool exactly_meet(const Triangle& a, const Triangle& b) {
  return common_range(corners(a), corners(b), {0, 0, 0}).any;
}

/// Whether a box and a triangle meet, exactly: a + u (b - a) + v (c - a) between min and max, u >= 0, v >= 0, u + v <= 1.
inline bool exactly_meet(const Aabb& box, const Triangle& t) {
  const int shift = common_shift({box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z,
                                  t.a.x, t.a.y, t.a.z, t.b.x, t.b.y, t.b.z, t.c.x, t.c.y, t.c.z});
  std::vector<IntegerRow> rows{{1, 0, 0}, {0, 1, 0}, {-1, -1, 1}};
  for (int i = 0; i < 3; ++i) {
    const mpz_class a = scaled(t.a[i], shift);
    const mpz_class u = scaled(t.b[i], shift) - a;
    const mpz_class v = scaled(t.c[i], shift) - a;
    rows.push_back({u, v, a - scaled(box.min[i], shift)});
    rows.push_back({-u, -v, scaled(box.max[i], shift) - a});
  }
  return eliminate(rows, 2).feasible;
}

} // namespace carom::test
