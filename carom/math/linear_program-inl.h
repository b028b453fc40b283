// Seidel's incremental method ("Small-dimensional linear programming and convex hulls made easy", 1991), over numbers with an
// infinite part.
//
// The idea. Take the constraints one by one in random order and keep the optimum x of those taken. If the next constraint
// holds at x, nothing changes. If not, the new optimum lies on its boundary plane: eliminate one coordinate with the plane's
// equation and solve the problem of one dimension less for the constraints taken before. The chance that constraint i
// matters is at most dimension / i, so the expected time is linear.
//
// A start and a finish. The problem begins inside the box |x_j| <= M, where M is a symbol greater than every real number: offsets
// and points are finite + infinite M, compared by the infinite part first. So the box takes part as ordinary constraints, and
// the answer tells everything: an objective with a positive infinite part is unbounded, and the infinite part of the point is
// its ray. Ties are broken by further objectives. First of these is the sum of all normals: it is bounded on every feasible set,
// and constant along a ray only if all constraints are. So a tie ends at infinity only if the set contains a line, and then the
// finite part of the point alone is feasible.
//
// The proof comes for nothing. Let c = sum w_l n_l in the plane of the new constraint k, up to a multiple w_k of n_k. The old
// optimum x' was no worse than the new one x, obeyed the l and broke k: 0 <= c.(x' - x) = sum w_l n_l.(x' - x) + w_k n_k.(x' - x),
// whose first terms are not positive and whose last factor is positive, so w_k >= 0. The same holds for the combination that
// shows infeasibility. In both the box has weight 0, or the sum of offsets would be infinite.
//
// Numbers. Elimination is free of division: row' = |p| row - sign(p) row_j plane, p the plane's greatest entry. In double-double
// arithmetic the first elimination is exact and the second accurate to 2^-100 or so; what cancels below that is zero. Most
// constraints are surely satisfied in plain double already, and are passed over with an error bound.
#pragma once

#include "carom/math/double_double.h"
#include "carom/math/random_order.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace carom::seidel {

using Long = DoubleDouble;

/// finite + infinite M.
struct Affine {
  Long finite, infinite;
};
inline int sign(const Affine& a) {
  const int s = sign(a.infinite);
  return s != 0 ? s : sign(a.finite);
}

// --- Rows and points of a problem in D coordinates.

template<int D>
using Point = std::array<Affine, static_cast<std::size_t>(D)>;

/// normal . x <= offset.
template<int D>
struct Row {
  std::array<Long, static_cast<std::size_t>(D)> normal{};
  Affine offset;

  [[nodiscard]] Long& operator[](int j) { return normal[static_cast<std::size_t>(j)]; }
  [[nodiscard]] const Long& operator[](int j) const { return normal[static_cast<std::size_t>(j)]; }
};

/// The coordinate of the entry greatest in absolute value.
template<int D>
int pivot_of(const Row<D>& row) {
  int best = 0;
  for (int j = 1; j < D; ++j)
    if (std::fabs(row[j].high) > std::fabs(row[best].high)) best = j;
  return best;
}

/// The row in the coordinates that remain when x_pivot is replaced by its value on the plane; a positive multiple of it.
template<int D>
Row<D - 1> eliminate(const Row<D>& row, const Row<D>& plane, int pivot) {
  const bool negative = sign(plane[pivot]) < 0;
  const Long scale = negative ? -plane[pivot] : plane[pivot];
  const Long factor = negative ? -row[pivot] : row[pivot];
  const auto reduce = [&](const Long& a, const Long& b) {
    return difference(scale * a, factor * b);
  };
  Row<D - 1> out;
  for (int j = 0; j < D - 1; ++j) {
    const int from = j < pivot ? j : j + 1;
    out[j] = reduce(row[from], plane[from]);
  }
  out.offset = {reduce(row.offset.finite, plane.offset.finite),
                reduce(row.offset.infinite, plane.offset.infinite)};
  return out;
}

