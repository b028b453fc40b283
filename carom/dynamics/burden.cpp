#include "carom/dynamics/burden.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr double growth = 1.1;      // a step
constexpr double steady_part = 0.7; // as long as so much of the burden is needed, it stays

} // namespace

float next_burden(const Body& body, const BodyMotion& motion, const SolverBody& state,
                  double least_push) {
  const bool loaded =
      state.moved[3] > 0 && (motion.push[0] != 0 || motion.push[1] != 0 || motion.push[2] != 0);
  if (!loaded || body.first_joint != no_index) return 1;
  // As speeds that impulses would give the body without its burden.
  const double pushed = double{state.moved[3]} * body.inverse_mass;
  double square = 0;
  for (int i = 0; i < 3; ++i) {
    const double d = double{state.velocity[i]} - double{motion.base_velocity[i]};
    square += d * d;
  }
  const double squeezed = 0.5 * (pushed - std::sqrt(square) * body.burden);
  const double needed = std::max(squeezed / least_push, 1.0), most = growth * body.burden;
  if (needed > most) return static_cast<float>(most);
  return needed < steady_part * body.burden ? static_cast<float>(needed) : body.burden;
}

} // namespace carom
