// Fourier-Motzkin elimination: whether a small system of linear inequalities in up to three variables has a solution, a
// solution, and the range of one variable over all solutions.
//
// A reference, for few constraints: each variable eliminated may square their number (n constraints in three variables make up to
// n^4 / 64), and it uses the heap. For many constraints and for proofs there is linear_program.h.
//
// The method is written once over the number type. With rationals (mpq_class in the tests) everything below is exact. With double,
// small integers are decided exactly; else an entry that cancels to 4 epsilon of its terms counts as zero, and the answer is that of
// a system whose numbers are changed by a few epsilon for each elimination.
#pragma once

#include "carom/math/linear_program.h"
#include "carom/math/vec2.h"
#include "carom/math/vec3.h"

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// normal . x <= offset in D variables.
template<class Number, std::size_t D>
struct Inequality {
  std::array<Number, D> normal{};
  Number offset{};
};

/// The values a variable takes over all solutions: a closed interval, each end of which may be missing.
template<class Number>
struct VariableRange {
  bool has_low = false, has_high = false;
  Number low{}, high{};

  void add_low(const Number& value) {
    if (!has_low || value > low) low = value;
    has_low = true;
  }
  void add_high(const Number& value) {
    if (!has_high || value < high) high = value;
    has_high = true;
  }
  [[nodiscard]] bool empty() const { return has_low && has_high && high < low; }
  /// The middle; the one end where there is one; 0 where there is none.
  [[nodiscard]] Number inside() const {
    if (has_low && has_high) return Number(low + Number(high - low) / 2);
    return has_low ? low : has_high ? high : Number(0);
  }
};

template<class Number, std::size_t D>
struct Elimination {
  bool feasible = false;
  std::array<Number, D> point{}; ///< a solution, where feasible
  VariableRange<Number> range;   ///< of the variable asked for, where feasible
};

/// a b + c d, the entry of a sum of two inequalities; zero where a rounded number type leaves only rounding.
template<class Number>
[[nodiscard]] Number combine(const Number& a, const Number& b, const Number& c, const Number& d) {
  const Number p = a * b;
  const Number q = c * d;
  const Number sum = p + q;
  if constexpr (std::is_floating_point_v<Number>) {
    const Number size = (p < 0 ? -p : p) + (q < 0 ? -q : q);
    if ((sum < 0 ? -sum : sum) <= 4 * 0x1p-52 * size) return 0;
  }
  return sum;
}

/// The system without variable v: every lower bound of v is at most every upper bound. What does not speak of v is kept. The
/// pairs are added with positive factors and without division, so that integers stay integers.
template<class Number, std::size_t D>
[[nodiscard]] std::vector<Inequality<Number, D>>
eliminate_variable(const std::vector<Inequality<Number, D>>& system, std::size_t v) {
  std::vector<Inequality<Number, D>> out;
  for (const auto& row : system)
    if (row.normal[v] == 0) out.push_back(row);
  for (const auto& upper : system) {
    if (!(upper.normal[v] > 0)) continue;
    for (const auto& lower : system) {
      if (!(lower.normal[v] < 0)) continue;
      const Number a = -lower.normal[v];
      const Number& b = upper.normal[v];
      Inequality<Number, D> sum;
      for (std::size_t j = 0; j < D; ++j)
        if (j != v) sum.normal[j] = combine(a, upper.normal[j], b, lower.normal[j]);
      sum.offset = combine(a, upper.offset, b, lower.offset);
      out.push_back(sum);
    }
  }
  return out;
}

/// The range of variable v where the variables with `known` have the values of `point` and no other appears.
template<class Number, std::size_t D>
[[nodiscard]] VariableRange<Number> range_of(const std::vector<Inequality<Number, D>>& system,
                                             std::size_t v, const std::array<bool, D>& known,
                                             const std::array<Number, D>& point) {
  VariableRange<Number> range;
  for (const auto& row : system) {
    if (row.normal[v] == 0) continue;
    Number rest = row.offset;
    for (std::size_t j = 0; j < D; ++j)
      if (known[j]) rest = combine<Number>(1, rest, -row.normal[j], point[j]);
    const Number end = rest / row.normal[v];
    if (row.normal[v] > 0)
      range.add_high(end);
    else
      range.add_low(end);
  }
  return range;
}

/// Solves the system, and gives the range of `variable` (below D). The point takes the middle of that range, then the middles of
/// what remains for the other variables, the last of them first.
template<class Number, std::size_t D>
[[nodiscard]] Elimination<Number, D>
fourier_motzkin(std::span<const Inequality<Number, D>> constraints, std::size_t variable) {
  // systems[k] speaks of order[k], order[k + 1], ... only.
  std::array<std::size_t, D> order{};
  for (std::size_t j = 0, k = 0; j < D; ++j)
    if (j != variable) order[k++] = j;
  order[D - 1] = variable;
  std::array<std::vector<Inequality<Number, D>>, D> systems;
  systems[0].assign(constraints.begin(), constraints.end());
  for (std::size_t k = 0; k + 1 < D; ++k) systems[k + 1] = eliminate_variable(systems[k], order[k]);

  Elimination<Number, D> out;
  std::array<bool, D> known{};
  out.range = range_of(systems[D - 1], variable, known, out.point);
  out.feasible = !out.range.empty();
  for (const auto& row : systems[D - 1])
    if (row.normal[variable] == 0 && row.offset < 0) out.feasible = false;
  for (std::size_t k = D; out.feasible && k-- > 0;) {
    out.point[order[k]] = range_of(systems[k], order[k], known, out.point).inside();
    known[order[k]] = true;
  }
  return out;
}

enum class EliminationStatus {
  feasible,
  infeasible,
  out_of_range, ///< more constraints than `elimination_limit`, a variable that is not there, or a number that is not a coordinate
};

/// Two eliminations of so many constraints make at most 16,384.
inline constexpr std::size_t elimination_limit = 32;

struct Elimination2 {
  EliminationStatus status = EliminationStatus::out_of_range;
  Vec2 point;                  ///< a solution, where feasible
  VariableRange<double> range; ///< of the variable asked for, where feasible
};
struct Elimination3 {
  EliminationStatus status = EliminationStatus::out_of_range;
  Vec3 point;
  VariableRange<double> range;
};

/// The same in double. `variable` is 0 for x, 1 for y, 2 for z.
[[nodiscard]] Elimination2 fourier_motzkin(std::span<const Constraint2> constraints,
                                           std::size_t variable);
[[nodiscard]] Elimination3 fourier_motzkin(std::span<const Constraint3> constraints,
                                           std::size_t variable);

} // namespace gnu::visibility("default")]]carom