/// The point of the plane whose other coordinates are those of x.
template<int D>
Point<D> lift(const Point<D - 1>& x, const Row<D>& plane, int pivot) {
  Point<D> out;
  Affine rest = plane.offset;
  for (int j = 0; j < D; ++j) {
    if (j == pivot) continue;
    const Affine& value = x[static_cast<std::size_t>(j < pivot ? j : j - 1)];
    out[static_cast<std::size_t>(j)] = value;
    rest.finite = difference(rest.finite, plane[j] * value.finite);
    rest.infinite = difference(rest.infinite, plane[j] * value.infinite);
  }
  out[static_cast<std::size_t>(pivot)] = {rest.finite / plane[pivot], rest.infinite / plane[pivot]};
  return out;
}

// --- The problem, and its levels: one for each coordinate eliminated.
//
// Constraints go by id. Ids 0 .. 2 Top - 1 are the box: 2 j is x_j <= M, 2 j + 1 is -x_j <= M. Those that follow are the user's, in
// random order.

template<int Top>
struct Problem {
  using Vector = std::array<double, static_cast<std::size_t>(Top)>;
  static constexpr std::size_t boxes = 2 * static_cast<std::size_t>(Top);

  struct Plain {
    Vector normal;
    double offset;
  };
  /// A point rounded to double, to pass over what surely holds there.
  struct Rounded {
    Vector finite{}, infinite{};
    bool is_finite = true;
  };

  const void* constraints;
  Plain (*get)(const void*, std::size_t);
  std::size_t count;
  RandomOrder order;

  [[nodiscard]] std::size_t size() const { return boxes + count; }
  [[nodiscard]] Plain plain(std::size_t id) const { return get(constraints, order[id - boxes]); }
  [[nodiscard]] Row<Top> row(std::size_t id) const {
    Row<Top> out;
    if (id < boxes) {
      out.normal[id / 2].high = id % 2 == 0 ? 1 : -1;
      out.offset.infinite.high = 1;
      return out;
    }
    const Plain c = plain(id);
    for (std::size_t j = 0; j < c.normal.size(); ++j) out.normal[j].high = c.normal[j];
    out.offset.finite.high = c.offset;
    return out;
  }
  [[nodiscard]] Point<Top> full(const Point<Top>& x) const { return x; }
};

/// `parent` within a plane of its own.
template<int D, class Parent>
struct Level {
  const Parent& parent;
  const Row<D + 1>& plane;
  int pivot;

  [[nodiscard]] Row<D> row(std::size_t id) const { return eliminate(parent.row(id), plane, pivot); }
  [[nodiscard]] auto full(const Point<D>& x) const { return parent.full(lift(x, plane, pivot)); }
};

/// Which constraints a level looks at: the user's below `limit`, and the box's by bits.
struct Scope {
  std::size_t limit;
  unsigned boxes;
};

/// Constraints by id with their weights: what adds up to the objective, or to a contradiction.
template<int Top>
struct Weights {
  std::size_t count = 0;
  std::array<std::size_t, static_cast<std::size_t>(Top) + 1> ids{};
  std::array<Long, static_cast<std::size_t>(Top) + 1> weights{};

  void add(std::size_t id, const Long& weight) {
    ids[count] = id;
    weights[count++] = weight;
  }
};

template<int Top>
class Solver {
public:
  explicit Solver(const Problem<Top>& problem) : problem_(problem) {}

  template<int D>
  using Objectives = std::array<Row<D>, static_cast<std::size_t>(Top) + 2>;
  template<int D>
  using Axes = std::array<unsigned, static_cast<std::size_t>(D)>;

