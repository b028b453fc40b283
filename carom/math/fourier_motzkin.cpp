// The double instances. The method is in the header, over the number type.
#include "carom/math/fourier_motzkin.h"

#include "carom/math/tolerance.h"

#include <algorithm>

namespace carom {
namespace {

using Inequality2 = Inequality<double, 2>;
using Inequality3 = Inequality<double, 3>;

Inequality2 to_inequality(const Constraint2& c) {
  return {{c.normal.x, c.normal.y}, c.offset};
}
Inequality3 to_inequality(const Constraint3& c) {
  return {{c.normal.x, c.normal.y, c.normal.z}, c.offset};
}
Vec2 to_vec(const std::array<double, 2>& v) {
  return {v[0], v[1]};
}
Vec3 to_vec(const std::array<double, 3>& v) {
  return {v[0], v[1], v[2]};
}

template<class Answer, std::size_t D, class Constraint>
Answer solve(std::span<const Constraint> constraints, std::size_t variable) {
  Answer out;
  if (constraints.size() > elimination_limit || variable >= D) return out;
  std::vector<Inequality<double, D>> rows;
  for (const Constraint& c : constraints) {
    rows.push_back(to_inequality(c));
    const auto& n = rows.back().normal;
    if (!std::all_of(n.begin(), n.end(), tolerance::is_coordinate) ||
        !tolerance::is_coordinate(c.offset))
      return out;
  }
  const auto found = fourier_motzkin<double, D>(rows, variable);
  out.status = found.feasible ? EliminationStatus::feasible : EliminationStatus::infeasible;
  if (!found.feasible) return out;
  out.point = to_vec(found.point);
  out.range = found.range;
  return out;
}

} // namespace

Elimination2 fourier_motzkin(std::span<const Constraint2> constraints, std::size_t variable) {
  return solve<Elimination2, 2>(constraints, variable);
}

Elimination3 fourier_motzkin(std::span<const Constraint3> constraints, std::size_t variable) {
  return solve<Elimination3, 3>(constraints, variable);
}

} // namespace carom
