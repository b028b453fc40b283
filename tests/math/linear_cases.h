// Exact references for linear programs: small-integer systems full of coincidences, and checks in rational arithmetic.
#pragma once

#include "carom/math/fourier_motzkin.h"
#include "carom/math/linear_program.h"
#include "tests/support/generate.h"

#include <gmpxx.h>

#include <optional>
#include <tuple>
#include <vector>

namespace carom::test {

template<std::size_t D>
using Rational = std::array<mpq_class, D>;
template<std::size_t D>
using System = std::vector<Inequality<mpq_class, D>>;

inline Rational<2> exact(const Vec2& v) {
  return {mpq_class(v.x), mpq_class(v.y)};
}
inline Rational<3> exact(const Vec3& v) {
  return {mpq_class(v.x), mpq_class(v.y), mpq_class(v.z)};
}
template<class Constraint>
auto exact(const std::vector<Constraint>& constraints) {
  System<std::tuple_size_v<decltype(exact(Constraint{}.normal))>> out;
  for (const Constraint& c : constraints) out.push_back({exact(c.normal), c.offset});
  return out;
}

template<std::size_t D>
mpq_class inner(const Rational<D>& a, const Rational<D>& b) {
  mpq_class sum = 0;
  for (std::size_t j = 0; j < D; ++j) sum += a[j] * b[j];
  return sum;
}
/// The sum of absolute components.
template<std::size_t D>
mpq_class size_of(const Rational<D>& a) {
  mpq_class sum = 0;
  for (const mpq_class& x : a) sum += abs(x);
  return sum;
}

/// The x with rows x = right, where there is exactly one.
template<std::size_t D>
std::optional<Rational<D>> solve_square(std::array<Rational<D>, D> rows, Rational<D> right) {
  for (std::size_t k = 0; k < D; ++k) {
    std::size_t p = k;
    while (p < D && rows[p][k] == 0) ++p;
    if (p == D) return std::nullopt;
    std::swap(rows[p], rows[k]);
    std::swap(right[p], right[k]);
    for (std::size_t i = 0; i < D; ++i) {
      if (i == k) continue;
      const mpq_class f = rows[i][k] / rows[k][k];
      for (std::size_t j = 0; j < D; ++j) rows[i][j] -= f * rows[k][j];
      right[i] -= f * right[k];
    }
  }
  for (std::size_t k = 0; k < D; ++k) right[k] /= rows[k][k];
  return right;
}

template<std::size_t D>
bool feasible(const System<D>& system, const Rational<D>& x) {
  for (const auto& row : system)
    if (inner(row.normal, x) > row.offset) return false;
  return true;
}

/// The range of objective . x over the system, by elimination: one variable is replaced by the objective's value.
template<std::size_t D>
Elimination<mpq_class, D> range_of_objective(System<D> system, const Rational<D>& c) {
  std::size_t v = 0;
  while (v < D && c[v] == 0) ++v;
  if (v == D) return fourier_motzkin<mpq_class, D>(system, 0);
  for (auto& row : system) {
    const mpq_class factor = row.normal[v] / c[v];
    for (std::size_t j = 0; j < D; ++j)
      if (j != v) row.normal[j] -= factor * c[j];
    row.normal[v] = factor;
  }
  return fourier_motzkin<mpq_class, D>(system, v);
}

/// Calls visit(x) for every vertex of the system: every D planes that meet in one feasible point.
template<std::size_t D, class Visit>
void for_each_vertex(const System<D>& system, Visit&& visit) {
  const std::size_t n = system.size();
  std::array<std::size_t, D> pick{};
  const auto descend = [&](const auto& self, std::size_t k, std::size_t from) -> void {
    if (k == D) {
      std::array<Rational<D>, D> rows;
      Rational<D> right;
      for (std::size_t i = 0; i < D; ++i) {
        rows[i] = system[pick[i]].normal;
        right[i] = system[pick[i]].offset;
      }
      const auto x = solve_square<D>(rows, right);
      if (x && feasible(system, *x)) visit(*x);
      return;
    }
    for (std::size_t i = from; i < n; ++i) {
      pick[k] = i;
      self(self, k + 1, i + 1);
    }
  };
  descend(descend, 0, 0);
}

/// Weights w >= 0, not all zero, with sum w_i row_i = 0, where the rows have exactly one such combination up to scale.
template<std::size_t D>
std::vector<mpq_class> null_combination(const std::vector<Rational<D>>& rows) {
  // Row operations on [rows | identity]: a row whose left part vanishes holds the combination on its right.
  const std::size_t n = rows.size();
  std::vector<std::vector<mpq_class>> m(n);
  for (std::size_t i = 0; i < n; ++i) {
    m[i].assign(rows[i].begin(), rows[i].end());
    m[i].resize(D + n);
    m[i][D + i] = 1;
  }
  std::size_t rank = 0;
  for (std::size_t j = 0; j < D && rank < n; ++j) {
    std::size_t p = rank;
    while (p < n && m[p][j] == 0) ++p;
    if (p == n) continue;
    std::swap(m[p], m[rank]);
    for (std::size_t i = rank + 1; i < n; ++i) {
      const mpq_class f = m[i][j] / m[rank][j];
      for (std::size_t k = 0; k < D + n; ++k) m[i][k] -= f * m[rank][k];
    }
    ++rank;
  }
  if (rank + 1 != n) return {};
  std::vector<mpq_class> w(m[n - 1].begin() + D, m[n - 1].end());
  bool negative = false;
  for (const mpq_class& x : w) negative = negative || x < 0;
  for (mpq_class& x : w) {
    if (negative) x = -x;
    if (x < 0) return {};
  }
  return w;
}

/// -2 .. 2 mostly: parallel, opposite and duplicate normals are common, and now and then one is zero.
inline double small(Source& source) {
  return source.index(5) - 2.0;
}
inline Vec2 small2(Source& source) {
  const double x = small(source);
  const double y = small(source);
  return {x, y};
}
inline Vec3 small3(Source& source) {
  const double x = small(source);
  const double y = small(source);
  const double z = small(source);
  return {x, y, z};
}
inline double small_offset(Source& source) {
  return source.index(9) - 3.0;
}

/// Up to `most` constraints: random, or with a common vertex, and with duplicates (also scaled and reversed).
template<class Constraint, class Normal>
std::vector<Constraint> small_system(Source& source, int most, Normal&& normal) {
  std::vector<Constraint> out;
  const int n = source.index(most + 1);
  const bool common = source.chance(3);
  const auto vertex = normal(source);
  for (int i = 0; i < n; ++i) {
    Constraint c{normal(source), small_offset(source)};
    if (common && !source.chance(6)) c.offset = dot(c.normal, vertex);
    if (!out.empty() && source.chance(5)) {
      const double factors[] = {1, -1, 2, 0.5, -3};
      const double f = factors[source.index(5)];
      c = out[static_cast<std::size_t>(source.index(static_cast<int>(out.size())))];
      c.normal *= f;
      c.offset *= f;
      if (source.chance(3)) c.offset += small(source);
    }
    out.push_back(c);
  }
  return out;
}

} // namespace carom::test