  /// The optimum of a level into x, or false. `weights` tells why: of the first objective, or of nothing, in the level's rows.
  template<int D, class Here>
  bool solve(const Here& here, const Axes<D>& axes, const Scope& scope,
             const Objectives<D>& objectives, Point<D>& x, Weights<Top>& weights) const {
    if constexpr (D == 1) {
      return solve_line(here, scope, objectives, x, weights);
    } else {
      const unsigned native = start_in_box<D>(axes, objectives, x, weights);
      Point<Top> full = here.full(x);
      Rounded rounded = round(full);
      for (std::size_t id = 0; id < std::max(scope.limit, boxes); ++id) {
        if (!looks_at(scope, id) || holds(id, full, rounded)) continue;
        const Row<D> plane = here.row(id);
        const int pivot = pivot_of(plane);
        if (sign(plane[pivot]) == 0) {
          if (sign(plane.offset) >= 0) continue;
          weights = {};
          weights.add(id, Long{1});
          return false;
        }
        const unsigned before = id < boxes ? scope.boxes & ((1u << id) - 1) : scope.boxes;
        if (!solve_plane<D>(here, axes, {std::max(id, boxes), before | native}, objectives, id,
                            plane, pivot, x, weights))
          return false;
        full = here.full(x);
        rounded = round(full);
      }
      return true;
    }
  }

private:
  using Rounded = typename Problem<Top>::Rounded;
  static constexpr std::size_t boxes = Problem<Top>::boxes;

  /// The best corner of the box; returns the bits of the box's constraints in these coordinates.
  template<int D>
  static unsigned start_in_box(const Axes<D>& axes, const Objectives<D>& objectives, Point<D>& x,
                               Weights<Top>& weights) {
    unsigned native = 0;
    weights = {};
    for (int j = 0; j < D; ++j) {
      const unsigned axis = axes[static_cast<std::size_t>(j)];
      const bool down = first_sign(objectives, j) < 0;
      x[static_cast<std::size_t>(j)] = {Long{}, Long{down ? -1.0 : 1.0}};
      const Long& c = objectives[0][j];
      weights.add(2 * axis + (down ? 1 : 0), down ? -c : c);
      native |= 3u << 2 * axis;
    }
    return native;
  }

  /// The sign of entry j in the first objective that has any.
  template<int D>
  static int first_sign(const Objectives<D>& objectives, int j) {
    for (const Row<D>& objective : objectives)
      if (sign(objective[j]) != 0) return sign(objective[j]);
    return 1;
  }

  static bool looks_at(const Scope& scope, std::size_t id) {
    return id < boxes ? (scope.boxes >> id & 1) != 0 : id < scope.limit;
  }

  /// The level's problem within the plane of constraint `id`.
  template<int D, class Here>
  bool solve_plane(const Here& here, const Axes<D>& axes, const Scope& scope,
                   const Objectives<D>& objectives, std::size_t id, const Row<D>& plane, int pivot,
                   Point<D>& x, Weights<Top>& weights) const {
    Axes<D - 1> sub_axes{};
    for (int j = 0; j < D - 1; ++j)
      sub_axes[static_cast<std::size_t>(j)] = axes[static_cast<std::size_t>(j < pivot ? j : j + 1)];
    Objectives<D - 1> sub_objectives;
    for (std::size_t k = 0; k < objectives.size(); ++k)
      sub_objectives[k] = eliminate(objectives[k], plane, pivot);
    Point<D - 1> sub_x;
    const Level<D - 1, Here> sub{here, plane, pivot};
    const bool feasible = solve<D - 1>(sub, sub_axes, scope, sub_objectives, sub_x, weights);
    if (feasible) x = lift(sub_x, plane, pivot);
    // The weight of the plane makes up the entry that was eliminated.
    Long rest = feasible ? objectives[0][pivot] : Long{};
    double size = std::fabs(rest.high);
    for (std::size_t k = 0; k < weights.count; ++k) {
      const Long term = weights.weights[k] * here.row(weights.ids[k])[pivot];
      rest = rest + -term;
      size += std::fabs(term.high);
    }
    const bool cancelled = std::fabs(rest.high) <= 0x1p-90 * size;
    weights.add(id, cancelled ? Long{} : rest / plane[pivot]);
    return feasible;
  }

