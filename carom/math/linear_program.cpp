// The user's types around Seidel's method (linear_program-inl.h), and a check of the proof before it is handed out.
#include "carom/math/linear_program.h"

#include "carom/math/linear_program-inl.h"

namespace carom {
namespace {

using namespace seidel;

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
Vec2 to_vec(const std::array<Long, 2>& v) {
  return {v[0].high, v[1].high};
}
Vec3 to_vec(const std::array<Long, 3>& v) {
  return {v[0].high, v[1].high, v[2].high};
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

template<int Top>
using LongVector = std::array<Long, static_cast<std::size_t>(Top)>;

/// The answer before it is rounded.
template<int Top>
struct Found {
  LinearStatus status = LinearStatus::out_of_range;
  LongVector<Top> point{};
  Long value;
  LongVector<Top> ray{};
  Weights<Top> proof; // by index, not by id
};

template<int Top>
void write_proof(const Problem<Top>& problem, const Weights<Top>& weights, bool feasible,
                 Found<Top>& out) {
  Weights<Top>& proof = out.proof;
  double greatest = 0;
  for (std::size_t k = 0; k < weights.count; ++k)
    greatest = std::max(greatest, std::fabs(weights.weights[k].high));
  for (std::size_t k = 0; k < weights.count; ++k) {
    // The box has weight 0, and what is negative is so by rounding; `proved` sees whether that is true.
    Long weight = sign(weights.weights[k]) > 0 ? weights.weights[k] : Long{};
    if (weights.ids[k] < problem.boxes || (!feasible && weight.high == 0)) continue;
    if (!feasible) weight = weight / Long{greatest};
    const std::size_t index = problem.order[weights.ids[k] - problem.boxes];
    std::size_t place = proof.count++;
    for (; place > 0 && proof.ids[place - 1] > index; --place) {
      proof.ids[place] = proof.ids[place - 1];
      proof.weights[place] = proof.weights[place - 1];
    }
    proof.ids[place] = index;
    proof.weights[place] = weight;
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

/// A sum of products of doubles, nearly exact, and the sum of their absolute values.
struct Sum {
  Long value;
  double size = 0;

  void add(const Long& a, const Long& b) {
    const Long term = a * b;
    value = value + term;
    size += std::fabs(term.high);
  }
};
template<int Top>
Sum inner(const Vector<Top>& a, const LongVector<Top>& x) {
  Sum sum;
  for (std::size_t j = 0; j < a.size(); ++j) sum.add(Long{a[j]}, x[j]);
  return sum;
}

/// What the checks below allow, relative to the sizes of what is summed. Rounding to double then takes the answer to the bounds of
/// the header.
constexpr double proof_slack = 0x1p-80;

/// The value of a sum; 0 where only rounding is left.
Long value_of(const Sum& sum) {
  return std::fabs(sum.value.high) <= proof_slack * sum.size ? Long{} : sum.value;
}

/// Whether x obeys every constraint; for a ray, with offset 0.
template<int Top>
bool all_hold(const Problem<Top>& problem, const LongVector<Top>& x, bool is_ray) {
  for (std::size_t i = 0; i < problem.count; ++i) {
    const auto c = problem.get(problem.constraints, i);
    Sum excess = inner<Top>(c.normal, x);
    if (!is_ray) excess.add(Long{-1}, Long{c.offset});
    if (!(excess.value.high <= proof_slack * excess.size)) return false; // nor if it is NaN
  }
  return true;
}

/// Whether the proof's combination is the objective and the value, or 0 and negative.
template<int Top>
bool adds_up(const Problem<Top>& problem, const Vector<Top>& objective, const Found<Top>& found) {
  const bool optimal = found.status == LinearStatus::optimal;
  Sum offsets;
  std::array<Sum, static_cast<std::size_t>(Top)> normals;
  double size = 0;
  for (std::size_t k = 0; k < found.proof.count; ++k) {
    const auto c = problem.get(problem.constraints, found.proof.ids[k]);
    const Long& weight = found.proof.weights[k];
    offsets.add(weight, Long{c.offset});
    for (std::size_t j = 0; j < normals.size(); ++j) normals[j].add(weight, Long{c.normal[j]});
    if (optimal) size += weight.high * inner<Top>(c.normal, found.point).size;
  }
  double residual = 0;
  double terms = 0;
  for (std::size_t j = 0; j < normals.size(); ++j) {
    if (optimal) normals[j].add(Long{-1}, Long{objective[j]});
    residual += std::fabs(normals[j].value.high);
    terms += normals[j].size;
  }
  if (!(residual <= proof_slack * terms)) return false;
  if (!optimal) return sign(offsets.value) < 0;
  return std::fabs((offsets.value + -found.value).high) <= proof_slack * (offsets.size + size);
}

template<int Top>
bool proved(const Problem<Top>& problem, const Vector<Top>& objective, const Found<Top>& found) {
  if (found.status == LinearStatus::infeasible) return adds_up(problem, objective, found);
  if (!all_hold(problem, found.point, false)) return false;
  if (found.status == LinearStatus::optimal) return adds_up(problem, objective, found);
  return sign(inner<Top>(objective, found.ray).value) > 0 && all_hold(problem, found.ray, true);
}

template<int Top>
LongVector<Top> part_of(const Point<Top>& x, Long Affine::*part) {
  LongVector<Top> out;
  for (std::size_t j = 0; j < x.size(); ++j) out[j] = x[j].*part;
  return out;
}

template<int Top>
Found<Top> find(const Problem<Top>& problem, const Vector<Top>& objective) {
  Found<Top> out;
  Point<Top> x;
  Weights<Top> weights;
  if (!run(problem, objective, x, weights)) {
    out.status = LinearStatus::infeasible;
    write_proof(problem, weights, false, out);
    return out;
  }
  const LongVector<Top> ray = part_of<Top>(x, &Affine::infinite);
  if (sign(value_of(inner<Top>(objective, ray))) <= 0) {
    out.status = LinearStatus::optimal;
    out.point = part_of<Top>(x, &Affine::finite);
    out.value = value_of(inner<Top>(objective, out.point));
    write_proof(problem, weights, true, out);
    return out;
  }
  out.status = LinearStatus::unbounded;
  out.ray = ray;
  // Without the objective the ties end at a finite point, which the ray starts from.
  (void)run(problem, Vector<Top>{}, x, weights);
  out.point = part_of<Top>(x, &Affine::finite);
  return out;
}

/// Rounding can lead one order of the constraints astray (some 1 in 10,000 of the worst systems), hardly ever several.
constexpr std::uint64_t attempts = 8;

template<int Top>
Found<Top> answer(Problem<Top> problem, const Vector<Top>& objective) {
  Found<Top> out;
  if (!in_range(problem, objective)) return out;
  for (std::uint64_t attempt = 0; attempt < attempts; ++attempt) {
    problem.order = RandomOrder(problem.count, attempt);
    out = find(problem, objective);
    if (proved(problem, objective, out)) return out;
  }
  out = {};
  out.status = LinearStatus::undecided;
  return out;
}

template<int Top, class Optimum>
Optimum rounded(const Found<Top>& found) {
  Optimum out;
  out.status = found.status;
  out.point = to_vec(found.point);
  out.value = found.value.high;
  out.ray = to_vec(found.ray);
  out.proof.count = found.proof.count;
  for (std::size_t k = 0; k < found.proof.count; ++k) {
    out.proof.indices[k] = found.proof.ids[k];
    out.proof.multipliers[k] = found.proof.weights[k].high;
  }
  return out;
}

} // namespace

LinearOptimum2 maximize(const Vec2& objective, std::span<const Constraint2> constraints) {
  const auto found = answer<2>({constraints.data(), &get2, constraints.size(), RandomOrder(0, 0)},
                               {objective.x, objective.y});
  return rounded<2, LinearOptimum2>(found);
}

LinearOptimum3 maximize(const Vec3& objective, std::span<const Constraint3> constraints) {
  const auto found = answer<3>({constraints.data(), &get3, constraints.size(), RandomOrder(0, 0)},
                               {objective.x, objective.y, objective.z});
  return rounded<3, LinearOptimum3>(found);
}

} // namespace carom
