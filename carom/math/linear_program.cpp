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
#include "carom/math/linear_program.h"

#include "carom/math/random.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace carom {
namespace {

// --- Numbers of 104 bits and more: high + low, |low| <= ulp(high) / 2.

struct Long {
  double high = 0, low = 0;
};

Long quick_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}
Long two_sum(double a, double b) {
  const double s = a + b;
  const double t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
Long two_product(double a, double b) {
  constexpr double splitter = 0x1p27 + 1;
  const double p = a * b;
  const double ta = splitter * a;
  const double tb = splitter * b;
  const double ah = ta - (ta - a);
  const double bh = tb - (tb - b);
  const double al = a - ah;
  const double bl = b - bh;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}
Long operator-(const Long& a) {
  return {-a.high, -a.low};
}
Long operator+(const Long& a, const Long& b) {
  const Long s = two_sum(a.high, b.high);
  const Long t = two_sum(a.low, b.low);
  const Long u = quick_two_sum(s.high, s.low + t.high);
  return quick_two_sum(u.high, u.low + t.low);
}
Long operator*(const Long& a, const Long& b) {
  const Long p = two_product(a.high, b.high);
  return quick_two_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}
Long operator/(const Long& a, const Long& b) {
  const double first = a.high / b.high;
  const Long rest = a + -(b * Long{first});
  const double second = rest.high / b.high;
  const Long rest2 = rest + -(b * Long{second});
  return quick_two_sum(first, second) + Long{rest2.high / b.high};
}
int sign(const Long& a) {
  return a.high > 0 ? 1 : a.high < 0 ? -1 : 0;
}

/// a - b, and zero where that is the rounding of what a and b come from. A few operations of 2^-104 each leave 2^-96.
Long difference(const Long& a, const Long& b) {
  const Long d = a + -b;
  return std::fabs(d.high) <= 0x1p-96 * (std::fabs(a.high) + std::fabs(b.high)) ? Long{} : d;
}

/// finite + infinite M.
struct Affine {
  Long finite, infinite;
};
int sign(const Affine& a) {
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
  out[static_cast<std::size_t>(pivot)] = {rest.finite / plane[pivot],
                                          rest.infinite / plane[pivot]};
  return out;
}

/// A fixed random order of 0 .. n-1, computed place by place: a Feistel network on the next power of two, walked until it lands
/// below n.
class RandomOrder {
public:
  explicit RandomOrder(std::size_t n) : n_(n) {
    const auto bits = static_cast<unsigned>(std::bit_width(n > 4 ? n - 1 : 3));
    left_mask_ = (std::uint64_t{1} << bits / 2) - 1;
    right_bits_ = bits - bits / 2;
    Random random(0x5e1de1);
    for (std::uint64_t& key : keys_) key = random.bits();
  }
  [[nodiscard]] std::size_t operator[](std::size_t place) const {
    std::uint64_t x = place;
    do {
      std::uint64_t left = x >> right_bits_;
      std::uint64_t right = x & ((std::uint64_t{1} << right_bits_) - 1);
      for (std::size_t round = 0; round < keys_.size(); round += 2) {
        left ^= stir(right, keys_[round]) & left_mask_;
        right ^= stir(left, keys_[round + 1]) & ((std::uint64_t{1} << right_bits_) - 1);
      }
      x = left << right_bits_ | right;
    } while (x >= n_);
    return static_cast<std::size_t>(x);
  }

private:
  static std::uint64_t stir(std::uint64_t x, std::uint64_t key) {
    return ((x + key) * 0x9e3779b97f4a7c15u) >> 32;
  }
  std::size_t n_;
  std::uint64_t left_mask_;
  unsigned right_bits_;
  std::array<std::uint64_t, 6> keys_{};
};

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
  [[nodiscard]] Plain plain(std::size_t id) const {
    return get(constraints, order[id - boxes]);
  }
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
      Rounded rounded = round(here.full(x));
      for (std::size_t id = 0; id < std::max(scope.limit, boxes); ++id) {
        if (!looks_at(scope, id) || holds(id, here.full(x), rounded)) continue;
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
        rounded = round(here.full(x));
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

// --- From the user's types and back.

template<int Top>
using Vector = typename Problem<Top>::Vector;

Problem<2>::Plain get2(const void* data, std::size_t i) {
  const Constraint2& c = static_cast<const Constraint2*>(data)[i];
  return {{c.normal.x, c.normal.y}, c.offset};
}
Problem<3>::Plain get3(const void* data, std::size_t i) {
  const Constraint3& c = static_cast<const Constraint3*>(data)[i];
  return {{c.normal.x, c.normal.y, c.normal.z}, c.offset};
}
Vec2 to_vec(const Vector<2>& v) {
  return {v[0], v[1]};
}
Vec3 to_vec(const Vector<3>& v) {
  return {v[0], v[1], v[2]};
}

template<int Top>
bool in_range(const Problem<Top>& problem, const Vector<Top>& objective) {
  const auto good = [](const Vector<Top>& v) {
    return std::all_of(v.begin(), v.end(), tolerance::is_coordinate);
  };
  if (!good(objective)) return false;
  for (std::size_t i = 0; i < problem.count; ++i) {
    const auto c = problem.get(problem.constraints, i);
    if (!good(c.normal) || !tolerance::is_coordinate(c.offset)) return false;
  }
  return true;
}

/// The sum of the normals, each scaled to a greatest entry of 1/2 to 1: every multiple of it is bounded on the feasible set.
template<int Top>
Row<Top> sum_of_normals(const Problem<Top>& problem) {
  Row<Top> sum;
  for (std::size_t i = 0; i < problem.count; ++i) {
    const auto c = problem.get(problem.constraints, i);
    double greatest = 0;
    for (const double n : c.normal) greatest = std::max(greatest, std::fabs(n));
    int exponent = 0;
    (void)std::frexp(greatest, &exponent);
    for (std::size_t j = 0; j < c.normal.size(); ++j)
      sum.normal[j] = sum.normal[j] + Long{std::ldexp(c.normal[j], -exponent)};
  }
  return sum;
}

template<int Top, class Proof>
void write_proof(const Problem<Top>& problem, const Weights<Top>& weights, bool feasible,
                 Proof& out) {
  double greatest = 0;
  for (std::size_t k = 0; k < weights.count; ++k)
    if (weights.ids[k] >= problem.boxes)
      greatest = std::max(greatest, std::fabs(weights.weights[k].high));
  for (std::size_t k = 0; k < weights.count; ++k) {
    if (weights.ids[k] < problem.boxes) continue; // weight 0
    // What is negative here is so by rounding.
    Long weight = sign(weights.weights[k]) > 0 ? weights.weights[k] : Long{};
    if (!feasible && weight.high == 0) continue;
    if (!feasible) weight = weight / Long{greatest};
    const std::size_t index = problem.order[weights.ids[k] - problem.boxes];
    std::size_t place = out.count++;
    for (; place > 0 && out.indices[place - 1] > index; --place) {
      out.indices[place] = out.indices[place - 1];
      out.multipliers[place] = out.multipliers[place - 1];
    }
    out.indices[place] = index;
    out.multipliers[place] = weight.high;
  }
}

/// One run of the method, for the given objective and then the tie-breakers.
template<int Top>
bool run(const Problem<Top>& problem, const Vector<Top>& objective, Point<Top>& x,
         Weights<Top>& weights) {
  using Method = Solver<Top>;
  typename Method::template Objectives<Top> objectives;
  typename Method::template Axes<Top> axes{};
  objectives[1] = sum_of_normals(problem);
  for (std::size_t j = 0; j < objective.size(); ++j) {
    objectives[0].normal[j].high = objective[j];
    objectives[j + 2].normal[j].high = 1;
    axes[j] = static_cast<unsigned>(j);
  }
  const Scope all{problem.size(), (1u << problem.boxes) - 1};
  return Method(problem).template solve<Top>(problem, axes, all, objectives, x, weights);
}

/// objective . (one part of x), with the sign of its exact value where rounding leaves it.
template<int Top>
double measure(const Vector<Top>& objective, const Point<Top>& x, Long Affine::*part) {
  Long sum;
  double size = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const Long term = Long{objective[j]} * (x[j].*part);
    sum = sum + term;
    size += std::fabs(term.high);
  }
  return std::fabs(sum.high) <= 0x1p-90 * size ? 0 : sum.high;
}

template<int Top, class Optimum>
Optimum answer(const Problem<Top>& problem, const Vector<Top>& objective) {
  Optimum out;
  if (!in_range(problem, objective)) return out;
  Point<Top> x;
  Weights<Top> weights;
  Vector<Top> finite{};
  Vector<Top> infinite{};
  const bool feasible = run(problem, objective, x, weights);
  const bool bounded = measure<Top>(objective, x, &Affine::infinite) <= 0;
  if (!feasible || bounded) write_proof(problem, weights, feasible, out.proof);
  if (!feasible) {
    out.status = LinearStatus::infeasible;
    return out;
  }
  out.status = bounded ? LinearStatus::optimal : LinearStatus::unbounded;
  for (std::size_t j = 0; j < x.size(); ++j) infinite[j] = x[j].infinite.high;
  // Without the objective the ties end at a finite point, which the ray starts from.
  if (!bounded) (void)run(problem, Vector<Top>{}, x, weights);
  for (std::size_t j = 0; j < x.size(); ++j) finite[j] = x[j].finite.high;
  out.point = to_vec(finite);
  if (bounded) out.value = measure<Top>(objective, x, &Affine::finite);
  else out.ray = to_vec(infinite);
  return out;
}

} // namespace

LinearOptimum2 maximize(const Vec2& objective, std::span<const Constraint2> constraints) {
  const Problem<2> problem{constraints.data(), &get2, constraints.size(),
                           RandomOrder(constraints.size())};
  return answer<2, LinearOptimum2>(problem, {objective.x, objective.y});
}

LinearOptimum3 maximize(const Vec3& objective, std::span<const Constraint3> constraints) {
  const Problem<3> problem{constraints.data(), &get3, constraints.size(),
                           RandomOrder(constraints.size())};
  return answer<3, LinearOptimum3>(problem, {objective.x, objective.y, objective.z});
}

} // namespace carom