  /// One bound of a line: entry * t <= offset.
  struct Bound {
    std::size_t id = 0;
    Row<1> row;
    bool set = false;
    Rounded end;
  };

  /// The sign of the end of a less that of b.
  static int compare(const Row<1>& a, const Row<1>& b) {
    const auto cross = [&](const Long& p, const Long& q) {
      return sign(difference(p * b[0], q * a[0]));
    };
    const int infinite = cross(a.offset.infinite, b.offset.infinite);
    const int s = infinite != 0 ? infinite : cross(a.offset.finite, b.offset.finite);
    return s * sign(a[0]) * sign(b[0]);
  }

  static Point<1> end_of(const Row<1>& row) {
    return {Affine{row.offset.finite / row[0], row.offset.infinite / row[0]}};
  }

  template<class Here>
  bool solve_line(const Here& here, const Scope& scope, const Objectives<1>& objectives,
                  Point<1>& x, Weights<Top>& weights) const {
    Bound low;
    Bound high;
    weights = {};
    for (std::size_t id = 0; id < std::max(scope.limit, boxes); ++id) {
      if (!looks_at(scope, id)) continue;
      if (low.set && high.set && surely_holds(id, low.end) && surely_holds(id, high.end)) continue;
      const Row<1> row = here.row(id);
      const int side = sign(row[0]);
      if (side == 0 && sign(row.offset) < 0) {
        weights.add(id, Long{1});
        return false;
      }
      if (side == 0) continue;
      Bound& bound = side > 0 ? high : low;
      if (bound.set && compare(row, bound.row) * side >= 0) continue;
      bound = {id, row, true, round(here.full(end_of(row)))};
    }
    if (compare(low.row, high.row) > 0) {
      weights.add(low.id, high.row[0]);
      weights.add(high.id, -low.row[0]);
      return false;
    }
    const Bound& best = first_sign(objectives, 0) > 0 ? high : low;
    x = end_of(best.row);
    weights.add(best.id, objectives[0][0] / best.row[0]);
    return true;
  }

  static Rounded round(const Point<Top>& x) {
    Rounded out;
    for (std::size_t j = 0; j < x.size(); ++j) {
      out.finite[j] = x[j].finite.high;
      out.infinite[j] = x[j].infinite.high;
      if (out.infinite[j] != 0) out.is_finite = false;
    }
    return out;
  }

  /// Whether plain double shows that the constraint holds. At most five roundings a term, of epsilon / 2 each.
  [[nodiscard]] bool surely_holds(std::size_t id, const Rounded& x) const {
    if (id < boxes) return false;
    const auto c = problem_.plain(id);
    double sum = x.is_finite ? -c.offset : 0;
    double size = std::fabs(sum);
    for (std::size_t j = 0; j < c.normal.size(); ++j) {
      const double term = c.normal[j] * (x.is_finite ? x.finite[j] : x.infinite[j]);
      sum += term;
      size += std::fabs(term);
    }
    return sum < -8 * tolerance::epsilon * size;
  }

  [[nodiscard]] bool holds(std::size_t id, const Point<Top>& x, const Rounded& rounded) const {
    if (surely_holds(id, rounded)) return true;
    const Row<Top> row = problem_.row(id);
    const auto excess = [&](Long Affine::*part) {
      Long sum = -(row.offset.*part);
      double size = std::fabs(sum.high);
      for (std::size_t j = 0; j < x.size(); ++j) {
        const Long term = row.normal[j] * (x[j].*part);
        sum = sum + term;
        size += std::fabs(term.high);
      }
      return std::fabs(sum.high) <= 0x1p-90 * size ? 0 : sign(sum);
    };
    const int infinite = excess(&Affine::infinite);
    return infinite != 0 ? infinite < 0 : excess(&Affine::finite) <= 0;
  }

  const Problem<Top>& problem_;
};

} // namespace carom::seidel
